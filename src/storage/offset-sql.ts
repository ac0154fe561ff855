// How far the clocks of a zone are ahead of UTC at the instant in a column, for both databases.
import { type Expression, type RawBuilder, sql } from "kysely";
import type { OffsetChange } from "../kernel/zone-offsets.ts";

const MINUTE_US = 60_000_000;

/** Microseconds. `offsetMinutes` is before the first change. */
export function offsetAt(
  column: Expression<number>,
  offsetMinutes: number,
  changes: readonly OffsetChange[],
): RawBuilder<number> {
  if (changes.length === 0) return sql<number>`${sql.lit(offsetMinutes * MINUTE_US)}`;
  const before = [{ offsetMinutes }, ...changes];
  const parts = changes.map(
    ({ atUs }, position) =>
      sql`when ${column} < ${sql.lit(atUs)} then ${sql.lit(before[position]!.offsetMinutes * MINUTE_US)}`,
  );
  return sql<number>`(case ${sql.join(parts, sql` `)} else ${sql.lit(before.at(-1)!.offsetMinutes * MINUTE_US)} end)`;
}
