// Pages of lists in an order of their own: (sort value, row id), both in one direction, so that no row is skipped or repeated
// when the order of arrival is another. The cursor is exact and opaque to clients (docs/protocol/rest.md#pages).
import { fail } from "./failure.ts";
import { globalId, MAX_ROW_ID } from "./ids.ts";
import { readCursor } from "./paging.ts";

export type Order = "asc" | "desc";

/** A place in a sorted list. In the order of arrival the value is the row id itself. */
export interface Keyset {
  readonly value: number;
  readonly rowId: number;
}

/** A page whose cursor is written already. */
export interface SortedPage<Item> {
  readonly items: readonly Item[];
  /** Null exactly when nothing follows. */
  readonly nextCursor: string | null;
}

/** How the cursors of one order of one list are written: `sort` null is the order of arrival, whose cursor is the global id
 *  of the first row of the next page. */
export interface CursorForm {
  /** Type word of that global id. */
  readonly type: string;
  readonly sort: string | null;
}

const CURSOR = /^(\d{1,10}):([a-z_]+):(-?\d{1,16})$/;

export function writeKeyset({ type, sort }: CursorForm, { value, rowId }: Keyset): string {
  return sort === null ? globalId(type, rowId) : Buffer.from(`${rowId}:${sort}:${value}`, "utf8").toString("base64");
}

/** The place of the first row of the page; null without a cursor. Throws kind `invalid` for a malformed cursor and
 *  for one of another order. */
export function readKeyset({ sort }: CursorForm, cursor: string | undefined): Keyset | null {
  if (sort === null) {
    const rowId = readCursor(cursor);
    return rowId === null ? null : { value: rowId, rowId };
  }
  if (cursor === undefined || cursor === "") return null;
  const match = CURSOR.exec(Buffer.from(cursor, "base64").toString("utf8"));
  const place = { value: Number(match?.[3]), rowId: Number(match?.[1]) };
  if (match?.[2] !== sort || place.rowId > MAX_ROW_ID || !Number.isSafeInteger(place.value)) {
    throw fail("paging.invalid_cursor", "invalid", `Invalid cursor: ${cursor}`);
  }
  return place;
}

/** The page in rows that were read with one row more than the page has. */
export function sortedPage<Row>(
  rows: readonly Row[],
  limit: number,
  form: CursorForm,
  placeOf: (row: Row) => Keyset,
): SortedPage<Row> {
  const next = rows[limit];
  return { items: rows.slice(0, limit), nextCursor: next === undefined ? null : writeKeyset(form, placeOf(next)) };
}

/** The envelope of a sorted page. */
export function sortedBody<Item, Body>(page: SortedPage<Item>, body: (item: Item) => Body) {
  return { data: page.items.map(body), next_cursor: page.nextCursor };
}
