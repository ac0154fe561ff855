// Pages of lists in SQL: the order of a list, the rows from the beginning of a page on, and one row more than the page has, by which
// the end of the list is known.
import { type AliasableExpression, type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import {
  type ListPlace,
  type Order,
  type PageRequest,
  type PageStart,
  type PlacedPage,
  pageOfRows,
  rowsWanted,
} from "../kernel/list.ts";
import { type ArrivalBounds, arrivedIn } from "./arrival-order.ts";
import type { Tables } from "./tables.ts";

/** A list that is sorted by a value and then by row id; null values come last in either direction. */
export interface ValueOrder {
  readonly value: AliasableExpression<number | null>;
  readonly rowId: Expression<number>;
  readonly direction: Order;
  /** Whether the value may be null: only then the order is one that no plain index has. */
  readonly nullable: boolean;
}

/** The order of row ids: of the rows of one project, on the index of that order, or of all. */
interface ArrivalOrder {
  readonly value: null;
  readonly rowId: Expression<number>;
  readonly direction: Order;
  /** `end`: the last row id of the list; null is that of the project. */
  readonly project: { readonly table: "spans" | "sessions"; readonly id: number; readonly end: number | null } | null;
}

export type ListOrder = ValueOrder | ArrivalOrder;

/** The order of row ids over all projects. */
export function arrivalOrder(rowId: Expression<number>, direction: Order): ArrivalOrder {
  return { value: null, rowId, direction, project: null };
}

/** The order of row ids among the rows of a project. */
export function projectArrival(
  table: "spans" | "sessions",
  id: number,
  direction: Order,
  end: number | null = null,
): ArrivalOrder {
  return { value: null, rowId: sql.ref<number>(`${table}.id`), direction, project: { table, id, end } };
}

/** The `order by` of the list. */
export function sortedBy(order: ListOrder): RawBuilder<unknown> {
  const { value, rowId, direction } = order;
  const way = sql.raw(direction);
  if (value !== null) {
    const nullsLast = order.nullable ? sql`case when ${value} is null then 1 else 0 end, ` : sql``;
    return sql`${nullsLast}${value} ${way}, ${rowId} ${way}`;
  }
  const project = order.project === null ? sql`` : sql`${sql.ref(`${order.project.table}.project_id`)} ${way}, `;
  return sql`${project}${rowId} ${way}`;
}

/** True for the rows of the list from the beginning of the page on; null when nothing is to be left out. */
export function onwards(order: ListOrder, start: PageStart | null): RawBuilder<boolean> | null {
  if (order.value === null && order.project !== null) {
    const { table, id, end } = order.project;
    return arrivedIn(table, id, arrivalBounds(order.direction, start, end));
  }
  if (start === null) return null;
  const { value, rowId, direction } = order;
  const beyond = direction === "asc" ? sql`>` : sql`<`;
  const { place, included } = start;
  const further = sql<boolean>`${rowId} ${beyond}${included ? sql`=` : sql``} ${place.rowId}`;
  if (value === null) return further;
  if (place.value === null) return sql<boolean>`(${value} is null and ${further})`;
  // Two comparisons, not an `or` of three: so an index on the value is entered at the place.
  const behind = sql`(${value} ${beyond}= ${place.value} and (${value} <> ${place.value} or ${further}))`;
  return order.nullable ? sql<boolean>`(${value} is null or ${behind})` : sql<boolean>`${behind}`;
}

/** Row ids from the beginning of a page in the order of arrival to `end` in that direction; null goes to the end of the list. */
export function arrivalBounds(direction: Order, start: PageStart | null, end: number | null): ArrivalBounds {
  const step = direction === "asc" ? 1 : -1;
  const begin = start === null ? null : start.place.rowId + (start.included ? 0 : step);
  return direction === "asc" ? { lowest: begin, highest: end } : { lowest: end, highest: begin };
}

interface ListRow {
  readonly id: number;
}

export type Sorted<Row> = Row & { readonly sortValue: number | null };
/** A row as lists hand it out: its place is in the page. */
export type Unsorted<Row> = Omit<Sorted<Row>, "sortValue">;

/** Reads the rows of a page and one more of the query, which selects the rows of the list in no order. */
export async function readRows<Table extends keyof Tables, Row extends ListRow>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  order: ListOrder,
  { start, limit }: PageRequest,
): Promise<Sorted<Row>[]> {
  const from = onwards(order, start);
  const sorted = (from === null ? query : query.where(from))
    .select((order.value ?? sql<null>`null`).as("sortValue"))
    .orderBy(sortedBy(order))
    .limit(rowsWanted(limit));
  return (await sorted.execute()) as Sorted<Row>[];
}

/** Reads a page of the query. */
export async function readPage<Table extends keyof Tables, Row extends ListRow>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  order: ListOrder,
  request: PageRequest,
): Promise<PlacedPage<Unsorted<Row>>> {
  return sortedPage(await readRows(query, order, request), order, request.limit);
}

/** The page in rows that were read in the order, with one more than the page has. */
export function sortedPage<Row extends ListRow>(
  rows: readonly Sorted<Row>[],
  order: ListOrder,
  limit: number,
): PlacedPage<Unsorted<Row>> {
  const page = pageOfRows(rows, limit, (row) => placeOf(order, row));
  return { ...page, items: page.items.map(({ sortValue: _sortValue, ...row }) => row) };
}

/** The place of a row that was read in the order. */
export function placeOf({ value }: ListOrder, { id, sortValue }: Sorted<ListRow>): ListPlace {
  return { value: value === null ? id : sortValue, rowId: id };
}

/** The page of rows by their ids; those that were deleted meanwhile are left out. */
export function inOrderOf<Row extends ListRow>(
  { items, places, next }: PlacedPage<number>,
  rows: readonly Row[],
): PlacedPage<Row> {
  const found = new Map(rows.map((row) => [row.id, row]));
  const kept = items.flatMap((id, position) => {
    const row = found.get(id);
    return row === undefined ? [] : [{ row, place: places[position]! }];
  });
  return { items: kept.map(({ row }) => row), places: kept.map(({ place }) => place), next };
}
