// Which steps of a trace matter to a reader.
import type { SpanKind } from "./span.schema.ts";

/** Spans of other kinds are wrappers unless they fail or stand at the top (`web-ui.md` 7.4). */
export const keySpanKinds: readonly SpanKind[] = [
  "LLM",
  "EMBEDDING",
  "TOOL",
  "RETRIEVER",
  "RERANKER",
  "GUARDRAIL",
  "EVALUATOR",
];
