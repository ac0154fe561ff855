// What is changed in examples before they are added, by the id of their span: JSON texts of the parts that say something else.
import type { Json } from "../../../../kernel/json.ts";
import { draftOf, objectOf, problemOf } from "../editor/example-draft.ts";
import type { ExpectedOutput, PreviewedExample } from "./addition.queries.ts";

export type EditedPart = "input" | "output";
export type ExampleEdits = ReadonlyMap<string, Partial<Readonly<Record<EditedPart, string>>>>;

export const noEdits: ExampleEdits = new Map();

/** JSON text of what is expected where nothing is. */
export const NOTHING_EXPECTED = "{}";

/** Undefined takes the edit of the part back. */
export function withEdit(
  edits: ExampleEdits,
  spanId: string,
  part: EditedPart,
  value: string | undefined,
): ExampleEdits {
  const { [part]: _before, ...others } = edits.get(spanId) ?? {};
  const changed = new Map(edits);
  const edit = value === undefined ? others : { ...others, [part]: value };
  if (Object.keys(edit).length === 0) changed.delete(spanId);
  else changed.set(spanId, edit);
  return changed;
}

export function withoutEdits(edits: ExampleEdits, spanId: string): ExampleEdits {
  return new Map([...edits].filter(([id]) => id !== spanId));
}

/** JSON texts of an example: what it would say, what it says with its edit, and what the span answered. */
export function textsOf({ span, input, output, answer }: PreviewedExample, edits: ExampleEdits) {
  const rule = draftOf({ input, output, metadata: {} });
  const answered = draftOf({ input, output: answer, metadata: {} }).output;
  const edit = edits.get(span.id);
  return { rule, answered, now: { input: edit?.input ?? rule.input, output: edit?.output ?? rule.output } };
}

/** Some edit cannot be sent. */
export function hasProblem(edits: ExampleEdits): boolean {
  return [...edits.values()].some((edit) => Object.values(edit).some((source) => problemOf(source) !== null));
}

/** As the server takes them. */
export function sentEdits(edits: ExampleEdits) {
  const objectIn = (source: string | undefined): Json => (source === undefined ? null : objectOf(source));
  return [...edits].map(([spanId, { input, output }]) => ({
    spanId,
    input: objectIn(input),
    output: objectIn(output),
  }));
}

const CORRECTED = "CORRECTED_OUTPUT ";

/** A rule as the choice of a list. */
export function correctedBy(annotationName: string): string {
  return CORRECTED + annotationName;
}

export function ruleOf(choice: string): ExpectedOutput {
  if (choice.startsWith(CORRECTED)) {
    return { rule: "CORRECTED_OUTPUT", annotationName: choice.slice(CORRECTED.length) };
  }
  return { rule: choice as Exclude<ExpectedOutput["rule"], "CORRECTED_OUTPUT">, annotationName: null };
}
