// The words of annotations: what people and programs say about spans, traces, sessions and documents.

/** What an annotation is about; a document is one of those that a span retrieved. */
export type AnnotationTarget = "span" | "trace" | "session" | "document";

export type AnnotatorKind = "LLM" | "CODE" | "HUMAN";

/** `APP` is what was said on the pages. */
export type AnnotationSource = "API" | "APP";

export type AnnotationConfigType = "CATEGORICAL" | "CONTINUOUS" | "FREEFORM";

/** Which scores are the better ones. */
export type OptimizationDirection = "MINIMIZE" | "MAXIMIZE" | "NONE";
