// What the ingest transaction asks of a database: set-wise steps in a fixed order (docs/protocol/storage.md#the-ingest-transaction).
// Two drivers implement it beside their bulk inserts; ingest/ decides what to write.
import { Failure, fail, messageOf } from "../kernel/failure.ts";
import type { SumVector } from "../model/summaries/rollups/rollup.ts";
import type { AncestorRow } from "../model/summaries/rollups/rollup-climb.ts";
import type { CallCounts, CountedCall } from "../model/summaries/rollups/rollup-repeats.ts";
import { noTotals, type TraceTotals } from "../model/summaries/rollups/rollup-totals.ts";
import type { SessionDifference } from "../model/summaries/rollups/session-rollup.ts";
import type { OwnModels } from "./own-models.ts";
import type { NewSpan } from "./span-columns.ts";
import { type TotalsRow, totalsOfRow } from "./trace-sums.ts";

/** Rows that must exist before the transaction: created when missing, in key order. */
export interface IngestNeeds {
  readonly traces: readonly TraceNeed[];
}

export interface TraceNeed {
  readonly traceKey: string;
  /** Where the trace goes if it does not exist; a project is created for nothing else. */
  readonly projectName: string;
  readonly startUs: number;
  readonly endUs: number;
  /** The first session id among the spans for this trace; used only while the trace has no session. */
  readonly sessionKey: string | null;
}

/** A trace row, locked until the transaction ends; totals are those before this batch. */
export interface StoredTrace {
  readonly id: number;
  readonly projectId: number;
  readonly sessionId: number | null;
  readonly totals: TraceTotals;
  /** Its span sums must be recomputed: nothing climbs in it until then. */
  readonly rollupPending: boolean;
}

export interface SpanReference {
  readonly traceId: number;
  readonly spanKey: string;
}

/** A span whose children are looked for, with what it reports as the call of a model. */
export interface CallReference extends SpanReference {
  readonly call: CallCounts | null;
}

export interface ChildSums {
  readonly traceId: number;
  /** The span below which these children are. */
  readonly spanKey: string;
  readonly sums: SumVector;
  /** One of them is the call of a model with the counts of the span. */
  readonly hasSameCall: boolean;
}

/** A stored call of a model that reports what a new child reports. */
export interface OuterCall extends CountedCall, SpanReference {
  readonly id: number;
}

/** What a batch adds to a trace, the bounds it has then, and the session it belongs to then. */
export interface TraceUpdate {
  readonly traceId: number;
  readonly sessionId: number | null;
  readonly startUs: number;
  readonly endUs: number;
  readonly added: TraceTotals;
}

/** Reads see what was written before them. Writes may resolve before the database has answered: the transaction, and every later
 *  read of it, fails with the first of them that failed. */
export interface IngestTransaction {
  /** The traces of the needs by key, locked. */
  readonly traces: ReadonlyMap<string, StoredTrace>;
  /** Row ids by session key, for every session key of a trace that has no session yet. */
  readonly sessions: ReadonlyMap<string, number>;
  /** Number of the last change of people's own models. */
  readonly ownModelsChange: number;
  /** Those models, at least as new as that change. */
  listOwnModels(): Promise<OwnModels>;
  /** Which of these spans are stored already, as `spanReferenceKey`. */
  findStoredSpans(spans: readonly SpanReference[]): Promise<ReadonlySet<string>>;
  /** What the stored children of these spans bring: their sums, without links that lie on a cycle. */
  sumStoredChildren(spans: readonly CallReference[]): Promise<ChildSums[]>;
  /** Those of the spans that are stored calls of a model with just these counts, and are not known to repeat a child. */
  findOuterCalls(spans: readonly CallReference[]): Promise<OuterCall[]>;
  /** Inserts spans, payloads, large values and costs. */
  insertSpans(spans: readonly NewSpan[]): Promise<void>;
  /** Every stored ancestor of the starts, the starts included, each once; at most `limit` + 1 rows of one trace. */
  findAncestors(starts: readonly SpanReference[], limit: number): Promise<AncestorRow[]>;
  addToSpanSums(updates: readonly { readonly id: number; readonly delta: SumVector }[]): Promise<void>;
  /** The spans repeat a child from now on; their blocks are to be counted again. */
  markRepeating(ids: readonly number[]): Promise<void>;
  /** Marks traces whose span sums must be recomputed before they are next read. */
  markRollupsPending(traceIds: readonly number[]): Promise<void>;
  updateTraces(changes: readonly TraceUpdate[]): Promise<void>;
  /** Last of all: locks the sessions in id order and applies the changes. */
  updateSessions(changes: readonly SessionDifference[]): Promise<void>;
}

export interface IngestStore {
  /** Makes what is needed, in its order, for spans that are stored in several batches: those find it then. Nothing depends on it,
   *  and it never fails; absent where one batch holds all. */
  prepare?(needs: IngestNeeds): Promise<void>;
  /** Makes what is needed, locks the traces in key order and runs `work` in one transaction. May run `work` again from the
   *  start (a row went away meanwhile, a deadlock): it must have no other effects. Fails with kind `unavailable` when the
   *  database is away, full, or the project of a span is being deleted, and with `TracesHeld` where others hold rows for long. */
  run<Result>(needs: IngestNeeds, work: (transaction: IngestTransaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** One text for a span of a trace; trace ids are row ids, so no key can imitate another. */
export function spanReferenceKey({ traceId, spanKey }: SpanReference): string {
  return `${traceId} ${spanKey}`;
}

/** Spans that are examined for failures after they were stored; all others did not fail. */
export function mayHaveFailed({ status, silentFailure }: NewSpan["span"]): boolean {
  return status === "ERROR" || silentFailure !== null;
}

/** The session keys a batch may have to create: those of traces without a session. */
export function sessionKeysNeeded(needs: IngestNeeds, traces: ReadonlyMap<string, StoredTrace>): string[] {
  const keys = new Set<string>();
  for (const need of needs.traces) {
    if (need.sessionKey !== null && traces.get(need.traceKey)?.sessionId == null) keys.add(need.sessionKey);
  }
  return [...keys];
}

/** Rows of `spans` are grouped by 65,536 consecutive ids: the indexes led by it stay in the cache while spans arrive. */
export const EPOCH_BITS = 16;

export function epochOf(spanId: number): number {
  return Math.floor(spanId / 2 ** EPOCH_BITS);
}

export function projectBeingDeleted(name: string): Failure {
  return fail("traces.project_deleting", "unavailable", `The project "${name}" is being deleted: send again later`, {
    retryAfterSeconds: 5,
  });
}

/** The failure of a batch for what the database lacks, forbids or has lost. Kind `unavailable`, because it is no span's fault:
 *  senders drop what is rejected, and send what cannot be stored again. */
export function unusableDatabase(cause: unknown): Failure {
  return fail("storage.unusable", "unavailable", `The database cannot store spans: ${messageOf(cause)}`, {
    cause,
    retryAfterSeconds: 30,
  });
}

/** Code of `TracesHeld`, also where it has crossed from another thread. */
export const ROWS_HELD = "ingest.rows_held";

/** Spans of these traces cannot be stored for now: another transaction holds a row that they need, and has not ended in time.
 *  Everything else of the batch can be stored without them. */
export class TracesHeld extends Failure {
  constructor(
    readonly traceKeys: ReadonlySet<string>,
    cause?: unknown,
  ) {
    super(
      ROWS_HELD,
      "unavailable",
      "Another transaction in the database holds a trace, a session or the project of these spans: send them again",
      { cause, retryAfterSeconds: 1 },
    );
  }
}

/** A trace row before its first span. */
export function emptyTrace(id: number, projectId: number, need: TraceNeed): StoredTrace {
  return {
    id,
    projectId,
    sessionId: null,
    totals: { ...noTotals, startUs: need.startUs, endUs: need.endUs },
    rollupPending: false,
  };
}

/** A trace row as both drivers select it. */
export interface TraceRow extends TotalsRow {
  readonly id: number;
  readonly trace_key: string;
  readonly project_id: number;
  readonly project_name: string;
  readonly deleting: number;
  readonly session_id: number | null;
  readonly rollup_pending: number | boolean;
}

/** Fails with kind `unavailable` while the project of the trace is being deleted. */
export function storedTrace(row: TraceRow): StoredTrace {
  if (row.deleting !== 0) throw projectBeingDeleted(row.project_name);
  return {
    id: row.id,
    projectId: row.project_id,
    sessionId: row.session_id,
    totals: totalsOfRow(row),
    rollupPending: Boolean(row.rollup_pending),
  };
}
