// Pages of a project's spans by any order, narrowed by conditions.
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Filter } from "../../../../filter/filter.ts";
import type { Settled } from "../../../../filter/settled.ts";
import {
  ARRIVAL,
  mapPage,
  type PlacedPage,
  pageOfRows,
  rowsWanted,
  type SortedRequest,
} from "../../../../kernel/list.ts";
import { type AnnotationOrderRequest, listByAnnotation } from "../../../../storage/annotation-order.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { inOrderOf, readPage } from "../../../../storage/list.ts";
import { isUnbounded, type Range } from "../../../../storage/period.ts";
import { type SpanRow, selectedSpan } from "../../../../storage/span-columns.ts";
import { isPositiveOnly, type RankedSpan, type SpanValue } from "../../../../storage/span-orders.ts";
import type { CallContext, Database, ReadClass } from "../../../../storage/storage.ts";
import type { Tables } from "../../../../storage/tables.ts";
import { type CandidatesStore, createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import { isRepresentative, type RootSelection, recordOf } from "../rows/span-columns.store.ts";
import type { SpanRecord } from "../spans.schema.ts";
import { isCostSort, type SpanSort, type SumSort } from "./span-list.rules.ts";
import { hasSortValue, readCandidatePage, spanArrival, spanOrder } from "./span-order.store.ts";
import { rankedAnnotated, rankedMatches, rankedSpans } from "./span-ranking.store.ts";

/** Spans of a project that start in the range, in microseconds. */
export interface SpanPageScope extends Range {
  readonly projectId: number;
  readonly roots: RootSelection;
  /** Of spans, and of their traces; null narrows nothing. */
  readonly filter: Settled<Filter> | null;
  readonly traceFilter: Settled<Filter> | null;
}

export type SpanPageRequest = SortedRequest<Exclude<SpanSort, SumSort> | Settled<SumSort>>;

/** The orders that are stored. */
const rankings: Partial<Record<SpanSort, SpanValue>> = {
  latencyMs: "latency",
  tokenCountTotal: "tokens",
  cumulativeTokenCountTotal: "sumTokens",
};

type SpanQuery<Row> = SelectQueryBuilder<Tables, "spans", Row>;

export type SpanPagesStore = ReturnType<typeof createSpanPagesStore>;

export function createSpanPagesStore(dialect: Dialect, candidates: CandidatesStore = createCandidatesStore(dialect)) {
  const byIds = (ids: readonly number[]) => dialect.inList(sql.ref("spans.id"), ids);

  function query(context: CallContext, scope: SpanPageScope, readClass: ReadClass): SpanQuery<SpanRow> {
    return narrow(dialect, context.database.read(context, readClass).selectFrom("spans").select(selectedSpan), scope);
  }

  /** Those of the spans that the page may have, in their order. */
  async function matching(database: Database, scope: SpanPageScope, ranked: readonly RankedSpan[]) {
    const query = database
      .selectFrom("spans")
      .select("spans.id")
      .where(byIds(ranked.map(({ id }) => id)));
    const ids = new Set((await narrow(dialect, query, scope).execute()).map(({ id }) => id));
    return ranked.filter(({ id }) => ids.has(id));
  }

  /** Null when the spans next to the beginning of the page do not fill it: then all have to be sorted, in one statement. */
  async function listRanked(
    context: CallContext,
    scope: SpanPageScope,
    request: SpanPageRequest,
    value: SpanValue,
    plain: boolean,
  ): Promise<PlacedPage<SpanRecord> | null> {
    // Those without a value are found by looking at every span that has one.
    const isShort = plain && !isPositiveOnly({ value, mayBeRoot: false });
    const database = context.database.read(context, isShort ? "short" : "slow");
    const { projectId, roots } = scope;
    const { order: direction, start } = request;
    const limit = rowsWanted(request.limit);
    const ranking = { value, projectId, mayBeRoot: roots !== "none", direction, start, limit };
    const matches = (group: readonly RankedSpan[]) => matching(database, scope, group);
    const annotated = scope.filter?.annotated ?? null;
    const ranked = plain
      ? await rankedSpans(dialect, database, ranking)
      : annotated === null
        ? await rankedMatches(dialect, database, ranking, matches)
        : await rankedAnnotated(dialect, database, ranking, { rows: annotated(dialect), matching: matches });
    if (ranked === null) return null;
    const ids = byIds(ranked.map(({ id }) => id));
    const spans = await database.selectFrom("spans").select(selectedSpan).where(ids).execute();
    const found = new Map(spans.map((row) => [row.id, recordOf(row)]));
    // One that was deleted meanwhile would make the page look like the last one.
    if (found.size < ranked.length) return null;
    const page = pageOfRows(ranked, request.limit, ({ id, value }) => ({ value, rowId: id }));
    return { ...page, items: page.items.map(({ id }) => found.get(id)!) };
  }

  /** Null when neither annotations nor the filters of blocks help, and the list is not one of arrivals of a period: those are read by their blocks, so
   *  that no more of them are held against conditions than the page takes. */
  async function listCandidates(
    context: CallContext,
    scope: SpanPageScope,
    request: SpanPageRequest,
  ): Promise<PlacedPage<SpanRecord> | null> {
    const { filter, projectId } = scope;
    if (filter === null) return null;
    const sort: SpanSort = request.sort;
    const inOrder = sort === ARRIVAL || sort === "startTime";
    const annotated =
      filter.annotated === null
        ? null
        : await candidates.ofAnnotations(context, filter.annotated, { ...scope, inOrder });
    const found =
      annotated ?? (filter.required === null ? null : await candidates.find(context, filter.required, scope));
    const byArrival = sort === ARRIVAL && !isUnbounded(scope);
    const ranges = found ?? (byArrival ? await candidates.ofPeriod(context, scope) : null);
    if (ranges === null) return null;
    const project = dialect.withoutIndex(sql.ref<number>("spans.project_id"));
    const page = await readCandidatePage(dialect, ranges, request, (isCandidate: RawBuilder<boolean>) =>
      withValue(query(context, scope, "slow"), sort)
        .where(project, "=", projectId)
        .where(isCandidate),
    );
    return recordsOf(page);
  }

  return {
    listByAnnotation: (context: CallContext, scope: SpanPageScope, request: AnnotationOrderRequest) =>
      listAnnotated(dialect, context, scope, request),

    async listOfProject(
      context: CallContext,
      scope: SpanPageScope,
      request: SpanPageRequest,
    ): Promise<PlacedPage<SpanRecord>> {
      const { projectId, roots, filter, traceFilter } = scope;
      const sort: SpanSort = request.sort;
      const inPeriod = !isUnbounded(scope);
      const unfiltered = roots === "none" && filter === null && traceFilter === null;
      const few = await listCandidates(context, scope, request);
      if (few !== null) return few;
      const ranking = rankings[sort];
      if (ranking !== undefined) {
        const ranked = await listRanked(context, scope, request, ranking, unfiltered && !inPeriod);
        if (ranked !== null) return ranked;
      }
      const arriving = sort === ARRIVAL && !inPeriod;
      const walked = sort === "startTime" || arriving;
      const spans = query(context, scope, !walked ? "slow" : unfiltered ? "short" : "walk");
      if (arriving) return recordsOf(await readPage(spans, spanArrival(projectId, request.order), request));
      // The arrivals of a period are sorted: no index is walked to its end for them.
      const order = spanOrder(sort, request.order, sort !== ARRIVAL);
      const listed = withValue(spans, sort).where("spans.project_id", "=", projectId);
      return recordsOf(await readPage(listed, order, request));
    },
  };
}

/** Those that the order has at all. */
function withValue<Row>(query: SpanQuery<Row>, sort: SpanSort): SpanQuery<Row> {
  return isCostSort(sort) ? query.where(hasSortValue(sort)) : query;
}

/** What the page asks of a span besides its project and place. */
function narrow<Row>(dialect: Dialect, query: SpanQuery<Row>, scope: SpanPageScope): SpanQuery<Row> {
  const { roots, filter, traceFilter, startUs, endUs } = scope;
  let narrowed = query;
  if (roots !== "none") narrowed = narrowed.where(isRepresentative(roots));
  if (filter !== null) narrowed = narrowed.where(filter.condition(dialect, "spans"));
  if (traceFilter !== null) {
    narrowed = narrowed.where(sql<SqlBool>`spans.trace_id in (select traces.id from traces
      where traces.project_id = ${scope.projectId} and traces.span_count > 0
        and ${traceFilter.condition(dialect, "traces")})`);
  }
  if (startUs !== null) narrowed = narrowed.where("spans.start_us", ">=", startUs);
  if (endUs !== null) narrowed = narrowed.where("spans.start_us", "<", endUs);
  return narrowed;
}

/** In the order of an annotation of the spans. */
async function listAnnotated(
  dialect: Dialect,
  context: CallContext,
  scope: SpanPageScope,
  request: AnnotationOrderRequest,
): Promise<PlacedPage<SpanRecord>> {
  const database = context.database.read(context, "slow");
  const page = await listByAnnotation(context, "span", request, (id) => {
    const project = dialect.withoutIndex(sql.ref<number>("spans.project_id"));
    const span = database
      .selectFrom("spans")
      .select(sql.lit(1).as("one"))
      .where("spans.id", "=", id)
      .where(project, "=", scope.projectId);
    return narrow(dialect, span, scope);
  });
  const spans = await database
    .selectFrom("spans")
    .select(selectedSpan)
    .where(dialect.inList(sql.ref("spans.id"), page.items))
    .execute();
  return inOrderOf(page, spans.map(recordOf));
}

function recordsOf(page: PlacedPage<SpanRow>): PlacedPage<SpanRecord> {
  return mapPage(page, recordOf);
}
