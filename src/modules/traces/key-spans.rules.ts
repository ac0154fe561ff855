// Which spans of a trace matter to a reader.
import type { SpanKind } from "../../model/span.ts";

/** Spans of other kinds are wrappers unless they fail or are roots. */
export const keySpanKinds: readonly SpanKind[] = [
  "LLM",
  "EMBEDDING",
  "TOOL",
  "RETRIEVER",
  "RERANKER",
  "GUARDRAIL",
  "EVALUATOR",
];
