// The use cases of traces: pages of their list, finding, moving and deleting them. How rows are moved and deleted is in
// transfer/ and delete/.

import { parseTraceFilter, requestedFilter } from "../../filter/filter.ts";
import { findRowId, globalId } from "../../kernel/ids.ts";
import { type Order, readKeyset, type SortedPage, sortedPage } from "../../kernel/keyset.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { Project } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import { type DeletionService, requirePeriod } from "./delete/deletion.service.ts";
import { sessionKeyOf } from "./ingest/span-columns.rules.ts";
import { highestLatency, lowestLatency } from "./latency.rules.ts";
import type { RollupsService } from "./rollups/rollups.service.ts";
import {
  noTracesNamed,
  traceNotFound,
  tracesNotFound,
  tracesOfSeveralProjects,
  unknownTraces,
} from "./traces.errors.ts";
import { TRACE, type Trace, type TraceWithSpans } from "./traces.schema.ts";
import type { TraceSort, TracesStore } from "./traces.store.ts";
import type { TransferService } from "./transfer/transfer.service.ts";

/** As sent. Absent members narrow nothing. */
export interface TraceFilterInput {
  readonly startUs?: number | undefined;
  readonly endUs?: number | undefined;
  /** Global ids or external ids, alternatives. */
  readonly sessionIdentifiers?: readonly string[] | undefined;
  readonly error?: boolean | undefined;
  readonly minLatencyMs?: number | undefined;
  readonly maxLatencyMs?: number | undefined;
  /** A condition of the trace language; empty is no condition. */
  readonly condition?: string | undefined;
}

export interface TracePageRequest {
  readonly sort: TraceSort;
  readonly order: Order;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly includeSpans: boolean;
}

export interface TracesDependencies {
  readonly store: TracesStore;
  readonly projects: ProjectsService;
  readonly deletion: DeletionService;
  readonly transfer: TransferService;
  readonly rollups: RollupsService;
}

export interface Transferred {
  /** Distinct traces. */
  readonly count: number;
  readonly destination: Project;
}

export interface TracesService {
  /** Throws kind `not_found` for the project, then `malformed` for the condition, then `invalid` for the cursor. */
  listTraces(
    context: CallContext,
    projectIdentifier: string,
    filter: TraceFilterInput,
    page: TracePageRequest,
  ): Promise<SortedPage<TraceWithSpans>>;
  findTraceByKey(context: CallContext, traceKey: string): Promise<Trace | null>;
  /** By global id or external id. Throws kind `not_found`. */
  deleteTrace(context: CallContext, identifier: string): Promise<void>;
  /** By row id. Throws kind `invalid` for none at all, for one that does not exist, and for traces of several projects; then
   *  nothing is deleted. Sessions of the project that lose their last trace go along. */
  deleteTraces(context: CallContext, ids: readonly number[]): Promise<void>;
  /** All traces of a project, or those that started before an instant, with the sessions that lose their last trace by it. A
   *  project that does not exist is cleared already. */
  clearProject(context: CallContext, projectId: number, endUs: number | null): Promise<void>;
  /** Traces by global id or external id. Throws kind `not_found` for the project, then for any trace, then `invalid` when the
   *  traces are in several projects; nothing is moved then. Sessions stay where they are. */
  transferTraces(context: CallContext, identifiers: readonly string[], destination: string): Promise<Transferred>;
  /** The traces of a project that start in the period, in microseconds UTC. Throws kind `invalid` for an empty period, then
   *  `not_found` for the project. */
  deletePeriod(context: CallContext, projectIdentifier: string, startUs: number, endUs: number): Promise<void>;
}

/** Above every latency that is stored: what lies beyond is no number of a database. */
const LONGEST_LATENCY_US = Number.MAX_SAFE_INTEGER;
/** A page of traces with their spans ends before its limit when it would hold more spans than this; one trace it holds always. */
export const MOST_PAGE_SPANS = 50_000;
/** More spans than these keep a reader busy for a tenth of a second. */
const MOST_SHORT_SPANS = 10_000;
/** Type word of the global ids of sessions. */
const SESSION = "ProjectSession";

export function createTracesService(dependencies: TracesDependencies): TracesService {
  const { store, projects, deletion, transfer, rollups } = dependencies;

  /** A global id is taken as it is, any other text is looked up among the sessions of the project. */
  async function sessionIds(
    context: CallContext,
    projectId: number,
    identifiers: readonly string[] | undefined,
  ): Promise<readonly number[] | null> {
    if (identifiers === undefined || identifiers.length === 0) return null;
    const ids = identifiers.map((identifier) => findRowId(SESSION, identifier));
    const keys = identifiers.flatMap((identifier, position) => {
      const key = ids[position] === null ? sessionKeyOf(identifier) : null;
      return key === null ? [] : [key];
    });
    return [...ids.filter((id) => id !== null), ...(await store.findSessions(context, projectId, keys))];
  }

  /** Every trace that is named, once. */
  async function getTraces(context: CallContext, identifiers: readonly string[]): Promise<Trace[]> {
    const ids = identifiers.map((identifier) => findRowId(TRACE, identifier));
    const traceKeys = identifiers.filter((_identifier, position) => ids[position] === null);
    const byKey = traceKeys.length === 0 ? [] : await store.find(context, { traceKeys });
    const named = ids.filter((id) => id !== null);
    const byId = named.length === 0 ? [] : await store.find(context, { ids: named });
    const found = new Map([...byKey, ...byId].map((trace) => [trace.id, trace]));
    const keys = new Set(byKey.map((trace) => trace.traceKey));
    const missing = identifiers.filter((identifier, position) => {
      const id = ids[position] ?? null;
      return id === null ? !keys.has(identifier) : !found.has(id);
    });
    if (missing.length > 0) throw tracesNotFound(missing);
    return [...found.values()];
  }

  return {
    async listTraces(context, projectIdentifier, input, { sort, order, limit, cursor, includeSpans }) {
      const { id: projectId } = await projects.getProject(context, projectIdentifier);
      const condition = requestedFilter(input.condition, parseTraceFilter);
      const form = { type: TRACE, sort };
      const from = readKeyset(form, cursor);
      const sessions = await sessionIds(context, projectId, input.sessionIdentifiers);
      const minLatencyUs = input.minLatencyMs === undefined ? null : lowestLatency(input.minLatencyMs);
      const maxLatencyUs = input.maxLatencyMs === undefined ? null : highestLatency(input.maxLatencyMs);
      const lastsTooLong = minLatencyUs !== null && minLatencyUs > LONGEST_LATENCY_US;
      if (sessions?.length === 0 || lastsTooLong) return { items: [], nextCursor: null };
      const filter = {
        startUs: input.startUs ?? null,
        endUs: input.endUs ?? null,
        sessionIds: sessions,
        error: input.error ?? null,
        minLatencyUs,
        maxLatencyUs: maxLatencyUs !== null && maxLatencyUs > LONGEST_LATENCY_US ? null : maxLatencyUs,
        condition: await rollups.settledFilter(context, { projectIds: [projectId] }, condition),
      };
      const rows = await store.list(context, { projectId, filter, sort, order, from, limit: limit + 1 });
      const fitting = includeSpans ? countFitting(rows.slice(0, limit)) : limit;
      const { items, nextCursor } = sortedPage(rows, fitting, form, (row) => ({
        value: sort === "start_time" ? row.startUs : row.latencyUs,
        rowId: row.id,
      }));
      const ids = items.map((trace) => trace.id);
      const readClass = spansOf(rows.slice(0, fitting)) > MOST_SHORT_SPANS ? "slow" : "short";
      const spans = includeSpans ? await store.listSpans(context, ids, readClass) : null;
      return { items: items.map((trace) => ({ trace, spans: spans?.get(trace.id) ?? null })), nextCursor };
    },

    async findTraceByKey(context, traceKey) {
      const [trace] = await store.find(context, { traceKeys: [traceKey] });
      return trace ?? null;
    },

    async deleteTrace(context, identifier) {
      const id = findRowId(TRACE, identifier);
      const [trace] = await store.find(context, id === null ? { traceKeys: [identifier] } : { ids: [id] });
      if (trace === undefined) throw traceNotFound(identifier);
      await deletion.deleteTrace(context, trace);
    },

    async deleteTraces(context, ids) {
      if (ids.length === 0) throw noTracesNamed();
      const found = await store.find(context, { ids });
      const known = new Set(found.map((trace) => trace.id));
      const missing = ids.filter((id) => !known.has(id));
      if (missing.length > 0) throw unknownTraces(missing.map((id) => globalId(TRACE, id)));
      const [first] = found;
      if (found.some((trace) => trace.projectId !== first!.projectId)) throw tracesOfSeveralProjects();
      await deletion.deleteTraces(context, first!.projectId, found);
    },

    async clearProject(context, projectId, endUs) {
      await deletion.deletePeriod(context, projectId, { startUs: 0, endUs: endUs ?? Number.MAX_SAFE_INTEGER });
    },

    async transferTraces(context, identifiers, destinationIdentifier) {
      const destination = await projects.getProject(context, destinationIdentifier);
      const moving = await getTraces(context, identifiers);
      if (new Set(moving.map((trace) => trace.projectId)).size > 1) throw tracesOfSeveralProjects();
      const ids = moving.map((trace) => trace.id);
      await transfer.transferTraces(context, ids, destination.id);
      return { count: ids.length, destination };
    },

    async deletePeriod(context, projectIdentifier, startUs, endUs) {
      requirePeriod({ startUs, endUs });
      const { id } = await projects.getProject(context, projectIdentifier);
      await deletion.deletePeriod(context, id, { startUs, endUs });
    },
  };
}

function spansOf(traces: readonly { readonly spanCount: number }[]): number {
  return traces.reduce((sum, { spanCount }) => sum + spanCount, 0);
}

/** How many of the traces, in their order, hold at most MOST_PAGE_SPANS together; at least one. */
function countFitting(traces: readonly { readonly spanCount: number }[]): number {
  let spans = 0;
  const tooMany = traces.findIndex(({ spanCount }, position) => {
    spans += spanCount;
    return position > 0 && spans > MOST_PAGE_SPANS;
  });
  return tooMany < 0 ? traces.length : tooMany;
}
