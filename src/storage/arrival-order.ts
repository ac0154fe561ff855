// Rows of one project in the order of their arrival, walked on the index (project_id, id).
import { type RawBuilder, sql } from "kysely";

/** Ids, both ends included; null is unbounded. */
export interface ArrivalBounds {
  readonly lowest: number | null;
  readonly highest: number | null;
}

/** The rows of a project between two ids; order them by `project_id`, then `id`. Written as pairs, because with a plain
 *  `project_id = …` a planner may walk the primary key instead, through the rows of every other project that lie between. */
export function arrivedIn(table: "spans" | "sessions", projectId: number, bounds: ArrivalBounds): RawBuilder<boolean> {
  const pair = sql`(${sql.ref(`${table}.project_id`)}, ${sql.ref(`${table}.id`)})`;
  const highest = bounds.highest ?? Number.MAX_SAFE_INTEGER;
  return sql<boolean>`${pair} >= (${projectId}, ${bounds.lowest ?? 0}) and ${pair} <= (${projectId}, ${highest})`;
}
