// Spans in the order of a value that has an order of its own (docs/protocol/storage.md#keys-and-orders-of-spans): those without a
// value above 0 follow those that have one, or go before them, in the order of arrival.
import { type RawBuilder, sql } from "kysely";
import { type PageStart, startBehind } from "../../../../kernel/list.ts";
import { arrivedIn } from "../../../../storage/arrival-order.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalBounds, onwards, projectArrival, sortedBy } from "../../../../storage/list.ts";
import { isPositiveOnly, type RankedSpan, type SpanRanking, spanValues } from "../../../../storage/span-orders.ts";
import type { Database } from "../../../../storage/storage.ts";

/** Groups of spans next to the beginning of a ranked page that are held against conditions, one group after the other, before all
 *  spans are sorted. */
const GROUPS = [500, 2500, 8000, 20_000];
const NEAR_GROUPS = GROUPS.slice(0, 2);
/** The same among those that have annotations: each group sorts all of them. */
const ANNOTATED_GROUPS = [2500, 20_000];

/** Those of the group that match, in its order. */
type Matching = (group: readonly RankedSpan[]) => Promise<readonly RankedSpan[]>;

/** The first `limit` spans from the beginning of the page on, in the order of value and row id. */
export async function rankedSpans(dialect: Dialect, database: Database, ranking: SpanRanking): Promise<RankedSpan[]> {
  if (!isPositiveOnly(ranking)) return dialect.spanOrders.list(database, ranking);
  const { direction, start, limit } = ranking;
  const positive = (from: PageStart | null, most: number) =>
    dialect.spanOrders.list(database, { ...ranking, start: from, limit: most });
  const zero = (from: PageStart | null, most: number) =>
    withoutValue(database, { ...ranking, start: from, limit: most });
  const isZero = start?.place.value === 0;
  const [first, second] = direction === "desc" ? [positive, zero] : [zero, positive];
  const startsInSecond = start !== null && isZero === (direction === "desc");
  if (startsInSecond) return second(start, limit);
  const found = await first(start, limit);
  if (found.length >= limit) return found;
  const more = await second(null, limit - found.length);
  // A sum may have changed between the two questions.
  const known = new Set(found.map((row) => row.id));
  return [...found, ...more.filter((row) => !known.has(row.id))];
}

/** The first of those that match and have annotations that they must have, group by group; null as below. A few spans next to the
 *  beginning of the page show whether matches are everywhere; else all that have the annotations are sorted. */
export async function rankedAnnotated(
  dialect: Dialect,
  database: Database,
  ranking: SpanRanking,
  { rows, matching }: { readonly rows: RawBuilder<number>; readonly matching: Matching },
): Promise<RankedSpan[] | null> {
  const near = await rankedMatches(dialect, database, ranking, matching, NEAR_GROUPS);
  if (near !== null) return near;
  return groupsOf(ranking, matching, ANNOTATED_GROUPS, (group) => sortedAmong(dialect, database, group, rows));
}

/** The first `limit` of those that match, group by group; null when so many are not among the spans next to the beginning of the
 *  page. */
export async function rankedMatches(
  dialect: Dialect,
  database: Database,
  ranking: SpanRanking,
  matching: Matching,
  groups = GROUPS,
): Promise<RankedSpan[] | null> {
  return groupsOf(ranking, matching, groups, (group) => rankedSpans(dialect, database, group));
}

async function groupsOf(
  ranking: SpanRanking,
  matching: Matching,
  groups: readonly number[],
  read: (group: SpanRanking) => Promise<readonly RankedSpan[]>,
): Promise<RankedSpan[] | null> {
  // A value that changes between two groups brings its span into both.
  const chosen = new Map<number, RankedSpan>();
  let { start } = ranking;
  for (const size of groups) {
    const limit = Math.max(size, ranking.limit);
    const group = await read({ ...ranking, start, limit });
    for (const span of await matching(group)) if (!chosen.has(span.id)) chosen.set(span.id, span);
    if (chosen.size >= ranking.limit || group.length < limit) return [...chosen.values()].slice(0, ranking.limit);
    const last = group.at(-1)!;
    start = startBehind({ value: last.value, rowId: last.id });
  }
  return null;
}

/** The first of the spans that the query `rows` names. */
async function sortedAmong(
  dialect: Dialect,
  database: Database,
  { value, projectId, direction, start, limit }: SpanRanking,
  rows: RawBuilder<number>,
): Promise<RankedSpan[]> {
  const ofSpan = spanValues[value];
  const order = { value: ofSpan, rowId: sql.ref<number>("spans.id"), direction, nullable: false };
  const from = onwards(order, start);
  const found = await sql<RankedSpan>`select spans.id, ${ofSpan} as value from spans
    where spans.id in (select id from (${rows}) as annotated)
      and ${dialect.withoutIndex(sql.ref("spans.project_id"))} = ${projectId} ${from === null ? sql`` : sql`and ${from}`}
    order by ${sortedBy(order)} limit ${sql.lit(limit)}`.execute(database);
  return found.rows.map((row) => ({ id: row.id, value: Number(row.value) }));
}

async function withoutValue(
  database: Database,
  { value, projectId, direction, start, limit }: SpanRanking,
): Promise<RankedSpan[]> {
  const rows = await database
    .selectFrom("spans")
    .select("id")
    .where(arrivedIn("spans", projectId, arrivalBounds(direction, start, null)))
    .where(spanValues[value], "=", 0)
    .orderBy(sortedBy(projectArrival("spans", projectId, direction)))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => ({ id, value: 0 }));
}
