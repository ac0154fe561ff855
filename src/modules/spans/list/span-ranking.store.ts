// Spans in the order of a value that is indexed in each epoch (docs/protocol/storage.md#indexes): the first ones of every
// epoch, merged. One statement asks for many epochs; however many there are, the answer is the exact order of the whole project.
import { type RawBuilder, sql } from "kysely";
import type { PageStart } from "../../../kernel/list.ts";
import { arrivedIn } from "../../../storage/arrival-order.ts";
import { type Dialect, MAX_PARTS } from "../../../storage/dialect.ts";
import { arrivalBounds, onwards, projectArrival, sortedBy, type ValueOrder } from "../../../storage/list.ts";
import type { Database } from "../../../storage/storage.ts";

/** A value that an index of each epoch sorts by, as the index writes it. */
export interface Ranking {
  readonly value: RawBuilder<number>;
  /** The index holds only values above 0; the others follow, or go before, in the order of arrival. */
  readonly positiveOnly: boolean;
}

interface RankedRows {
  readonly projectId: number;
  readonly direction: "asc" | "desc";
  readonly start: PageStart | null;
  readonly limit: number;
}

/** A place in the order. */
interface RankedRow {
  readonly id: number;
  readonly value: number;
}

interface RankedTables {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly epochs: readonly number[];
}

/** The rows from the beginning of the page on, in the order of value and row id. */
export async function rankedPage(tables: RankedTables, ranking: Ranking, rows: RankedRows): Promise<RankedRow[]> {
  if (!ranking.positiveOnly) return mergedEpochs(tables, ranking, rows);
  const { direction, start, limit } = rows;
  const positive = (from: PageStart | null, most: number) =>
    mergedEpochs(tables, ranking, { ...rows, start: from, limit: most });
  const zero = (from: PageStart | null, most: number) =>
    withoutValue(tables.database, ranking.value, { ...rows, start: from, limit: most });
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

async function mergedEpochs(
  { database, dialect, epochs }: RankedTables,
  { value, positiveOnly }: Ranking,
  { projectId, direction, start, limit }: RankedRows,
): Promise<RankedRow[]> {
  const order: ValueOrder = { value, rowId: sql.ref<number>("spans.id"), direction, nullable: false };
  const from = onwards(order, start);
  const ofEpoch = (epoch: RawBuilder<number>) => sql`
    select spans.id as id, ${value} as value from spans
    where spans.epoch = ${epoch} and spans.project_id = ${projectId}
      ${positiveOnly ? sql`and ${value} > 0` : sql``} ${from === null ? sql`` : sql`and ${from}`}
    order by ${sortedBy(order)} limit ${limit}`;
  const way = sql.raw(direction);
  const found: RankedRow[] = [];
  for (let first = 0; first < epochs.length; first += MAX_PARTS) {
    const query = sql<RankedRow>`
      select id, value from ${dialect.rowsOfEach(epochs.slice(first, first + MAX_PARTS), ofEpoch)} as ranked
      order by value ${way}, id ${way} limit ${limit}`;
    found.push(...(await query.execute(database)).rows);
  }
  if (epochs.length <= MAX_PARTS) return found;
  const factor = direction === "asc" ? 1 : -1;
  return found.sort((one, other) => factor * (one.value - other.value || one.id - other.id)).slice(0, limit);
}

async function withoutValue(
  database: Database,
  value: RawBuilder<number>,
  { projectId, direction, start, limit }: RankedRows,
): Promise<RankedRow[]> {
  const rows = await database
    .selectFrom("spans")
    .select("id")
    .where(arrivedIn("spans", projectId, arrivalBounds(direction, start, null)))
    .where(value, "=", 0)
    .orderBy(sortedBy(projectArrival("spans", projectId, direction)))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => ({ id, value: 0 }));
}
