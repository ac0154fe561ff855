// Connections (docs/protocol/graphql.md#connections): the Relay shape around pages. A cursor holds row id, order and sort value, or
// a position in a list that is held whole; both are opaque to callers, and one that belongs to another list is a bad request.
import type { GraphQLResolveInfo } from "graphql";
import { fail } from "../kernel/failure.ts";
import {
  ARRIVAL,
  emptyPage,
  findPlace,
  type ListPlace,
  type Order,
  orderWord,
  type PageStart,
  type PlacedPage,
  type PlaceKind,
  type SortedRequest,
  startBehind,
  writeCursor,
} from "../kernel/list.ts";
import { exceedsBytes } from "../model/attributes/text.ts";
import { MAX_KEY_BYTES } from "../model/span.ts";
import { type GraphqlCall, MAX_ANSWERED_ROWS, MAX_VALUES } from "./call.ts";
import { fieldsBelow } from "./selection.ts";

export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
}

/** The field that is being resolved. */
interface ResolvedField {
  readonly call: GraphqlCall;
  readonly info: GraphQLResolveInfo;
}

/** Counts the rows that a field answers with, by what is selected of each. Throws kind `invalid` beyond what one answer may hold. */
export function chargeRows({ call, info }: ResolvedField, rows: number): void {
  call.charge(rows * fieldsBelow(info), rows);
}

/** Rows of one page of the bounded connections. */
export const MAX_FIRST = 1000;

type Nullish<Value> = Value | null | undefined;

type CursorArgument = "after" | "before";

function badCursor(argument: CursorArgument, cursor: string) {
  return fail("graphql.invalid_cursor", "invalid", `The cursor ${argument}: ${cursor} is not one of this list`);
}

/** The place in the cursor of the argument; null without one. Throws kind `invalid` for a malformed cursor and for one of another
 *  order. */
function readPlace(
  argument: CursorArgument,
  cursor: Nullish<string>,
  { word, kind }: { readonly word: string; readonly kind?: PlaceKind | undefined },
): ListPlace | null {
  if (cursor === null || cursor === undefined || cursor === "") return null;
  const place = findPlace(word, cursor, kind);
  if (place === null) throw badCursor(argument, cursor);
  return place;
}

/** Where the page behind the cursor begins; null without one. Throws kind `invalid` for a malformed cursor and for one of another
 *  order. */
export function readStart(word: string, cursor: Nullish<string>, kind?: PlaceKind): PageStart | null {
  return startBehind(readPlace("after", cursor, { word, kind }));
}

export interface BoundedArguments {
  readonly first: number;
  readonly after?: Nullish<string>;
  readonly last?: Nullish<number>;
  readonly before?: Nullish<string>;
}

/** Rows of the page of a bounded connection, which only goes forward. Throws kind `invalid` that names the argument. */
export function requireBounded({ first, last, before }: BoundedArguments): number {
  if (last !== null && last !== undefined) throw argumentRefused("last", "this list is only paged forward");
  if (before !== null && before !== undefined) throw argumentRefused("before", "this list is only paged forward");
  if (first < 1 || first > MAX_FIRST) throw argumentRefused("first", `must be from 1 to ${MAX_FIRST}`);
  return first;
}

export function argumentRefused(name: string, why: string) {
  return fail("graphql.invalid_argument", "invalid", `${name}: ${why}`);
}

/** For names and identifiers, which are keys of an index. */
export function requireKey(name: string, text: string): void {
  if (exceedsBytes(text, MAX_KEY_BYTES)) throw argumentRefused(name, `must not be longer than ${MAX_KEY_BYTES} bytes`);
}

/** A page as a connection; `word` names the order of its list in the cursors. */
export function pageConnection<Node>(
  field: ResolvedField,
  { items, places, next }: PlacedPage<Node>,
  word: string,
  more = { hasNextPage: next !== null, hasPreviousPage: false },
): Connection<Node> {
  const edgeOf = (node: Node, position: number) => edge(node, () => writeCursor(word, places[position]!));
  return connectionOf(field, items, edgeOf, more);
}

/** The order of a list, and its word in cursors. */
export interface CursorOrder<Sort> {
  readonly sort: Sort;
  readonly order: Order;
  readonly kind: PlaceKind;
  readonly word: string;
}

export function cursorOrder<Sort extends string>(sort: Sort, order: Order, kind: PlaceKind = "integer") {
  return { sort, order, kind, word: orderWord(sort, order) } satisfies CursorOrder<Sort>;
}

/** By unique names. */
export const BY_NAME = cursorOrder("name", "asc", "text");
/** By row ids. */
export const NEWEST_FIRST = cursorOrder(ARRIVAL, "desc");

/** The page that is asked for between the cursors: `first` from the beginning of the list, then `last` from its end. Only its rows are
 *  read. Throws kind `invalid` for negative numbers, foreign cursors and more rows than one answer may hold. */
export async function listConnection<Node, Sort>(
  field: ResolvedField,
  page: PagingArguments,
  inOrder: CursorOrder<Sort>,
  read: (request: SortedRequest<Sort>) => Promise<PlacedPage<Node> | null>,
): Promise<Connection<Node>> {
  const { first, last } = requestedRows(page);
  const backward = first === null && last !== null;
  const wanted = (backward ? last : first) ?? Number.POSITIVE_INFINITY;
  const limit = Math.min(wanted, MAX_ANSWERED_ROWS, Math.ceil(MAX_VALUES / fieldsBelow(field.info)));
  const start = startBehind(readPlace("after", page.after, inOrder));
  const end = readPlace("before", page.before, inOrder);
  const { sort, order, word } = inOrder;
  const found = (await read({ sort, order, start, end, limit, backward })) ?? emptyPage;
  if (found.next !== null && limit < wanted) chargeRows(field, limit + 1);
  const left = backward || last === null ? 0 : Math.max(0, found.items.length - last);
  const [before, behind] = [start !== null || left > 0, end !== null];
  return pageConnection(field, { ...found, items: found.items.slice(left), places: found.places.slice(left) }, word, {
    hasNextPage: behind || (!backward && found.next !== null),
    hasPreviousPage: before || (backward && found.next !== null),
  });
}

/** Cursors are written when they are asked for: of most rows none is. */
function edge<Node>(node: Node, writeCursorOf: () => string): Edge<Node> {
  return {
    node,
    get cursor() {
      return writeCursorOf();
    },
  };
}

function connectionOf<Node>(
  field: ResolvedField,
  nodes: readonly Node[],
  edgeOf: (node: Node, position: number) => Edge<Node>,
  more: Pick<PageInfo, "hasNextPage" | "hasPreviousPage">,
): Connection<Node> {
  chargeRows(field, nodes.length);
  const edges = nodes.map(edgeOf);
  const startCursor = edges[0]?.cursor ?? null;
  return { edges, pageInfo: { ...more, startCursor, endCursor: edges.at(-1)?.cursor ?? null } };
}

interface PagingArguments {
  readonly first?: Nullish<number>;
  readonly last?: Nullish<number>;
  readonly after?: Nullish<string>;
  readonly before?: Nullish<string>;
}

/** Rows of a page where none are asked for. */
export const DEFAULT_FIRST = 50;

const OFFSET = /^offset:(\d{1,9})$/;
const writeOffset = (position: number) => Buffer.from(`offset:${position}`, "utf8").toString("base64");

function readOffset(argument: CursorArgument, cursor: string): number {
  const match = OFFSET.exec(Buffer.from(cursor, "base64").toString("utf8"));
  if (match === null) throw badCursor(argument, cursor);
  return Number(match[1]);
}

/** The positions of a page: from `begin` to before `end` of so many rows. */
interface OffsetWindow {
  readonly begin: number;
  readonly end: number;
  readonly count: number;
}

/** Null is any number of rows. Throws kind `invalid` for negative numbers. */
function requestedRows({ first = null, last = null }: PagingArguments) {
  if (first !== null && first < 0) throw argumentRefused("first", "must not be negative");
  if (last !== null && last < 0) throw argumentRefused("last", "must not be negative");
  // The default is in the schema, so that a sent 50 looks like the default: kept as `first`, it would make `last` count
  // from the end of the first page.
  return { first: last !== null && first === DEFAULT_FIRST ? null : first, last };
}

/** Between the cursors, `first` from the beginning of the list, then `last` from its end. Throws kind `invalid` for negative numbers
 *  and foreign cursors. */
export function offsetWindow(page: PagingArguments, count: number): OffsetWindow {
  const { first, last } = requestedRows(page);
  let begin = page.after ? readOffset("after", page.after) + 1 : 0;
  let end = Math.min(count, page.before ? readOffset("before", page.before) : count);
  if (first !== null) end = Math.min(end, begin + first);
  if (last !== null) begin = Math.max(begin, end - last);
  return { begin, end, count };
}

/** The page of a list of which only the rows of the window were read. */
export function windowConnection<Node>(
  field: ResolvedField,
  nodes: readonly Node[],
  { begin, end, count }: OffsetWindow,
): Connection<Node> {
  const edgeOf = (node: Node, position: number) => edge(node, () => writeOffset(begin + position));
  return connectionOf(field, nodes, edgeOf, { hasNextPage: end < count, hasPreviousPage: begin > 0 });
}

/** The page of a list that is held whole. Throws as `offsetWindow` does. */
export function offsetConnection<Node>(
  field: ResolvedField,
  nodes: readonly Node[],
  page: PagingArguments,
): Connection<Node> {
  const window = offsetWindow(page, nodes.length);
  return windowConnection(field, nodes.slice(window.begin, window.end), window);
}
