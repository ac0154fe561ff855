// Pages of lists in SQL: the order of a list, the rows from the beginning of a page on, and one row more than the page has, by which
// the end of the list is known.
import { type AliasableExpression, type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import {
  ARRIVAL,
  type ListPlace,
  type Order,
  type PageRequest,
  type PageStart,
  type PlacedPage,
  pageOfRows,
  rowsWanted,
  type SortedRequest,
  startAt,
} from "../kernel/list.ts";
import { type ArrivalBounds, arrivedIn } from "./arrival-order.ts";
import type { Database } from "./storage.ts";

/** A list that is sorted by a value and then by row id; null values come last in either direction. */
export interface ValueOrder {
  readonly value: AliasableExpression<number | string | null>;
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

/** The order of a text that no row lacks, by its bytes in UTF-8: columns of names are compared so by both databases. */
export function textOrder(text: AliasableExpression<string>, rowId: Expression<number>, direction: Order): ValueOrder {
  return { value: text, rowId, direction, nullable: false };
}

export type NameSort = "name" | typeof ARRIVAL;

/** The order of the rows of a table by their unique names, or by their ids. */
export function nameOrder(table: string, { sort, order }: Pick<SortedRequest<NameSort>, "sort" | "order">): ListOrder {
  const id = sql.ref<number>(`${table}.id`);
  return sort === ARRIVAL ? arrivalOrder(id, order) : textOrder(sql.ref<string>(`${table}.name`), id, order);
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

/** The `order by` of the list, or of the list from its end. */
export function sortedBy(order: ListOrder, backward = false): RawBuilder<unknown> {
  const { value, rowId, direction } = order;
  const way = sql.raw(backward ? (direction === "asc" ? "desc" : "asc") : direction);
  if (value !== null) {
    const nulls = sql.raw(backward ? "desc" : "asc");
    const nullsLast = order.nullable ? sql`case when ${value} is null then 1 else 0 end ${nulls}, ` : sql``;
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
  const at = place.text ?? place.value;
  if (at === null) return sql<boolean>`(${value} is null and ${further})`;
  // Two comparisons, not an `or` of three: so an index on the value is entered at the place.
  const behind = sql`(${value} ${beyond}= ${at} and (${value} <> ${at} or ${further}))`;
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

export type Sorted<Row> = Row & { readonly sortValue: number | string | null };
/** A row as lists hand it out: its place is in the page. */
export type Unsorted<Row> = Omit<Sorted<Row>, "sortValue">;

/** The rows of a page and one more of the query, which selects the rows of the list in no order. */
function pageQuery<Tables, Table extends keyof Tables, Row extends ListRow>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  order: ListOrder,
  { start, limit, end = null, backward = false }: PageRequest,
): SelectQueryBuilder<Tables, Table, Sorted<Row>> {
  const from = onwards(order, start);
  let narrowed = from === null ? query : query.where(from);
  if (end !== null) narrowed = narrowed.where(sql<boolean>`not ${onwards(order, startAt(end))}`);
  const sorted = narrowed
    .select((order.value ?? sql<null>`null`).as("sortValue"))
    .orderBy(sortedBy(order, backward))
    .limit(rowsWanted(limit));
  return sorted as unknown as SelectQueryBuilder<Tables, Table, Sorted<Row>>;
}

/** Reads the rows of a page and one more of the query. */
export async function readRows<Tables, Table extends keyof Tables, Row extends ListRow>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  order: ListOrder,
  request: PageRequest,
): Promise<Sorted<Row>[]> {
  return (await pageQuery(query, order, request).execute()) as Sorted<Row>[];
}

/** Reads a page of the query. */
export async function readPage<Tables, Table extends keyof Tables, Row extends ListRow>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  order: ListOrder,
  request: PageRequest,
): Promise<PlacedPage<Unsorted<Row>>> {
  return sortedPage(await readRows(query, order, request), order, request.limit, request.backward);
}

/** The lists of rows that each belong to an owner. */
interface OwnedLists<Tables, Table extends keyof Tables, Row, Item> {
  readonly listOf: (owner: number) => SelectQueryBuilder<Tables, Table, Row>;
  readonly ownerOf: (row: Row) => number;
  readonly itemOf: (row: Row) => Item;
}

/** Lists of one statement. */
const LISTS_AT_ONCE = 100;

/** Reads the same page of the lists of many owners, each on its own way through the index. */
export async function readPages<Tables, Table extends keyof Tables, Row extends ListRow, Item>(
  database: Database,
  owners: readonly number[],
  { listOf, ownerOf, itemOf }: OwnedLists<Tables, Table, Row, Item>,
  order: ListOrder,
  request: PageRequest,
): Promise<Map<number, PlacedPage<Item>>> {
  const pages = new Map<number, PlacedPage<Item>>();
  for (let begin = 0; begin < owners.length; begin += LISTS_AT_ONCE) {
    const group = owners.slice(begin, begin + LISTS_AT_ONCE);
    const lists = group.map((owner) => pageQuery(listOf(owner), order, request));
    // Rows of a union come list by list, each in its order: neither database reads limited parts of it side by side.
    const union = sql.join(
      lists.map((list) => sql`select * from (${list}) as listed`),
      sql` union all `,
    );
    const rows =
      lists.length === 1 ? await lists[0]!.execute() : (await sql<Sorted<Row>>`${union}`.execute(database)).rows;
    const byOwner = Map.groupBy(rows as readonly Sorted<Row>[], ownerOf);
    for (const owner of group) {
      const page = sortedPage(byOwner.get(owner) ?? [], order, request.limit, request.backward);
      pages.set(owner, { ...page, items: page.items.map((row) => itemOf(row as unknown as Row)) });
    }
  }
  return pages;
}

/** The page in rows that were read in the order, or from its end, with one more than the page has. */
export function sortedPage<Row extends ListRow>(
  rows: readonly Sorted<Row>[],
  order: ListOrder,
  limit: number,
  backward = false,
): PlacedPage<Unsorted<Row>> {
  const { items, places, next } = pageOfRows(rows, limit, (row) => placeOf(order, row));
  const read = items.map(({ sortValue: _sortValue, ...row }) => row);
  return backward ? { items: read.reverse(), places: places.toReversed(), next } : { items: read, places, next };
}

/** The place of a row that was read in the order. */
export function placeOf({ value }: ListOrder, { id, sortValue }: Sorted<ListRow>): ListPlace {
  if (typeof sortValue === "string") return { value: null, text: sortValue, rowId: id };
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
