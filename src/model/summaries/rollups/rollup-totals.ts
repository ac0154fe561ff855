// Step 9 of the ingest transaction (docs/protocol/storage.md#the-ingest-transaction): what new spans add to the row of their
// trace. Own counts only, never sums.
import type { SpanKind, SpanStatus } from "../../span.ts";
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

/** How many of something, by spans: its column in the rows of traces and sessions, and what a span adds. */
function counted<const Column extends string>(column: Column, ofSpan: (span: CountedSpan) => number) {
  return { column, ofSpan };
}

/** Everything that is counted in the row of a trace, beside its cost: the one list. What is added here, and to the tables by a
 *  migration, is written wherever traces and their sessions change. */
export const traceCounts = {
  spanCount: counted("span_count", () => 1),
  errorCount: counted("error_count", ({ status }) => (status === "ERROR" ? 1 : 0)),
  llmCount: counted("llm_count", ({ kind }) => (kind === "LLM" ? 1 : 0)),
  toolCount: counted("tool_count", ({ kind }) => (kind === "TOOL" ? 1 : 0)),
  prompt: counted("prompt_tokens", ({ repeatsChild, promptTokens }) => (repeatsChild ? 0 : (promptTokens ?? 0))),
  completion: counted("completion_tokens", ({ repeatsChild, completionTokens }) =>
    repeatsChild ? 0 : (completionTokens ?? 0),
  ),
};

export type TraceCount = keyof typeof traceCounts;
export const traceCountNames = Object.keys(traceCounts) as TraceCount[];

/** The totals of a trace, or what a batch adds to them. Instants are microseconds UTC. */
export interface TraceTotals extends Readonly<Record<TraceCount, number>> {
  /** 10^-12 USD; beyond 2^53 a number would lose digits. */
  readonly cost: bigint;
  readonly startUs: number;
  readonly endUs: number;
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** What the given spans add to each of their traces, by trace id. */
export function traceTotals(spans: Iterable<CountedSpan>): Map<number, TraceTotals> {
  const totals = new Map<number, Mutable<TraceTotals>>();
  for (const span of spans) {
    let total = totals.get(span.traceId);
    if (total === undefined) {
      total = { ...noTotals, startUs: span.startUs, endUs: span.endUs };
      totals.set(span.traceId, total);
    }
    for (const name of traceCountNames) total[name] += traceCounts[name].ofSpan(span);
    if (span.cost !== null && !span.repeatsChild) total.cost += BigInt(span.cost);
    if (span.startUs < total.startUs) total.startUs = span.startUs;
    if (span.endUs > total.endUs) total.endUs = span.endUs;
  }
  return totals;
}

/** The same without a call that was counted before it was known to repeat a child. */
export function withoutCall(totals: TraceTotals, { prompt, completion, cost }: CountedCall): TraceTotals {
  const tokens = { prompt: totals.prompt - prompt, completion: totals.completion - completion };
  return { ...totals, ...tokens, cost: totals.cost - cost };
}

/** Of a trace without spans. */
export const noTotals = { ...countsBy(() => 0), cost: 0n } as const;

/** The totals of a trace after spans were added. Bounds only ever widen. */
export function addTotals(before: TraceTotals, added: TraceTotals): TraceTotals {
  return {
    ...countsBy((name) => before[name] + added[name]),
    cost: before.cost + added.cost,
    startUs: Math.min(before.startUs, added.startUs),
    endUs: Math.max(before.endUs, added.endUs),
  };
}

/** The totals of a trace after spans were taken away: its bounds stay. */
export function subtractTotals(before: TraceTotals, removed: TraceTotals): TraceTotals {
  const { startUs, endUs } = before;
  return { ...countsBy((name) => before[name] - removed[name]), cost: before.cost - removed.cost, startUs, endUs };
}

/** Every count, as the function tells it. */
export function countsBy(countOf: (name: TraceCount) => number): Record<TraceCount, number> {
  return Object.fromEntries(traceCountNames.map((name) => [name, countOf(name)])) as Record<TraceCount, number>;
}
