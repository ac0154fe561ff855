// Spans in the order of a value that has an order of its own (docs/protocol/storage.md#keys-and-orders-of-spans): those without a
// value above 0 follow those that have one, or go before them, in the order of arrival.
import { type PageStart, startBehind } from "../../../kernel/list.ts";
import { arrivedIn } from "../../../storage/arrival-order.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalBounds, projectArrival, sortedBy } from "../../../storage/list.ts";
import { isPositiveOnly, type RankedSpan, type SpanRanking, spanValues } from "../../../storage/span-orders.ts";
import type { Database } from "../../../storage/storage.ts";

/** Groups of spans next to the beginning of a ranked page that are held against conditions, one group after the other, before all
 *  spans are sorted. */
const GROUPS = [500, 2500, 8000, 20_000];

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

/** The first `limit` of those that match, group by group; null when so many are not among the spans next to the beginning of the
 *  page. */
export async function rankedMatches(
  dialect: Dialect,
  database: Database,
  ranking: SpanRanking,
  matching: (group: readonly RankedSpan[]) => Promise<readonly RankedSpan[]>,
): Promise<RankedSpan[] | null> {
  // A value that changes between two groups brings its span into both.
  const chosen = new Map<number, RankedSpan>();
  let { start } = ranking;
  for (const size of GROUPS) {
    const limit = Math.max(size, ranking.limit);
    const group = await rankedSpans(dialect, database, { ...ranking, start, limit });
    for (const span of await matching(group)) if (!chosen.has(span.id)) chosen.set(span.id, span);
    if (chosen.size >= ranking.limit || group.length < limit) return [...chosen.values()].slice(0, ranking.limit);
    const last = group.at(-1)!;
    start = startBehind({ value: last.value, rowId: last.id });
  }
  return null;
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
