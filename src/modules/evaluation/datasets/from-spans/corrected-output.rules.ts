// The corrected output that an annotation holds: a member of its metadata or, of people, the explanation.
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import type { AnnotatorKind } from "../../../../model/annotation.ts";

export interface CorrectingAnnotation {
  readonly name: string;
  readonly annotatorKind: AnnotatorKind;
  readonly explanation: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
  readonly updatedUs: number;
}

/** Members of the metadata that hold it; the first that is there counts. */
export const correctionMembers = ["corrected_output", "correction", "expected_output", "expected"] as const;

/** Names of the annotations that hold a corrected output, each once. */
export function correctionNames(annotations: readonly CorrectingAnnotation[]): string[] {
  return [...new Set(annotations.flatMap((each) => (correctionIn(each) === undefined ? [] : [each.name])))];
}

/** Of the annotations of that name the newest correction, those of people before others; null without one. A text stands where the
 *  answer has its only text. */
export function correctedOutput(
  annotations: readonly CorrectingAnnotation[],
  name: string,
  answer: JsonObject,
): JsonObject | null {
  const isHuman = ({ annotatorKind }: CorrectingAnnotation) => (annotatorKind === "HUMAN" ? 1 : 0);
  const [correction] = annotations
    .filter((each) => each.name === name)
    .toSorted((one, other) => isHuman(other) - isHuman(one) || other.updatedUs - one.updatedUs)
    .map(correctionIn)
    .filter((found) => found !== undefined);
  return correction === undefined ? null : likeAnswer(correction, answer);
}

function correctionIn({ annotatorKind, explanation, metadata }: CorrectingAnnotation): Json | undefined {
  const members = parseJson(metadata);
  if (isJsonObject(members)) {
    const found = correctionMembers.map((member) => members[member]).find((value) => value != null && value !== "");
    if (found !== undefined) return found;
  }
  const isWritten = annotatorKind === "HUMAN" && explanation !== null && explanation.trim() !== "";
  return isWritten ? explanation : undefined;
}

function likeAnswer(correction: Json, answer: JsonObject): JsonObject {
  if (isJsonObject(correction)) return correction;
  if (typeof correction === "string" && Array.isArray(answer.messages)) {
    return { messages: [{ role: "assistant", content: correction }] };
  }
  const [only, ...others] = Object.keys(answer);
  const isOneText = only !== undefined && others.length === 0 && typeof answer[only] === "string";
  return { [isOneText ? only : "output"]: correction };
}
