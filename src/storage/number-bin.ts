// Numbers in bins between bounds, counted by the database.
import { type Expression, type RawBuilder, sql } from "kysely";

/** The number of the bin: how many of the bounds, which ascend, are not above the value. */
export function numberBin(value: Expression<unknown>, bounds: readonly number[]): RawBuilder<number> {
  if (bounds.length === 0) return sql<number>`0`;
  const cases = bounds.map((bound, at) => sql`when ${value} < ${sql.lit(bound)} then ${sql.lit(at)}`);
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(bounds.length)} end`;
}
