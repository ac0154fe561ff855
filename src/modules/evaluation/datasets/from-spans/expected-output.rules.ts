// What an example that is made of a span expects: its output, a correction of it, or nothing. A failed answer is nothing to expect.
import { emptyObject, type JsonObject } from "../../../../kernel/json.ts";
import type { SpanStatus } from "../../../../model/span.ts";
import type { AnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";
import { type CorrectingAnnotation, correctedOutput } from "./corrected-output.rules.ts";
import { isNegative, type JudgedAnnotation } from "./negative-annotation.rules.ts";

export const expectedOutputs = ["OUTPUT", "OUTPUT_UNLESS_FAILED", "CORRECTED_OUTPUT", "EMPTY"] as const;

export type ExpectedOutputRule =
  | { readonly takes: Exclude<(typeof expectedOutputs)[number], "CORRECTED_OUTPUT"> }
  | { readonly takes: "CORRECTED_OUTPUT"; readonly annotationName: string };

/** What programs get that say nothing else. */
export const wholeOutput: ExpectedOutputRule = { takes: "OUTPUT" };

export const missingOutputReasons = ["NO_OUTPUT", "FAILED", "JUDGED_NEGATIVE", "NOT_CORRECTED"] as const;

export interface ExpectedOutput {
  readonly output: JsonObject;
  /** Why nothing is expected, unless the rule says so; null where something is. */
  readonly reason: (typeof missingOutputReasons)[number] | null;
  /** What the failure or the annotation says. */
  readonly note: string | null;
}

interface JudgedSpan {
  readonly status: SpanStatus;
  readonly statusMessage: string;
  readonly answer: JsonObject;
  /** Of the span and, of a root, of its trace. */
  readonly annotations: readonly (JudgedAnnotation & CorrectingAnnotation)[];
}

/** Characters of a note. */
const NOTE_CHARACTERS = 200;

export function expectedOutputOf(
  rule: ExpectedOutputRule,
  { status, statusMessage, answer, annotations }: JudgedSpan,
  configOf: (name: string) => AnnotationConfig | undefined,
): ExpectedOutput {
  const given = (output: JsonObject): ExpectedOutput => ({ output, reason: null, note: null });
  const missing = (reason: ExpectedOutput["reason"], note: string | null = null): ExpectedOutput => ({
    output: emptyObject(),
    reason,
    note: note?.slice(0, NOTE_CHARACTERS) || null,
  });
  if (rule.takes === "EMPTY") return missing(null);
  if (rule.takes === "CORRECTED_OUTPUT") {
    const corrected = correctedOutput(annotations, rule.annotationName, answer);
    return corrected === null ? missing("NOT_CORRECTED") : given(corrected);
  }
  if (rule.takes === "OUTPUT_UNLESS_FAILED") {
    if (status === "ERROR") return missing("FAILED", statusMessage);
    const judged = annotations.find((each) => isNegative(each, configOf(each.name)));
    if (judged !== undefined) {
      return missing("JUDGED_NEGATIVE", `${judged.name}: ${judged.label ?? judged.score ?? ""}`);
    }
  }
  return Object.keys(answer).length === 0 ? missing("NO_OUTPUT") : given(answer);
}
