// The closed list of differences between the two databases. A query that needs another one adds it here, for both.
import type { Expression, RawBuilder } from "kysely";
import type { Json, RawNumber } from "../kernel/json.ts";
import type { SpanOrders } from "./span-orders.ts";
import type { TimeBins } from "./time-bins.ts";

/** Queries in one statement: SQLite takes 500. */
export const MAX_PARTS = 400;

export interface Dialect {
  readonly name: "sqlite" | "postgres";
  /** A stored JSON column as text, to be read with `parseJson`. */
  jsonText(column: Expression<unknown>): RawBuilder<string>;
  /** A stored JSON column, unpacked once for all that read it in a query around this one. */
  unpacked(column: Expression<unknown>): RawBuilder<never>;
  /** About how many bytes the text of a stored JSON column takes. Not read for it, except where it is stored compressed. */
  storedBytes(column: Expression<unknown>): RawBuilder<number>;
  /** JSON text as the value of a stored JSON column. */
  json(text: string): RawBuilder<never>;
  /** True where the value at `path` of a stored JSON column is the scalar `value`, by the typing rules of
   *  docs/protocol/filters.md#discrete-filters. Digits in the path are object keys or list positions, whichever is there. */
  jsonScalarEquals(column: Expression<unknown>, path: readonly string[], value: Json): RawBuilder<boolean>;
  /** True where `text` contains `needle` in any letter case (kernel/fold-case.ts); `%` and `_` are ordinary.
   *  The text may be written into the query several times. */
  containsIgnoringCase(text: Expression<string>, needle: string): RawBuilder<boolean>;
  /** `column in (…)` with one parameter for any number of values. */
  inList(column: Expression<unknown>, values: readonly (string | number)[]): RawBuilder<boolean>;
  /** Rows of integers of 64 bits as a table expression with the given column names, in one parameter. */
  integerRows(
    columns: readonly string[],
    rows: readonly (readonly (number | RawNumber | null)[])[],
  ): RawBuilder<unknown>;
  /** The rows that the query `rowsOf` yields for each of the integers, one after the other, as a table expression; at least one
   *  integer and at most MAX_PARTS. A query of its own for each, so that each walks an index to its limit only. */
  rowsOfEach(
    values: readonly number[],
    rowsOf: (value: RawBuilder<number>) => RawBuilder<unknown>,
  ): RawBuilder<unknown>;
  /** Rows, or the JSON text of them, as a table expression with one column `value`, in one parameter; members are read with
   *  `value ->> position`, on PostgreSQL as text. */
  jsonRows(rows: readonly (readonly (number | string | null)[])[] | string): RawBuilder<unknown>;
  /** A member of a row of `jsonRows`, as a column of that type takes it. */
  member(row: Expression<unknown>, position: number, type: "integer" | "real" | "text"): RawBuilder<never>;
  /** JSON text of the value at these keys (texts) and positions (numbers) of a stored JSON column; null where there is none. What lies
   *  beside it is not unpacked. */
  jsonAt(column: Expression<unknown>, path: readonly (string | number)[]): RawBuilder<string | null>;
  /** How many members the list at `path` of a stored JSON column has; null where there is no list. */
  jsonListLength(column: Expression<unknown>, path: readonly string[]): RawBuilder<number | null>;
  /** Aggregate: the value below which this part (0 to 1) of the rows lies, between two rows in proportion; null without rows. */
  quantile(column: Expression<number>, probability: number): RawBuilder<number | null>;
  /** The number of the bin (`binOf`) that holds the instant in the column, in microseconds from 1970 on. */
  timeBin(column: Expression<number>, bins: TimeBins): RawBuilder<number>;
  /** The column, hidden from the choice of an index: for a predicate that must not steer the plan. */
  withoutIndex<Value>(column: Expression<Value>): RawBuilder<Value>;
  /** Microseconds UTC by the clock of the database, which all servers share; it goes on within a transaction. */
  readonly nowUs: RawBuilder<number>;
  /** Spans by key and by value. */
  readonly spanOrders: SpanOrders;
}
