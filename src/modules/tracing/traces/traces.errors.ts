// What can be wrong with traces and with what is asked of their list.
import { fail } from "../../../kernel/failure.ts";

export const traceNotFound = (identifier: string) =>
  fail("traces.not_found", "not_found", `No trace has the identifier ${identifier}`);

export const tracesNotFound = (identifiers: readonly string[]) =>
  fail("traces.not_found", "not_found", `No traces have these identifiers: ${identifiers.join(", ")}`);

export const tracesOfSeveralProjects = () =>
  fail("traces.several_projects", "invalid", "All traces must be in one project");

export const noTracesNamed = () => fail("traces.none_named", "invalid", "traceIds: name at least one trace");

/** Where an unknown trace is a mistake of the request as a whole. */
export const unknownTraces = (identifiers: readonly string[]) =>
  fail("traces.unknown", "invalid", `No traces have these identifiers: ${identifiers.join(", ")}`);
