// What is not analysed.
import { fail } from "../../../kernel/failure.ts";

export const tooManySpans = (most: number) =>
  fail("traces.too_many_spans", "too_large", `Traces with more than ${most} spans in all are not analysed`);

export const analysedTraceNotFound = (identifier: string) =>
  fail("traces.not_found", "not_found", `No trace of the project has the identifier ${identifier}`);
