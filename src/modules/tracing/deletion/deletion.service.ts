// Deletes traces by what names them: one trace, a period of a project, a session, a whole project. Everything goes through the
// slices; every call can be repeated after an interruption and then finishes.

import type { OwnedTable } from "../../../storage/owned-tables.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { createTraceSumsStore } from "../../../storage/trace-sums.ts";
import type { RollupsService } from "../../../summaries/rollups/rollups.service.ts";
import { emptyPeriod, sessionKeepsFilling } from "./delete.errors.ts";
import { createDeleteStore } from "./delete.store.ts";
import { createDeleteListsStore, type ListedTrace, type Period, type TraceSelection } from "./delete-lists.store.ts";
import { createDeleteSpansStore } from "./delete-spans.store.ts";
import { createSliceDeletion, type DeletionOptions, type DeletionPace } from "./slices.service.ts";
import { createSpanDeletion, type SpanToDelete } from "./span-deletion.service.ts";
import type { TransferService } from "./transfer.service.ts";

/** Traces or sessions of one look-up. */
const LISTED = 500;
/** Traces may be linked to a session while it is emptied; after so many rounds another client fills it. */
const EMPTYING_ROUNDS = 10;
/** Rows that one statement of the sweep passes over. */
const SWEPT_IDS = 50_000;

export interface DeletionService {
  deleteTrace(context: CallContext, trace: ListedTrace): Promise<void>;
  /** Traces of one project, with the sessions of the project that lose their last trace by it. */
  deleteTraces(
    context: CallContext,
    projectId: number,
    traces: readonly ListedTrace[],
    pace?: DeletionPace,
  ): Promise<void>;
  /** Its trace goes with its last span. Throws kind `not_found`. */
  deleteSpan(context: CallContext, span: SpanToDelete): Promise<void>;
  /** The traces of the project that start in the period, and the sessions of the project that lose their last trace by it. */
  deletePeriod(context: CallContext, projectId: number, period: Period): Promise<void>;
  /** The session and all its traces, in any project. Resolves for a session that is gone, too. */
  deleteSession(context: CallContext, sessionId: number): Promise<void>;
  /** Traces and sessions of a project that is marked as being deleted; traces of its sessions go along wherever they are. */
  deleteProjectContents(context: CallContext, projectId: number): Promise<void>;
  /** Removes rows that a server left between creating them for an ingestion and its transaction, and returns how
   *  many. Safe at any time: ingestion that finds its row gone begins again. */
  sweepEmptyTraces(context: CallContext): Promise<number>;
}

/** Throws kind `invalid` for a period that holds no instant. */
export function requirePeriod({ startUs, endUs }: Period): void {
  if (startUs >= endUs) throw emptyPeriod();
}

interface DeletionDependencies {
  readonly storage: Storage;
  readonly ownedTables: readonly OwnedTable[];
  readonly rollups: RollupsService;
  readonly transfer: TransferService;
}

export function createDeletionService({
  storage,
  ownedTables,
  rollups,
  transfer,
}: DeletionDependencies): DeletionService {
  const lists = createDeleteListsStore();
  const store = createDeleteStore({ dialect: storage.dialect, ownedTables });
  const spans = createDeleteSpansStore(storage.dialect);
  const sums = createTraceSumsStore(storage);
  const slices = createSliceDeletion({ storage, store, spans, sums });
  const deleteSpan = createSpanDeletion({ storage, store, spans, sums, slices, rollups });

  /** What was there at the beginning. Ends, because what is listed again is still wanted under its lock, and then goes. */
  async function deleteSelected(
    context: CallContext,
    selection: TraceSelection,
    options: DeletionOptions,
  ): Promise<void> {
    const newest = await lists.newestTraceId(context);
    for (;;) {
      const traces = await lists.listTraces(context, selection, { upTo: newest, limit: LISTED });
      if (traces.length === 0) return;
      await slices.deleteTraces(context, traces, options);
    }
  }

  async function deleteSession(context: CallContext, sessionId: number): Promise<void> {
    for (let round = 0; round < EMPTYING_ROUNDS; round++) {
      await deleteSelected(context, { sessionId }, { isWanted: (trace) => trace.sessionId === sessionId });
      await store.removeEmptySessions(context, [sessionId], null);
      if (!(await lists.sessionExists(context, sessionId))) return;
    }
    throw sessionKeepsFilling(sessionId);
  }

  return {
    deleteSpan,
    deleteSession,
    deleteTrace: (context, trace) => slices.deleteTraces(context, [trace], { isWanted: () => true }),

    deleteTraces: (context, projectId, traces, pace) =>
      slices.deleteTraces(context, traces, {
        isWanted: (trace) => trace.projectId === projectId,
        emptySessionsOf: projectId,
        ...(pace === undefined ? {} : { pace }),
      }),

    async deletePeriod(context, projectId, period) {
      const { startUs, endUs } = period;
      const isWanted: DeletionOptions["isWanted"] = (trace) =>
        trace.projectId === projectId && trace.totals.startUs >= startUs && trace.totals.startUs < endUs;
      await deleteSelected(context, { projectId, period }, { isWanted, emptySessionsOf: projectId });
    },

    async deleteProjectContents(context, projectId) {
      await deleteSelected(context, { projectId }, { isWanted: (trace) => trace.projectId === projectId });
      for (let after = 0; ; ) {
        const sessions = await lists.listSessions(context, projectId, after, LISTED);
        if (sessions.length === 0) break;
        await storage.transaction(context, async (inner) => {
          await storage.lockSessions(inner, sessions);
          await store.removeEmptySessions(inner, sessions, projectId);
        });
        for (const id of await lists.listSessions(context, projectId, after, LISTED)) {
          if (sessions.includes(id)) await deleteSession(context, id);
        }
        after = sessions.at(-1)!;
      }
      // Last, when next to nothing of the project is left to look through.
      await transfer.finishTransfersFrom(context, projectId);
    },

    async sweepEmptyTraces(context) {
      const newest = await lists.newestTraceId(context);
      let swept = 0;
      for (let after = 0; after < newest; after += SWEPT_IDS) {
        const empty = await lists.listWithoutSpans(context, after, after + SWEPT_IDS);
        await slices.deleteTraces(context, empty, { isWanted: (trace) => trace.totals.spanCount === 0 });
        swept += empty.length;
      }
      return swept;
    },
  };
}
