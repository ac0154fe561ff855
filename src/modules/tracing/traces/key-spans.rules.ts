// Which spans of a trace matter to a reader.
import type { SpanKind } from "../../../model/span.ts";

/** What matters even at the top of a trace. Below it, everything does but wrappers. */
export const keySpanKinds: readonly SpanKind[] = [
  "LLM",
  "EMBEDDING",
  "TOOL",
  "RETRIEVER",
  "RERANKER",
  "GUARDRAIL",
  "EVALUATOR",
];
