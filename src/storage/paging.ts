// Rows behind a place in a list that is sorted by a value and then by row id, null values last in either direction.
import { type Expression, type RawBuilder, sql } from "kysely";

/** A place in a sorted list. */
export interface SortPlace {
  readonly value: number | null;
  readonly rowId: number;
}

export interface SortOrder {
  readonly value: Expression<number | null>;
  readonly rowId: Expression<number>;
  readonly direction: "asc" | "desc";
  /** Whether the value may be null: only then the order is one that no plain index has. */
  readonly nullable: boolean;
}

/** The `order by` of the list. */
export function sortedBy({ value, rowId, direction, nullable }: SortOrder): RawBuilder<unknown> {
  const way = sql.raw(direction);
  const nullsLast = nullable ? sql`case when ${value} is null then 1 else 0 end, ` : sql``;
  return sql`${nullsLast}${value} ${way}, ${rowId} ${way}`;
}

/** True for the rows that stand behind the place. */
export function behind({ value, rowId, direction, nullable }: SortOrder, place: SortPlace): RawBuilder<boolean> {
  const beyond = direction === "asc" ? sql`>` : sql`<`;
  if (place.value === null) return sql<boolean>`(${value} is null and ${rowId} ${beyond} ${place.rowId})`;
  // Two comparisons, not an `or` of three: so an index on the value is entered at the place.
  const further = sql`(${value} ${beyond}= ${place.value} and (${value} <> ${place.value} or ${rowId} ${beyond} ${place.rowId}))`;
  return nullable ? sql<boolean>`(${value} is null or ${further})` : sql<boolean>`${further}`;
}
