// Lists of a project's traces and the figures over them, narrowed by a condition of the trace language.
import { type Filter, parseTraceFilter, requestedFilter } from "../../../../filter/filter.ts";
import { sessionKeyOf } from "../../../../ingest/span-columns.ts";
import { identifiedAll } from "../../../../kernel/ids.ts";
import {
  beginningOf,
  countFitting,
  emptyPage,
  type Order,
  type Page,
  type PlacedPage,
  readRestCursor,
  restCursors,
  type SortedRequest,
  startAt,
} from "../../../../kernel/list.ts";
import { intersectionOf, type Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../../../storage/time-bins.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import type { ProjectsService } from "../../projects/projects.service.ts";
import type { TraceRecord, TraceWithSpans } from "../traces.schema.ts";
import type { TracesStore } from "../traces.store.ts";
import type { TraceFacetLimits, TraceFacets, TraceFacetsStore, TraceFacetValue } from "./trace-facets.store.ts";
import { type TraceSort, traceList } from "./trace-list.rules.ts";
import type { FiguresOfTraces, TraceListStore, TraceNarrowing, TraceScope } from "./trace-list.store.ts";

export type { FiguresOfTraces, TraceFacets, TraceFacetValue, TraceNarrowing };

/** What REST asks for besides members of the row. */
interface RestTraceList {
  readonly sort: TraceSort;
  readonly order: Order;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly includeSpans: boolean;
  /** Global ids or external ids, alternatives. None narrow nothing. */
  readonly sessionIdentifiers: readonly string[];
  /** A condition of the trace language; empty is no condition. */
  readonly condition: string | undefined;
}

/** Traces of a project that start in the range and match the condition; an empty one narrows nothing. */
export interface TraceListScope {
  readonly projectId: number;
  readonly range: Range;
  readonly condition: string;
  /** Row ids, those that a search found; absent narrows nothing. */
  readonly traceIds?: readonly number[];
}

export interface TraceListService {
  /** One page, with the spans of each trace where they are asked for: it may then end before its limit. Throws kind `not_found`
   *  for the project, then `malformed` for the condition, then `invalid` for the cursor. */
  listTraces(
    context: CallContext,
    projectIdentifier: string,
    narrowing: TraceNarrowing,
    list: RestTraceList,
  ): Promise<Page<TraceWithSpans>>;
  /** One page of the same list. Throws `filter.invalid`. */
  listOfProject(
    context: CallContext,
    scope: TraceListScope,
    request: SortedRequest<TraceSort>,
  ): Promise<PlacedPage<TraceRecord>>;
  /** Microseconds. Throws `filter.invalid`. */
  getFigures(context: CallContext, scope: TraceListScope): Promise<FiguresOfTraces>;
  /** Values of the newest of them. Throws `filter.invalid`. */
  getFacets(context: CallContext, scope: TraceListScope): Promise<TraceFacets>;
  /** Those that start in the period, in every bin of it. Throws `filter.invalid`, kind `invalid` for too many bins. */
  countSeries(
    context: CallContext,
    scope: TraceListScope,
    period: { readonly startUs: number; readonly endUs: number },
    bins: TimeBins,
  ): Promise<CountedBin[]>;
}

export interface TraceListDependencies {
  readonly list: TraceListStore;
  readonly facets: TraceFacetsStore;
  readonly facetLimits?: TraceFacetLimits;
  readonly traces: TracesStore;
  readonly projects: ProjectsService;
  readonly rollups: RollupsService;
}

/** What begins in a bin of time, and how much of it failed. */
export interface CountedBin {
  readonly beginUs: number;
  readonly count: number;
  readonly errors: number;
}

/** Above every latency that is stored: what lies beyond is no number of a database. */
const LONGEST_LATENCY_US = Number.MAX_SAFE_INTEGER;
/** A page of traces with their spans ends before its limit when it would hold more spans than this; one trace it holds always. */
export const MOST_PAGE_SPANS = 10_000;
/** More spans than these keep a reader busy for a tenth of a second. */
const MOST_SHORT_SPANS = 10_000;
/** Type word of the global ids of sessions. */
const SESSION = "ProjectSession";
/** Facets are ready within half a second where a million spans are stored. */
const FACET_LIMITS: TraceFacetLimits = { traces: 10_000, spans: 200_000 };
const everything: TraceNarrowing = { startUs: null, endUs: null, error: null, minLatencyUs: null, maxLatencyUs: null };

export function createTraceListService(dependencies: TraceListDependencies): TraceListService {
  const { list, facets, facetLimits = FACET_LIMITS, traces, projects, rollups } = dependencies;

  /** A global id is taken as it is, any other text is looked up among the sessions of the project. */
  async function sessionIds(
    context: CallContext,
    projectId: number,
    identifiers: readonly string[],
  ): Promise<readonly number[] | null> {
    if (identifiers.length === 0) return null;
    const { ids, keys } = identifiedAll(SESSION, identifiers);
    const sessionKeys = keys.map(sessionKeyOf).filter((key) => key !== null);
    return [...ids, ...(await traces.findSessions(context, projectId, sessionKeys))];
  }

  const settled = (context: CallContext, projectId: number, filter: Filter | null) =>
    rollups.settledFilter(context, { projectIds: [projectId] }, filter);

  async function scopeOf(context: CallContext, given: TraceListScope): Promise<TraceScope> {
    const { projectId, range, condition, traceIds = null } = given;
    const filter = await settled(context, projectId, parseTraceFilter(condition));
    return { ...everything, ...range, projectId, sessionIds: null, traceIds, filter };
  }

  return {
    async listTraces(context, projectIdentifier, narrowing, { sort, order, limit, cursor, includeSpans, ...given }) {
      const { id: projectId } = await projects.getProject(context, projectIdentifier);
      const condition = requestedFilter(given.condition, parseTraceFilter);
      const start = startAt(readRestCursor(restCursors(traceList, sort), cursor));
      const sessions = await sessionIds(context, projectId, given.sessionIdentifiers);
      const { minLatencyUs, maxLatencyUs } = narrowing;
      const lastsTooLong = minLatencyUs !== null && minLatencyUs > LONGEST_LATENCY_US;
      if (sessions?.length === 0 || lastsTooLong) return emptyPage;
      const scope = {
        ...narrowing,
        projectId,
        sessionIds: sessions,
        traceIds: null,
        maxLatencyUs: maxLatencyUs !== null && maxLatencyUs > LONGEST_LATENCY_US ? null : maxLatencyUs,
        filter: await settled(context, projectId, condition),
      };
      const page = await list.list(context, scope, { sort, order, start, limit });
      if (!includeSpans) return { ...page, items: page.items.map((trace) => ({ trace, spans: null })) };
      const { items, next } = beginningOf(
        page,
        countFitting(page.items, MOST_PAGE_SPANS, (trace) => trace.spanCount),
      );
      const ids = items.map((trace) => trace.id);
      const spans = await traces.listSpans(context, ids, spansOf(items) > MOST_SHORT_SPANS ? "slow" : "short");
      return { items: items.map((trace) => ({ trace, spans: spans.get(trace.id) ?? null })), next };
    },

    listOfProject: async (context, scope, request) => list.list(context, await scopeOf(context, scope), request),

    getFigures: async (context, scope) => list.figures(context, await scopeOf(context, scope)),

    getFacets: async (context, scope) => facets.count(context, await scopeOf(context, scope), facetLimits),

    async countSeries(context, scope, { startUs, endUs }, bins) {
      const numbers = binsBetween(startUs, endUs, bins);
      const within = intersectionOf(scope.range, { startUs, endUs });
      const rows = await list.countByBin(context, { ...(await scopeOf(context, scope)), ...within }, bins);
      const found = new Map(rows.map((row) => [row.bin, row]));
      return numbers.map((bin) => {
        const { count, errors } = found.get(bin) ?? { count: 0, errors: 0 };
        return { beginUs: beginOfBin(bin, bins), count, errors };
      });
    },
  };
}

function spansOf(traces: readonly { readonly spanCount: number }[]): number {
  return traces.reduce((sum, { spanCount }) => sum + spanCount, 0);
}
