// Lists of spans that are narrowed by values of columns and attributes. Which index a list walks is decided here, not by the planner:
// a wrong one reads a whole project.
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { type Json, numberOf } from "../../../../kernel/json.ts";
import {
  ARRIVAL,
  emptyPage,
  type PlacedPage,
  pageOfRows,
  rowsWanted,
  type SortedRequest,
} from "../../../../kernel/list.ts";
import {
  allRequired,
  anyRequired,
  type RequiredLiteral,
  requiredColumn,
  requiredValue,
} from "../../../../model/summaries/blocks/required-values.ts";
import { arrivedIn } from "../../../../storage/arrival-order.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalBounds, type ListOrder, readPage } from "../../../../storage/list.ts";
import type { CallContext, Database, ReadClass } from "../../../../storage/storage.ts";
import type { Tables } from "../../../../storage/tables.ts";
import { type CandidatesStore, createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import { type ListedSpan, listedColumns } from "../rows/span-columns.store.ts";
import type { DiscreteSpanFilter } from "../span-filter.rules.ts";
import { readCandidatePage, spanArrival, spanOrder } from "./span-order.store.ts";
import { chooseOfTraces, MOST_TRACES } from "./trace-order.store.ts";

export interface SpanListScope {
  readonly projectId: number;
  readonly filter: DiscreteSpanFilter;
}

export type SpanListRequest = SortedRequest<"arrival" | "startTime">;

/** `candidates`: a few spans, sorted afterwards. `keys`: the spans of given ids, or of too many given traces, sorted afterwards.
 *  `arrival`: in the order of ids until the page is full.
 *  `period`: all in the time range, sorted afterwards. `start`: in the order of the start time until the page is full. */
type Walk =
  | { readonly kind: "candidates"; readonly isCandidate: RawBuilder<boolean> }
  | { readonly kind: "keys" }
  | { readonly kind: "arrival"; readonly end: number | null }
  | { readonly kind: "period" | "start" };

/** Spans next to the beginning of a page that are looked at before the time range is: most ranges are recent or wide. */
const NEAR = 20_000;
/** Sorting this many entries of an index takes half a second; in a wider range the page fills sooner on the way. */
const MOST_IN_PERIOD = 1_000_000;

export type SpanListStore = ReturnType<typeof createSpanListStore>;

export function createSpanListStore(dialect: Dialect, candidates: CandidatesStore = createCandidatesStore(dialect)) {
  /** Null when the filters of blocks do not help. */
  async function listCandidates(context: CallContext, scope: SpanListScope, request: SpanListRequest) {
    const { filter } = scope;
    const required = allRequired([
      filter.names === null ? null : anyRequired(filter.names.map((name) => requiredColumn("name", name))),
      ...filter.attributes.map(({ path, value }) => {
        const literal = literalOf(value);
        return literal === null ? null : requiredValue([path], literal);
      }),
    ]);
    const ranges = required === null ? null : await candidates.find(context, required, filter);
    if (ranges === null) return null;
    const database = context.database.read(context, "slow");
    return readCandidatePage(dialect, ranges, request, (isCandidate) =>
      listQuery(database, dialect, scope, { kind: "candidates", isCandidate }),
    );
  }

  /** What is deleted between the two questions is left out; the next page begins where it would have. */
  async function listOfTraces(
    database: Database,
    traceIds: readonly number[],
    { traceKeys: _traceKeys, ...filter }: DiscreteSpanFilter,
    { limit, sort, ...request }: SpanListRequest,
  ): Promise<PlacedPage<ListedSpan>> {
    const chosen = await chooseOfTraces(
      database,
      dialect,
      traceIds,
      { ...request, sort, limit: rowsWanted(limit) },
      (query) => narrow(query, dialect, { ...filter, traceKeys: null }, sql.ref("spans.start_us")),
    );
    const { items, places, next } = pageOfRows(chosen.slice(0, rowsWanted(limit)), limit, ({ id, value }) => ({
      value: sort === ARRIVAL ? id : value,
      rowId: id,
    }));
    if (items.length === 0) return emptyPage;
    const ids = items.map(({ id }) => id);
    const rows = await database
      .selectFrom("spans")
      .select(listedColumns)
      .where(dialect.inList(sql.ref("spans.id"), ids))
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const found = ids.flatMap((id, at) => (byId.has(id) ? [{ row: byId.get(id)!, place: places[at]! }] : []));
    return { items: found.map(({ row }) => row), places: found.map(({ place }) => place), next };
  }

  /** Row ids of those that are in the project: a trace that is being moved there is, with all of its spans. */
  async function findTraces(context: CallContext, projectId: number, traceKeys: readonly string[]): Promise<number[]> {
    const rows = await context.database
      .read(context, "short")
      .selectFrom("traces")
      .select("id")
      .where(dialect.inList(sql.ref("trace_key"), traceKeys))
      .where(dialect.withoutIndex(sql.ref<number>("project_id")), "=", projectId)
      .execute();
    return rows.map(({ id }) => id);
  }

  return {
    async list(context: CallContext, scope: SpanListScope, request: SpanListRequest): Promise<PlacedPage<ListedSpan>> {
      const { filter } = scope;
      const database = context.database.read(context, readClassOf(filter));
      const run = (walk: Walk) => {
        const own = walksLong(filter, walk) ? context.database.read(context, "walk") : database;
        return readPage(listQuery(own, dialect, scope, walk), orderOf(scope, request, walk), request);
      };
      if (filter.traceKeys !== null && filter.spanKeys === null) {
        const traceIds = await findTraces(context, scope.projectId, filter.traceKeys);
        if (traceIds.length <= MOST_TRACES) return listOfTraces(database, traceIds, filter, request);
      }
      if (filter.traceKeys !== null || filter.spanKeys !== null) return run({ kind: "keys" });
      const found = await listCandidates(context, scope, request);
      if (found !== null) return found;
      if (request.sort === "startTime") return run({ kind: "start" });
      const whole = { kind: "arrival", end: null } as const;
      if (filter.startUs === null && filter.endUs === null) return run(whole);

      // A time range: near the beginning of the page first, then by its own index unless it holds next to everything.
      const nearest = await nearBound(database, scope, request);
      if (nearest === null) return run(whole);
      const near = await run({ kind: "arrival", end: nearest });
      if (near.next !== null) return near;
      const few = (await countPeriod(database, scope)) <= MOST_IN_PERIOD;
      return run(few ? { kind: "period" } : whole);
    },

    /** External ids of traces by row id. */
    async traceKeys(context: CallContext, traceIds: readonly number[]): Promise<Map<number, string>> {
      if (traceIds.length === 0) return new Map();
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["id", "trace_key"])
        .where(dialect.inList(sql.ref("id"), [...new Set(traceIds)]))
        .execute();
      return new Map(rows.map((row) => [row.id, row.trace_key]));
    },
  };
}

/** Only what an index finds at once is short; a filter may read until nothing is left. */
function readClassOf(filter: DiscreteSpanFilter): ReadClass {
  if (filter.attributes.length > 0) return "slow";
  if (filter.traceKeys !== null || filter.spanKeys !== null) return "short";
  const { startUs, endUs, parent, names, kinds, statuses } = filter;
  return [startUs, endUs, parent, names, kinds, statuses].every((part) => part === null) ? "short" : "slow";
}

/** In the order of an index past many spans that do not match. */
function walksLong(filter: DiscreteSpanFilter, { kind }: Walk): boolean {
  return (kind === "arrival" || kind === "start") && readClassOf(filter) === "slow";
}

function listQuery(database: Database, dialect: Dialect, { projectId, filter }: SpanListScope, walk: Walk) {
  const start = sql.ref<number>("spans.start_us");
  const project = sql.ref<number>("spans.project_id");
  const chosen = database.selectFrom("spans").select(listedColumns);
  // The order of arrival names the project itself.
  if (walk.kind === "arrival") return narrow(chosen, dialect, filter, dialect.withoutIndex(start), notOfIndex);
  let query = narrow(chosen, dialect, filter, start).where(
    walk.kind === "keys" || walk.kind === "candidates" ? dialect.withoutIndex(project) : project,
    "=",
    projectId,
  );
  if (walk.kind === "candidates") query = query.where(walk.isCandidate);
  return query;
}

function orderOf({ projectId }: SpanListScope, { sort, order }: SpanListRequest, walk: Walk): ListOrder {
  if (walk.kind === "arrival") return spanArrival(projectId, order, walk.end);
  return spanOrder(sort, order, walk.kind === "start");
}

/** Null for what no filter knows: digits beyond what a number holds are cut by it. */
function literalOf(value: Json): RequiredLiteral | null {
  if (typeof value === "string") return { reading: "string", value };
  if (typeof value === "boolean") return { reading: "boolean", value };
  const number = numberOf(value);
  return number === null ? null : { reading: "number", value: number };
}

/** PostgreSQL would read all spans of a project by an index of starts that has the column, and sort them by arrival. */
const notOfIndex = (column: Column<number>) => sql<number>`(${column} + 0)`;

type SpanQuery<Row> = SelectQueryBuilder<Tables, "spans", Row>;
type Column<Value> = ReturnType<typeof sql.ref<Value>>;

function narrow<Row>(
  query: SpanQuery<Row>,
  dialect: Dialect,
  filter: DiscreteSpanFilter,
  start: Column<number>,
  discrete: (column: Column<number>) => RawBuilder<number> = (column) => sql`${column}`,
): SpanQuery<Row> {
  const { startUs, endUs, traceKeys, spanKeys, parent, names, kinds, statuses, attributes } = filter;
  let narrowed = query;
  if (traceKeys !== null) {
    narrowed = narrowed.where("spans.trace_id", "in", (eb) =>
      eb
        .selectFrom("traces")
        .select("traces.id")
        .where(dialect.inList(sql.ref("traces.trace_key"), traceKeys)),
    );
  }
  if (spanKeys !== null) {
    // In given traces the index of the trace has them.
    const isOne = dialect.inList(sql.ref("spans.span_key"), spanKeys);
    narrowed = narrowed.where(traceKeys === null ? dialect.spanOrders.hasKey(spanKeys) : isOne);
  }
  if (startUs !== null) narrowed = narrowed.where(start, ">=", startUs);
  if (endUs !== null) narrowed = narrowed.where(start, "<", endUs);
  if (parent !== null) {
    narrowed =
      parent.key === null
        ? narrowed.where("spans.parent_key", "is", null)
        : narrowed.where("spans.parent_key", "=", parent.key);
  }
  if (names !== null) narrowed = narrowed.where(dialect.inList(sql.ref("spans.name"), names));
  if (kinds !== null) narrowed = narrowed.where(dialect.inList(discrete(sql.ref("spans.kind")), kinds));
  if (statuses !== null) narrowed = narrowed.where(dialect.inList(discrete(sql.ref("spans.status")), statuses));
  for (const { path, value } of attributes) {
    const equal = dialect.jsonScalarEquals(sql.ref("span_payloads.attributes"), path, value);
    // A value, not `exists`: no planner turns it into a join that would read every payload first.
    narrowed = narrowed.where(
      sql<boolean>`(select ${equal} from span_payloads where span_payloads.span_id = spans.id)`,
    );
  }
  return narrowed;
}

/** The id that lies NEAR rows behind the beginning of the page; null when there are not so many. */
async function nearBound(
  database: Database,
  { projectId }: SpanListScope,
  { order, start }: SpanListRequest,
): Promise<number | null> {
  const row = await database
    .selectFrom("spans")
    .select("id")
    .where(arrivedIn("spans", projectId, arrivalBounds(order, start, null)))
    .orderBy("project_id", order)
    .orderBy("id", order)
    .limit(1)
    .offset(NEAR)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function countPeriod(database: Database, { projectId, filter }: SpanListScope): Promise<number> {
  let entries = database.selectFrom("spans").select("start_us").where("project_id", "=", projectId);
  if (filter.startUs !== null) entries = entries.where("start_us", ">=", filter.startUs);
  if (filter.endUs !== null) entries = entries.where("start_us", "<", filter.endUs);
  const { count } = await database
    .selectFrom(entries.limit(MOST_IN_PERIOD + 1).as("entry"))
    .select((eb) => eb.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
