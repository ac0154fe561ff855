// A store in memory that ingests batches and deletes spans in the step order of docs/protocol/storage.md, with the pure
// functions of modules/tracing/traces in the places where the real transaction has them.

import type { SpanKind, SpanStatus } from "../../src/model/span.ts";
import type { Climbing, SumVector } from "../../src/model/summaries/rollups/rollup.ts";
import { type AncestorRow, climb } from "../../src/model/summaries/rollups/rollup-climb.ts";
import { fold } from "../../src/model/summaries/rollups/rollup-fold.ts";
import { recompute } from "../../src/model/summaries/rollups/rollup-recompute.ts";
import {
  callCountsOf,
  countedOnce,
  isSameCall,
  repeatsInside,
} from "../../src/model/summaries/rollups/rollup-repeats.ts";
import {
  addTotals,
  subtractTotals,
  type TraceTotals,
  traceTotals,
  withoutCall,
} from "../../src/model/summaries/rollups/rollup-totals.ts";
import {
  sessionDifferences,
  type TraceChange,
  type TraceState,
} from "../../src/model/summaries/rollups/session-rollup.ts";

export interface SimulatedSpan {
  readonly traceId: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly sessionId: number | null;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cost: number | null;
  readonly startUs: number;
  readonly endUs: number;
}

export interface StoredSpan extends SimulatedSpan {
  readonly id: number;
  sums: SumVector;
  onCycle: boolean;
  repeatsChild: boolean;
}

export interface StoredSession {
  traceCount: number;
  errorTraceCount: number;
  spanCount: number;
  llmCount: number;
  toolCount: number;
  prompt: number;
  completion: number;
  cost: bigint;
  startUs: number;
  endUs: number;
}

export function ownSums(span: SimulatedSpan): SumVector {
  const errors = span.status === "ERROR" ? 1 : 0;
  return { errors, prompt: span.promptTokens ?? 0, completion: span.completionTokens ?? 0 };
}

/** A row as `recompute` takes it. */
export function recomputed(row: StoredSpan) {
  return { ...row, own: ownSums(row), call: callCountsOf(row), cost: BigInt(row.cost ?? 0) };
}

export class RollupSimulator {
  readonly spans = new Map<string, StoredSpan>();
  readonly traces = new Map<number, TraceState>();
  readonly sessions = new Map<number, StoredSession>();
  readonly pending = new Set<number>();
  /** Rows that climbs have changed, for tests that count work. */
  climbedRows = 0;
  private readonly withCycle = new Set<number>();
  private lastId = 0;

  constructor(private readonly maximumAncestors?: number) {}

  ingest(batch: readonly SimulatedSpan[]): void {
    const added = this.withoutRepeats(batch);
    const inherited = new Map<number, SumVector>();
    const repeating = repeatsInside(added.map((span) => ({ ...span, call: callCountsOf(span) })));
    added.forEach((span, position) => {
      const children = this.spansOf(span.traceId).filter((row) => row.parentKey === span.spanKey && !row.onCycle);
      if (children.length > 0) inherited.set(position, children.map((child) => child.sums).reduce(plus));
      if (children.some((child) => isSameCall(callCountsOf(child), callCountsOf(span)))) repeating.add(position);
    });
    const outer = new Set<StoredSpan>();
    for (const span of added) {
      if (span.parentKey === null || span.parentKey === span.spanKey) continue;
      const parent = this.spans.get(rowKey({ traceId: span.traceId, spanKey: span.parentKey }));
      if (parent === undefined || parent.repeatsChild) continue;
      if (isSameCall(callCountsOf(parent), callCountsOf(span))) outer.add(parent);
    }
    const folded = fold(
      added.map((span, position) => ({ ...span, own: countedOnce(ownSums(span), repeating.has(position)) })),
      inherited,
    );
    added.forEach((span, position) => {
      const onCycle = folded.selfParents.includes(position);
      if (onCycle) this.withCycle.add(span.traceId);
      const repeatsChild = repeating.has(position);
      this.spans.set(rowKey(span), { ...span, id: ++this.lastId, sums: folded.sums[position]!, onCycle, repeatsChild });
    });
    const corrections: Climbing[] = [];
    for (const row of outer) {
      row.repeatsChild = true;
      const delta = { errors: 0, prompt: 0 - (row.promptTokens ?? 0), completion: 0 - (row.completionTokens ?? 0) };
      corrections.push({ traceId: row.traceId, parentKey: row.spanKey, delta });
    }
    const cyclic = new Set(folded.cyclic);
    const changes = traceTotals(added.map((span, position) => ({ ...span, repeatsChild: repeating.has(position) })));
    for (const row of outer) {
      const call = { ...callCountsOf(row)!, cost: BigInt(row.cost ?? 0) };
      changes.set(row.traceId, withoutCall(changes.get(row.traceId)!, call));
    }
    const firstSessions = new Map<number, number>();
    for (const { traceId, sessionId } of added) {
      if (sessionId !== null && !firstSessions.has(traceId)) firstSessions.set(traceId, sessionId);
    }
    this.writeTraces(changes, (traceId, before, total) => ({
      sessionId: before?.sessionId ?? firstSessions.get(traceId) ?? null,
      totals: before === null ? total : addTotals(before.totals, total),
    }));
    this.climbFrom(
      [...folded.outgoing, ...corrections].filter(({ traceId }) => !cyclic.has(traceId)),
      folded.cyclic,
    );
  }

  delete(span: StoredSpan): void {
    this.spans.delete(rowKey(span));
    this.writeTraces(traceTotals([span]), (_traceId, before, total) => ({
      sessionId: before!.sessionId,
      totals: subtractTotals(before!.totals, total),
    }));
    const parentKey = span.parentKey === null ? null : rowKey({ traceId: span.traceId, spanKey: span.parentKey });
    const parent = parentKey === null ? undefined : this.spans.get(parentKey);
    if (this.withCycle.has(span.traceId) || parent?.repeatsChild === true) this.recomputeTrace(span.traceId);
    else if (span.parentKey !== null) {
      const delta = { errors: -span.sums.errors, prompt: -span.sums.prompt, completion: -span.sums.completion };
      this.climbFrom([{ traceId: span.traceId, parentKey: span.parentKey, delta }], []);
    }
  }

  /** What a read of sums does first in traces whose climb was put off. */
  settle(): void {
    for (const traceId of this.pending) this.recomputeTrace(traceId);
    this.pending.clear();
  }

  spansOf(traceId: number): StoredSpan[] {
    return [...this.spans.values()].filter((span) => span.traceId === traceId);
  }

  private withoutRepeats(batch: readonly SimulatedSpan[]): SimulatedSpan[] {
    const added = new Map<string, SimulatedSpan>();
    for (const span of batch) {
      const key = rowKey(span);
      if (!added.has(key) && !this.spans.has(key)) added.set(key, span);
    }
    return [...added.values()];
  }

  private climbFrom(starts: readonly Climbing[], cyclic: readonly number[]): void {
    const { updates, newCycles, tooDeep } = climb(starts, this.ancestorsOf(starts), this.maximumAncestors);
    const byId = new Map([...this.spans.values()].map((row) => [row.id, row]));
    for (const { id, delta } of updates) {
      const row = byId.get(id)!;
      row.sums = plus(row.sums, delta);
    }
    this.climbedRows += updates.length;
    for (const traceId of tooDeep) this.pending.add(traceId);
    for (const traceId of new Set([...cyclic, ...newCycles])) this.recomputeTrace(traceId);
  }

  /** `with recursive … union`: every ancestor once, cycles end. */
  private ancestorsOf(starts: readonly Climbing[]): AncestorRow[] {
    const found = new Map<string, StoredSpan>();
    for (const start of starts) {
      let key: string | null = rowKey({ traceId: start.traceId, spanKey: start.parentKey });
      while (key !== null && !found.has(key)) {
        const row = this.spans.get(key);
        if (row === undefined) break;
        found.set(key, row);
        key = row.parentKey === null || row.onCycle ? null : rowKey({ traceId: row.traceId, spanKey: row.parentKey });
      }
    }
    return [...found.values()];
  }

  private recomputeTrace(traceId: number): void {
    const rows = this.spansOf(traceId);
    const { sums, onCycle, repeats, counted } = recompute(rows.map(recomputed));
    for (const row of rows) {
      row.sums = sums.get(row.id)!;
      row.onCycle = onCycle.has(row.id);
      row.repeatsChild = repeats.has(row.id);
    }
    const before = this.traces.get(traceId);
    if (before !== undefined)
      this.writeTraces(new Map([[traceId, before.totals]]), (_traceId, _before, totals) => ({
        sessionId: before.sessionId,
        totals: { ...totals, ...counted },
      }));
    if (onCycle.size > 0) this.withCycle.add(traceId);
    else this.withCycle.delete(traceId);
    this.pending.delete(traceId);
  }

  private writeTraces(
    changed: ReadonlyMap<number, TraceTotals>,
    next: (traceId: number, before: TraceState | null, total: TraceTotals) => TraceState,
  ): void {
    const changes: TraceChange[] = [];
    for (const [traceId, total] of changed) {
      const before = this.traces.get(traceId) ?? null;
      const after = next(traceId, before, total);
      this.traces.set(traceId, after);
      changes.push({ before, after });
    }
    for (const difference of sessionDifferences(changes)) {
      const { sessionId, startUs, endUs, ...counts } = difference;
      const session = this.sessions.get(sessionId) ?? newSession();
      for (const name of COUNTS) session[name] += counts[name];
      session.cost += counts.cost;
      session.startUs = Math.min(session.startUs, startUs);
      session.endUs = Math.max(session.endUs, endUs);
      this.sessions.set(sessionId, session);
    }
  }
}

const COUNTS = ["traceCount", "errorTraceCount", "spanCount", "llmCount", "toolCount", "prompt", "completion"] as const;

function newSession(): StoredSession {
  const counts = { traceCount: 0, errorTraceCount: 0, spanCount: 0, llmCount: 0, toolCount: 0 };
  return { ...counts, prompt: 0, completion: 0, cost: 0n, startUs: Infinity, endUs: -Infinity };
}

function rowKey({ traceId, spanKey }: { traceId: number; spanKey: string }): string {
  return `${traceId}/${spanKey}`;
}

function plus(left: SumVector, right: SumVector): SumVector {
  return {
    errors: left.errors + right.errors,
    prompt: left.prompt + right.prompt,
    completion: left.completion + right.completion,
  };
}
