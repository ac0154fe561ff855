// The words of annotations: what people and programs say about spans, traces, sessions and documents.

/** What an annotation is about; a document is one of those that a span retrieved. */
export type AnnotationTarget = "span" | "trace" | "session" | "document";

export type AnnotatorKind = "LLM" | "CODE" | "HUMAN";

/** `APP` is what was annotated on the pages. */
export type AnnotationSource = "API" | "APP";

export type AnnotationConfigType = "CATEGORICAL" | "CONTINUOUS" | "FREEFORM";

/** Which scores are the better ones. */
export type OptimizationDirection = BetterDirection | "NONE";

/** Of two values one is the better one. */
export type BetterDirection = "MINIMIZE" | "MAXIMIZE";

/** Annotations of this name are notes: free text that a user adds to a span, trace or session. */
export const NOTE = "note";

/** Code points of a label that its index holds. */
const LABEL_HEAD_CHARACTERS = 100;

/** The beginning of a label, as the index of labels has it. */
export function labelHead(label: string): string {
  // Twice as many UTF-16 units are enough for any of them.
  return [...label.slice(0, 2 * LABEL_HEAD_CHARACTERS)].slice(0, LABEL_HEAD_CHARACTERS).join("");
}
