// Step 10 of the ingest transaction: what sessions gain and lose when their traces change. Sessions are written last,
// and only by difference.
import { noTotals, type TraceTotals, traceCounts } from "./rollup-totals.ts";

/** The state of a trace at one time: where it is linked and what it holds. */
export interface TraceState {
  readonly sessionId: number | null;
  readonly totals: TraceTotals;
}

/** One trace before and after a transaction; null where it does not exist. */
export interface TraceChange {
  readonly before: TraceState | null;
  readonly after: TraceState | null;
}

const { errorCount: _ofTraces, ...countsOfSpans } = traceCounts;
/** What sessions count of the spans of their traces. */
export const sharedCounts = countsOfSpans;
const { errorCount: _none, ...noShared } = noTotals;
const sharedNames = Object.keys(sharedCounts) as (keyof typeof sharedCounts)[];

/** Everything that is counted in the row of a session, beside its cost: traces, and what its traces count. */
export const sessionCounts = {
  traceCount: { column: "trace_count" as const },
  errorTraceCount: { column: "error_trace_count" as const },
  ...sharedCounts,
};

/** To be added to the row of a session. */
export interface SessionDifference extends Readonly<Record<keyof typeof sessionCounts, number>> {
  readonly sessionId: number;
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
    session = { sessionId, traceCount: 0, errorTraceCount: 0, ...noShared, startUs: Infinity, endUs: -Infinity };
    gathered.set(sessionId, session);
  }
  session.traceCount += sign;
  if (totals.errorCount > 0) session.errorTraceCount += sign;
  for (const name of sharedNames) session[name] += sign * totals[name];
  session.cost += BigInt(sign) * totals.cost;
  session.startUs = Math.min(session.startUs, totals.startUs);
  session.endUs = Math.max(session.endUs, totals.endUs);
}
