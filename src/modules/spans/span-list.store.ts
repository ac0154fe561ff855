// The rows of span lists. Which index a list walks is decided here, not by the planner: a wrong one reads a whole project.
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { type Json, numberOf } from "../../kernel/json.ts";
import type { Keyset, Order } from "../../kernel/keyset.ts";
import { type ArrivalBounds, arrivedIn } from "../../storage/arrival-order.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext, Database, ReadClass } from "../../storage/storage.ts";
import type { Tables } from "../../storage/tables.ts";
import { type CandidatesStore, createCandidatesStore, readCandidates } from "./blocks/candidates.store.ts";
import { type SoughtLiteral, soughtAll, soughtAny, soughtColumn, soughtValue } from "./blocks/sought-values.rules.ts";
import type { SpanFilter } from "./span-filter.rules.ts";
import { epochsOf } from "./span-lookup.store.ts";

export interface SpanRows {
  readonly projectId: number;
  readonly filter: SpanFilter;
  readonly sort: "id" | "start_time";
  readonly order: Order;
  /** The first row of the page; null begins at the end that the order names. */
  readonly from: Keyset | null;
  /** One more than the page has, to learn whether another follows. */
  readonly limit: number;
}

/** `candidates`: a few spans, sorted afterwards. `keys`: the spans of given traces or ids, sorted afterwards. `arrival`: in the
 *  order of ids until the page is full.
 *  `period`: all in the time range, sorted afterwards. `start`: in the order of the start time until the page is full. */
type Walk =
  | { readonly kind: "candidates"; readonly isCandidate: RawBuilder<boolean> }
  | { readonly kind: "keys"; readonly epochs: readonly number[] | null }
  | { readonly kind: "arrival"; readonly bounds: ArrivalBounds }
  | { readonly kind: "period" | "start" };

/** Spans next to the beginning of a page that are looked at before the time range is: most ranges are recent or wide. */
const NEAR = 20_000;
/** Sorting this many entries of an index takes half a second; in a wider range the page fills sooner on the way. */
const MOST_IN_PERIOD = 1_000_000;

const columns = [
  "spans.id",
  "spans.trace_id",
  "spans.span_key",
  "spans.parent_key",
  "spans.name",
  "spans.status",
  "spans.status_message",
  "spans.start_us",
  "spans.latency_us",
] as const;

export type SpanListStore = ReturnType<typeof createSpanListStore>;
export type SpanListRow = Awaited<ReturnType<SpanListStore["list"]>>[number];

export function createSpanListStore(dialect: Dialect, candidates: CandidatesStore = createCandidatesStore(dialect)) {
  /** Null when the filters of blocks do not help. */
  async function listCandidates(context: CallContext, rows: SpanRows) {
    const { filter, sort, order, from, limit } = rows;
    const sought = soughtAll([
      filter.names === null ? null : soughtAny(filter.names.map((name) => soughtColumn("name", name))),
      ...filter.attributes.map(({ path, value }) => {
        const literal = literalOf(value);
        return literal === null ? null : soughtValue([path], literal);
      }),
    ]);
    const ranges = sought === null ? null : await candidates.find(context, sought, filter);
    if (ranges === null) return null;
    const byStart = sort === "start_time";
    const list = {
      direction: order,
      by: byStart ? "start" : "id",
      limit,
      from: from === null ? null : byStart ? from.value : from.rowId,
      place: (row: { readonly id: number; readonly start_us: number }) => ({
        value: byStart ? row.start_us : row.id,
        id: row.id,
      }),
    } as const;
    const database = context.database.read(context, "slow");
    return readCandidates(dialect, ranges, list, (isCandidate) =>
      listQuery(database, dialect, rows, { kind: "candidates", isCandidate }).execute(),
    );
  }

  return {
    async list(context: CallContext, rows: SpanRows) {
      const readClass = readClassOf(rows.filter);
      const database = context.database.read(context, readClass);
      const run = (walk: Walk) => listQuery(database, dialect, rows, walk).execute();
      const { filter, sort, limit } = rows;
      if (filter.traceKeys !== null) return run({ kind: "keys", epochs: null });
      if (filter.spanKeys !== null) return run({ kind: "keys", epochs: await epochsOf(context) });
      const found = await listCandidates(context, rows);
      if (found !== null) return found;
      if (sort === "start_time") return run({ kind: "start" });
      const whole = { kind: "arrival", bounds: boundsOf(rows, null) } as const;
      if (filter.startUs === null && filter.endUs === null) return run(whole);

      // A time range: near the beginning of the page first, then by its own index unless it holds next to everything.
      const nearest = await nearBound(database, rows);
      if (nearest === null) return run(whole);
      const near = await run({ kind: "arrival", bounds: boundsOf(rows, nearest) });
      if (near.length === limit) return near;
      const few = (await countPeriod(database, rows)) <= MOST_IN_PERIOD;
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
function readClassOf(filter: SpanFilter): ReadClass {
  if (filter.attributes.length > 0) return "slow";
  if (filter.traceKeys !== null || filter.spanKeys !== null) return "short";
  const { startUs, endUs, parent, names, kinds, statuses } = filter;
  return [startUs, endUs, parent, names, kinds, statuses].every((part) => part === null) ? "short" : "slow";
}

function listQuery(database: Database, dialect: Dialect, rows: SpanRows, walk: Walk) {
  const { filter, order, projectId } = rows;
  const start = sql.ref<number>("spans.start_us");
  const project = sql.ref<number>("spans.project_id");
  const chosen = database.selectFrom("spans").select(columns).limit(rows.limit);
  if (walk.kind === "arrival") {
    return narrow(chosen, dialect, filter, dialect.withoutIndex(start))
      .where(arrivedIn("spans", projectId, walk.bounds))
      .orderBy("spans.project_id", order)
      .orderBy("spans.id", order);
  }
  const sorted = walk.kind !== "start";
  // An expression: the order then comes from sorting the matches, never from an index that is read to its end for them.
  const id = sorted ? sql<number>`spans.id + 0` : sql.ref<number>("spans.id");
  let query = narrow(chosen, dialect, filter, start).where(
    walk.kind === "keys" || walk.kind === "candidates" ? dialect.withoutIndex(project) : project,
    "=",
    projectId,
  );
  if (walk.kind === "candidates") query = query.where(walk.isCandidate);
  if (walk.kind === "keys" && walk.epochs !== null) {
    query = query.where(dialect.inList(sql.ref("spans.epoch"), walk.epochs));
  }
  const along = order === "desc" ? "<=" : ">=";
  if (rows.sort === "id") {
    if (rows.from !== null) query = query.where(id, along, rows.from.rowId);
    return query.orderBy(id, order);
  }
  if (rows.from !== null) {
    const { value, rowId } = rows.from;
    query = query.where(start, along, value).where((eb) => eb.or([eb(start, "<>", value), eb(id, along, rowId)]));
  }
  return query.orderBy(sorted ? sql`spans.start_us + 0` : start, order).orderBy(id, order);
}

/** Null for what no filter knows: digits beyond what a number holds are cut by it. */
function literalOf(value: Json): SoughtLiteral | null {
  if (typeof value === "string") return { reading: "string", value };
  if (typeof value === "boolean") return { reading: "boolean", value };
  const number = numberOf(value);
  return number === null ? null : { reading: "number", value: number };
}

type SpanQuery<Row> = SelectQueryBuilder<Tables, "spans", Row>;
type Column<Value> = ReturnType<typeof sql.ref<Value>>;

function narrow<Row>(
  query: SpanQuery<Row>,
  dialect: Dialect,
  filter: SpanFilter,
  start: Column<number>,
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
  if (spanKeys !== null) narrowed = narrowed.where(dialect.inList(sql.ref("spans.span_key"), spanKeys));
  if (startUs !== null) narrowed = narrowed.where(start, ">=", startUs);
  if (endUs !== null) narrowed = narrowed.where(start, "<", endUs);
  if (parent !== null) {
    narrowed =
      parent.key === null
        ? narrowed.where("spans.parent_key", "is", null)
        : narrowed.where("spans.parent_key", "=", parent.key);
  }
  if (names !== null) narrowed = narrowed.where(dialect.inList(sql.ref("spans.name"), names));
  if (kinds !== null) narrowed = narrowed.where(dialect.inList(sql.ref("spans.kind"), kinds));
  if (statuses !== null) narrowed = narrowed.where(dialect.inList(sql.ref("spans.status"), statuses));
  for (const { path, value } of attributes) {
    const equal = dialect.jsonScalarEquals(sql.ref("span_payloads.attributes"), path, value);
    // A value, not `exists`: no planner turns it into a join that would read every payload first.
    narrowed = narrowed.where(
      sql<boolean>`(select ${equal} from span_payloads where span_payloads.span_id = spans.id)`,
    );
  }
  return narrowed;
}

/** From the beginning of the page to `end` in the order of the list; null goes to its end. */
function boundsOf({ from, order }: SpanRows, end: number | null): ArrivalBounds {
  const begin = from?.rowId ?? null;
  return order === "desc" ? { lowest: end, highest: begin } : { lowest: begin, highest: end };
}

/** The id that lies NEAR rows behind the beginning of the page; null when there are not so many. */
async function nearBound(database: Database, rows: SpanRows): Promise<number | null> {
  const row = await database
    .selectFrom("spans")
    .select("id")
    .where(arrivedIn("spans", rows.projectId, boundsOf(rows, null)))
    .orderBy("project_id", rows.order)
    .orderBy("id", rows.order)
    .limit(1)
    .offset(NEAR)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function countPeriod(database: Database, { projectId, filter }: SpanRows): Promise<number> {
  let entries = database.selectFrom("spans").select("start_us").where("project_id", "=", projectId);
  if (filter.startUs !== null) entries = entries.where("start_us", ">=", filter.startUs);
  if (filter.endUs !== null) entries = entries.where("start_us", "<", filter.endUs);
  const { count } = await database
    .selectFrom(entries.limit(MOST_IN_PERIOD + 1).as("entry"))
    .select((eb) => eb.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
