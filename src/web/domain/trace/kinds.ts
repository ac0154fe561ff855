// Span kinds as people see them: a hue, a glyph and a word each, never the hue alone.
import type { LabelKey } from "../../texts/texts.ts";
import type { SpanKind } from "./trace-span.ts";

interface Look {
  readonly label: LabelKey;
  /** A token of `kit/tokens.css`. */
  readonly hue: string;
  /** Strokes on a field of 16 × 16. */
  readonly glyph: string;
}

export const kindLooks: Readonly<Record<SpanKind, Look>> = {
  AGENT: { label: "trace.kind.agent", hue: "var(--kind-agent)", glyph: "M8 2l5 4-2 7H5L3 6z" },
  LLM: { label: "trace.kind.llm", hue: "var(--kind-llm)", glyph: "M3 8h10M8 3v10" },
  TOOL: { label: "trace.kind.tool", hue: "var(--kind-tool)", glyph: "M4 12l5-5M9 4l3 3" },
  RETRIEVER: { label: "trace.kind.retriever", hue: "var(--kind-retriever)", glyph: "M3 5h10M3 8h7M3 11h9" },
  EMBEDDING: { label: "trace.kind.embedding", hue: "var(--kind-embedding)", glyph: "M4 4l8 8M12 4l-8 8" },
  CHAIN: { label: "trace.kind.chain", hue: "var(--kind-chain)", glyph: "M3 8h10" },
  RERANKER: { label: "trace.kind.reranker", hue: "var(--kind-reranker)", glyph: "M4 5h8M4 8h6M4 11h3" },
  GUARDRAIL: {
    label: "trace.kind.guardrail",
    hue: "var(--kind-guardrail)",
    glyph: "M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z",
  },
  EVALUATOR: { label: "trace.kind.evaluator", hue: "var(--kind-evaluator)", glyph: "M3 9l3 3 7-8" },
  PROMPT: { label: "trace.kind.prompt", hue: "var(--kind-prompt)", glyph: "M4 4l4 4-4 4M9 12h4" },
  DECISION: { label: "trace.kind.decision", hue: "var(--kind-decision)", glyph: "M8 3l5 5-5 5-5-5z" },
  UNKNOWN: { label: "trace.kind.unknown", hue: "var(--kind-unknown)", glyph: "M8 8h.01" },
};

export const shownKinds = Object.keys(kindLooks) as SpanKind[];
