// Step 9 of the ingest transaction (docs/protocol/storage.md#the-ingest-transaction): what new spans add to the row of their
// trace. Own counts only, never sums.
import type { SpanKind, SpanStatus } from "../span.ts";
import type { CountedCall } from "./rollup-repeats.ts";

/** What one span counts for in its trace. Instants are microseconds UTC. */
export interface CountedSpan {
  readonly traceId: number;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Its tokens and its cost are those of a child. */
  readonly repeatsChild: boolean;
  /** 10^-12 USD, an integer; null when the span has no price. */
  readonly cost: number | null;
  readonly startUs: number;
  readonly endUs: number;
}

/** The totals of a trace, or what a batch adds to them. Instants are microseconds UTC. */
export interface TraceTotals {
  readonly spanCount: number;
  readonly errorCount: number;
  readonly llmCount: number;
  readonly toolCount: number;
  readonly prompt: number;
  readonly completion: number;
  /** 10^-12 USD; beyond 2^53 a number would lose digits. */
  readonly cost: bigint;
  readonly startUs: number;
  readonly endUs: number;
}

/** What the given spans add to each of their traces, by trace id. */
export function traceTotals(spans: Iterable<CountedSpan>): Map<number, TraceTotals> {
  const totals = new Map<number, { -readonly [Name in keyof TraceTotals]: TraceTotals[Name] }>();
  for (const span of spans) {
    let total = totals.get(span.traceId);
    if (total === undefined) {
      total = { ...NO_COUNTS, startUs: span.startUs, endUs: span.endUs };
      totals.set(span.traceId, total);
    }
    total.spanCount++;
    if (span.status === "ERROR") total.errorCount++;
    if (span.kind === "LLM") total.llmCount++;
    else if (span.kind === "TOOL") total.toolCount++;
    if (span.startUs < total.startUs) total.startUs = span.startUs;
    if (span.endUs > total.endUs) total.endUs = span.endUs;
    if (span.repeatsChild) continue;
    total.prompt += span.promptTokens ?? 0;
    total.completion += span.completionTokens ?? 0;
    if (span.cost !== null) total.cost += BigInt(span.cost);
  }
  return totals;
}

/** The same without a call that was counted before it was known to repeat a child. */
export function withoutCall(totals: TraceTotals, { prompt, completion, cost }: CountedCall): TraceTotals {
  const tokens = { prompt: totals.prompt - prompt, completion: totals.completion - completion };
  return { ...totals, ...tokens, cost: totals.cost - cost };
}

const NO_COUNTS = {
  spanCount: 0,
  errorCount: 0,
  llmCount: 0,
  toolCount: 0,
  prompt: 0,
  completion: 0,
  cost: 0n,
} as const;

/** The totals of a trace after spans were added. Bounds only ever widen. */
export function addTotals(before: TraceTotals, added: TraceTotals): TraceTotals {
  return {
    ...combineCounts(before, added, 1),
    startUs: Math.min(before.startUs, added.startUs),
    endUs: Math.max(before.endUs, added.endUs),
  };
}

/** The totals of a trace after spans were taken away: its bounds stay. */
export function subtractTotals(before: TraceTotals, removed: TraceTotals): TraceTotals {
  return { ...combineCounts(before, removed, -1), startUs: before.startUs, endUs: before.endUs };
}

function combineCounts(left: TraceTotals, right: TraceTotals, sign: 1 | -1) {
  return {
    spanCount: left.spanCount + sign * right.spanCount,
    errorCount: left.errorCount + sign * right.errorCount,
    llmCount: left.llmCount + sign * right.llmCount,
    toolCount: left.toolCount + sign * right.toolCount,
    prompt: left.prompt + sign * right.prompt,
    completion: left.completion + sign * right.completion,
    cost: left.cost + BigInt(sign) * right.cost,
  };
}
