// Which spans of given traces a page holds. They are chosen by their ids, each trace by itself, out of an index that holds what is asked:
// only the rows of the page are then read, however long the trace is.
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Order, PageStart } from "../../../../kernel/list.ts";
import { type Dialect, MAX_PARTS } from "../../../../storage/dialect.ts";
import { arrivalOrder, onwards } from "../../../../storage/list.ts";
import type { Database } from "../../../../storage/storage.ts";
import type { Tables } from "../../../../storage/tables.ts";

interface TraceRows {
  readonly sort: "arrival" | "startTime";
  readonly order: Order;
  readonly start: PageStart | null;
  /** Of each trace. */
  readonly limit: number;
}

export type QueryOfSpans<Row> = SelectQueryBuilder<Tables, "spans", Row>;

const columns = ["spans.id", "spans.start_us as value"] as const;

/** What is asked of the spans besides their trace. */
type Narrow = <Row>(query: QueryOfSpans<Row>) => QueryOfSpans<Row>;

/** More traces than these are not asked one by one. */
export const MOST_TRACES = MAX_PARTS;

/** A span of the page, by its place. */
interface ChosenSpan {
  readonly id: number;
  /** The start of the span, in microseconds. */
  readonly value: number;
}

/** The first spans of each trace from the beginning of the page on, in the order of the list. At most MOST_TRACES traces. */
export async function chooseOfTraces(
  database: Database,
  dialect: Dialect,
  traceIds: readonly number[],
  rows: TraceRows,
  narrow: Narrow,
): Promise<readonly ChosenSpan[]> {
  if (traceIds.length === 0) return [];
  const ofTrace = (trace: RawBuilder<number>) =>
    rows.sort === "arrival" ? byArrival(database, trace, rows, narrow) : byStart(database, trace, rows, narrow);
  // Also a single one: of a trace that it knows to be long, PostgreSQL would rather read the whole table.
  const chosen = dialect.rowsOfEach(traceIds, ofTrace);
  const found = await sql<ChosenSpan>`select id, value from ${chosen} as chosen`.execute(database);
  const way = rows.order === "asc" ? 1 : -1;
  const byValue = (one: ChosenSpan, other: ChosenSpan) => (rows.sort === "arrival" ? 0 : one.value - other.value);
  return found.rows.toSorted((one, other) => way * (byValue(one, other) || one.id - other.id));
}

/** No index of a trace has this order, and one more would slow every insert down. The ids stand in the index of the start, in nearly
 *  the same order: walked that way, nearly every id behind the page is passed over at once. The sum hides the table's own order,
 *  which would lead through the spans of all traces. */
function byArrival(
  database: Database,
  trace: RawBuilder<number>,
  { order, start, limit }: TraceRows,
  narrow: Narrow,
): RawBuilder<unknown> {
  const from = onwards(arrivalOrder(sql<number>`(spans.id + 0)`, order), start);
  const inTrace = narrow(database.selectFrom("spans").select(columns).where("spans.trace_id", "=", trace));
  // The limit keeps the order: without one, planners take the two queries for one.
  const walked = (from === null ? inTrace : inTrace.where(from))
    .orderBy("spans.start_us", order)
    .orderBy("spans.id", order)
    .limit(sql.lit(Number.MAX_SAFE_INTEGER));
  return sql`select walked.id, walked.value from ${walked} as walked
    order by walked.id ${sql.raw(order)} limit ${sql.lit(limit)}`;
}

/** As the index has it. Bounds are written over all its columns, so that no other index seems as good. */
function byStart(
  database: Database,
  trace: RawBuilder<number>,
  { order, start, limit }: TraceRows,
  narrow: Narrow,
): RawBuilder<unknown> {
  const place = sql`(spans.trace_id, spans.start_us, spans.id)`;
  const least = sql`(${trace}, 0, 0)`;
  const most = sql`(${trace}, ${sql.lit(Number.MAX_SAFE_INTEGER)}, ${sql.lit(Number.MAX_SAFE_INTEGER)})`;
  const begin = start && sql`(${trace}, ${start.place.value}, ${start.place.rowId})`;
  const beyond = sql.raw(`${order === "asc" ? ">" : "<"}${start?.included === false ? "" : "="}`);
  const [first, end, back] = order === "asc" ? [least, most, "<="] : [most, least, ">="];
  const within = sql<boolean>`${place} ${beyond} ${begin ?? first} and ${place} ${sql.raw(back)} ${end}`;
  return sql`${narrow(database.selectFrom("spans").select(columns).where(within))
    .orderBy("spans.trace_id", order)
    .orderBy("spans.start_us", order)
    .orderBy("spans.id", order)
    .limit(sql.lit(limit))}`;
}
