// Step 10 of the ingest transaction: what sessions gain and lose when their traces change. Sessions are written last,
// and only by difference.
import type { TraceTotals } from "./rollup-totals.ts";

/** A trace at one moment: where it is linked and what it holds. */
export interface TraceState {
  readonly sessionId: number | null;
  readonly totals: TraceTotals;
}

/** One trace before and after a transaction; null where it does not exist. */
export interface TraceChange {
  readonly before: TraceState | null;
  readonly after: TraceState | null;
}

/** To be added to the row of a session. */
export interface SessionDifference {
  readonly sessionId: number;
  readonly traceCount: number;
  readonly errorTraceCount: number;
  readonly spanCount: number;
  readonly llmCount: number;
  readonly toolCount: number;
  readonly prompt: number;
  readonly completion: number;
  /** 10^-12 USD. */
  readonly cost: bigint;
  /** Microseconds UTC to widen the session's bounds to; they are inside them already when nothing widens. */
  readonly startUs: number;
  readonly endUs: number;
}

type Gathered = { -readonly [Name in keyof SessionDifference]: SessionDifference[Name] };

/** The differences by session, in the order of their ids (the order of locks); sessions that stay as they are, are left out.
 *  A trace linked only now brings all it holds, a trace that is gone takes it away. A trace counts from its first span.
 *  `changes` names each trace once. */
export function sessionDifferences(changes: Iterable<TraceChange>): SessionDifference[] {
  const gathered = new Map<number, Gathered>();
  for (const { before, after } of changes) {
    if (before !== null && after !== null && isSame(before, after)) continue;
    if (before !== null) count(gathered, before, -1);
    if (after !== null) count(gathered, after, 1);
  }
  return [...gathered.values()].sort((left, right) => left.sessionId - right.sessionId);
}

function isSame(before: TraceState, after: TraceState): boolean {
  const names = Object.keys(before.totals) as (keyof TraceTotals)[];
  return before.sessionId === after.sessionId && names.every((name) => before.totals[name] === after.totals[name]);
}

function count(gathered: Map<number, Gathered>, { sessionId, totals }: TraceState, sign: 1 | -1): void {
  if (sessionId === null || totals.spanCount === 0) return;
  let session = gathered.get(sessionId);
  if (session === undefined) {
    session = { sessionId, traceCount: 0, errorTraceCount: 0, ...NO_DIFFERENCE };
    gathered.set(sessionId, session);
  }
  session.traceCount += sign;
  if (totals.errorCount > 0) session.errorTraceCount += sign;
  session.spanCount += sign * totals.spanCount;
  session.llmCount += sign * totals.llmCount;
  session.toolCount += sign * totals.toolCount;
  session.prompt += sign * totals.prompt;
  session.completion += sign * totals.completion;
  session.cost += BigInt(sign) * totals.cost;
  session.startUs = Math.min(session.startUs, totals.startUs);
  session.endUs = Math.max(session.endUs, totals.endUs);
}

const NO_DIFFERENCE = {
  spanCount: 0,
  llmCount: 0,
  toolCount: 0,
  prompt: 0,
  completion: 0,
  cost: 0n,
  startUs: Infinity,
  endUs: -Infinity,
} as const;
