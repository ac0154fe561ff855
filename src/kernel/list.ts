// Lists page by page, for both APIs. A list is sorted by a value and then by row id, both in one direction; null values come last in
// either direction. So no row is skipped or repeated, whatever arrives between two pages. Cursors name a place, are exact and opaque
// to clients, and are spelt in two ways: over REST a cursor names the first row of the next page (docs/protocol/rest.md#pages), in
// GraphQL the last row of its own page (docs/protocol/graphql.md#connections).
import { fail } from "./failure.ts";
import { findGlobalId, globalId, MAX_ROW_ID } from "./ids.ts";

export type Order = "asc" | "desc";

/** The order of row ids, where a list has it among its sorts. */
export const ARRIVAL = "arrival";

/** A place in a list. In the order of arrival the value is the row id itself. */
export interface ListPlace {
  readonly value: number | null;
  readonly rowId: number;
  /** In an order of texts, in the place of the value. */
  readonly text?: string;
}

/** Where a page begins: with the row at the place, or with the first one behind it. */
export interface PageStart {
  readonly place: ListPlace;
  readonly included: boolean;
}

/** Which rows of a list are asked for. */
export interface PageRequest {
  /** Null begins at the end that the order names. */
  readonly start: PageStart | null;
  readonly limit: number;
  /** The list ends before the row at the place. */
  readonly end?: ListPlace | null;
  /** The last rows of the list, in its order; what follows is what stands before them. Asked of `readPage` and `readPages` only. */
  readonly backward?: boolean;
}

/** Most rows of one page over REST, also when a larger limit was sent; the cursor leads to the rest. */
export const MAX_PAGE_ROWS = 10_000;

export interface SortedRequest<Sort> extends PageRequest {
  readonly sort: Sort;
  readonly order: Order;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The place of the first row behind the page; null exactly when nothing follows. */
  readonly next: ListPlace | null;
}

/** A page as it was read, with the place of each item. */
export interface PlacedPage<Row> extends Page<Row> {
  readonly places: readonly ListPlace[];
}

/** What a list is: both APIs are made from it. */
export interface ListSpec<Sort extends string> {
  /** Type word of the global ids of its rows. */
  readonly type: string;
  /** In the words of GraphQL; over REST they are written in snake case. */
  readonly sorts: readonly Sort[];
  /** Names an order in the cursors of GraphQL. */
  readonly orderWord: (sort: Sort, order: Order) => string;
}

export const orderWord = (sort: string, order: Order) => `${sort}${order === "desc" ? "Desc" : "Asc"}`;

const CURSOR = /^(\d{1,10}):([A-Za-z_]+):(.*)$/s;
/** What a list is sorted by: `double` is any finite number. Integers may be missing, too. */
export type PlaceKind = "integer" | "double" | "doubleOrNull" | "text";
const INTEGER = /^-?\d{1,16}$/;
const DOUBLE = /^-?\d{1,21}(?:\.\d{1,30})?(?:e[-+]\d{1,3})?$/;
/** UTF-16 units of a text in a cursor: as long as the longest name. */
const LONGEST_PLACE_TEXT = 1024;

/** `word` names the order of the list. */
export function writeCursor(word: string, { value, rowId, text }: ListPlace): string {
  return Buffer.from(`${rowId}:${word}:${text ?? value}`, "utf8").toString("base64");
}

/** The place in a cursor; null for a malformed one and for one of another order. */
export function findPlace(word: string, cursor: string, kind: PlaceKind = "integer"): ListPlace | null {
  const [, id, order, written = ""] = CURSOR.exec(Buffer.from(cursor, "base64").toString("utf8")) ?? [];
  const rowId = Number(id);
  if (order !== word || rowId > MAX_ROW_ID) return null;
  if (kind === "text") {
    const isText = written.length <= LONGEST_PLACE_TEXT && !written.includes("\0");
    return isText ? { value: null, text: written, rowId } : null;
  }
  if (kind !== "double" && written === "null") return { value: null, rowId };
  const value = (kind === "integer" ? INTEGER : DOUBLE).test(written) ? Number(written) : Number.NaN;
  const isValue = kind === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isValue ? { value, rowId } : null;
}

/** How the cursors of one order of one list are written over REST: `word` null is the order of arrival, whose cursor is the global
 *  id of a row. */
export interface RestCursors {
  /** Type word of that global id. */
  readonly type: string;
  readonly word: string | null;
}

/** The cursors of a list that is only sorted by arrival. */
export const arrivalCursors = (type: string): RestCursors => ({ type, word: null });

export function restCursors<Sort extends string>({ type }: ListSpec<Sort>, sort: Sort): RestCursors {
  return { type, word: sort === ARRIVAL ? null : snakeCase(sort) };
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function writeRestCursor({ type, word }: RestCursors, place: ListPlace): string {
  return word === null ? globalId(type, place.rowId) : writeCursor(word, place);
}

/** Null without a cursor. In the order of arrival only the number counts, not the type word. Throws kind `invalid` for a malformed
 *  cursor and for one of another order. */
export function readRestCursor({ word }: Pick<RestCursors, "word">, cursor: string | undefined): ListPlace | null {
  if (cursor === undefined || cursor === "") return null;
  const place = word === null ? arrivalPlace(findGlobalId(cursor)?.rowId ?? -1) : findPlace(word, cursor);
  const isPlace = place !== null && place.value !== null && place.rowId >= 0;
  if (!isPlace) throw fail("paging.invalid_cursor", "invalid", `Invalid cursor: ${cursor}`);
  return place;
}

/** What REST asks for: `cursor` as sent; absent and empty mean the first page. */
export interface RestRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The page that is asked for, of at most `most` rows. Throws kind `invalid` for the cursor. */
export function requestedPage(
  cursors: RestCursors,
  { limit, cursor }: RestRequest,
  most: number = MAX_PAGE_ROWS,
): PageRequest {
  return { start: startAt(readRestCursor(cursors, cursor)), limit: Math.min(limit, most) };
}

const arrivalPlace = (rowId: number): ListPlace => ({ value: rowId, rowId });

/** The page begins with the row at the place, as the cursors of REST mean it. */
export function startAt(place: ListPlace | null): PageStart | null {
  return place === null ? null : { place, included: true };
}

/** The page begins behind the row at the place, as the cursors of GraphQL mean it. */
export function startBehind(place: ListPlace | null): PageStart | null {
  return place === null ? null : { place, included: false };
}

/** Rows to read for a page: one more than it has, by which the end of the list is known. */
export function rowsWanted(limit: number): number {
  return limit + 1;
}

/** The page in rows that were read with one row more than the page has. */
export function pageOfRows<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => ListPlace,
): PlacedPage<Row> {
  const places = rows.map(placeOf);
  return { items: rows.slice(0, limit), places: places.slice(0, limit), next: places[limit] ?? null };
}

/** The first rows of a page alone: the others follow on the next one. */
export function beginningOf<Row>({ items, places, next }: PlacedPage<Row>, count: number): PlacedPage<Row> {
  return { items: items.slice(0, count), places: places.slice(0, count), next: places[count] ?? next };
}

/** How many of the rows, in their order, take at most `most` together; at least one. */
export function countFitting<Row>(rows: readonly Row[], most: number, sizeOf: (row: Row) => number): number {
  let taken = 0;
  const tooMany = rows.findIndex((row, position) => {
    taken += sizeOf(row);
    return position > 0 && taken > most;
  });
  return tooMany < 0 ? rows.length : tooMany;
}

/** A whole list, from a place on, read page by page. */
export async function wholeList<Item>(
  read: (request: PageRequest) => Promise<Page<Item>>,
  from: PageStart | null = null,
): Promise<Item[]> {
  const items: Item[] = [];
  let start = from;
  do {
    const page = await read({ start, limit: MAX_PAGE_ROWS });
    items.push(...page.items);
    start = startAt(page.next);
  } while (start !== null);
  return items;
}

/** The page of what its items become. */
export function mapPage<Item, Other>(
  { items, places, next }: PlacedPage<Item>,
  itemOf: (item: Item) => Other,
): PlacedPage<Other> {
  return { items: items.map((item) => itemOf(item)), places, next };
}

export const emptyPage: PlacedPage<never> = { items: [], places: [], next: null };

/** The page that is asked for over REST of a list that comes newest first, in its envelope. `type`: of the global ids in its cursors.
 *  Throws kind `invalid` for the cursor. */
export async function newestFirst<Item, Body>(
  type: string,
  page: RestRequest,
  read: (request: SortedRequest<typeof ARRIVAL>) => Promise<Page<Item>>,
  body: (item: Item) => Body,
) {
  const cursors = arrivalCursors(type);
  return pageBody(await read({ ...requestedPage(cursors, page), sort: ARRIVAL, order: "desc" }), cursors, body);
}

/** The envelope of a page over REST. */
export function pageBody<Item, Body>({ items, next }: Page<Item>, cursors: RestCursors, body: (item: Item) => Body) {
  return { data: items.map(body), next_cursor: next === null ? null : writeRestCursor(cursors, next) };
}
