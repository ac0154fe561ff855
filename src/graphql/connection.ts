// Connections (docs/protocol/graphql.md#connections): the Relay shape around pages. A keyset cursor holds row id, order and sort
// value, an offset cursor a position; both are opaque to callers, and one that belongs to another list is a bad request.
import type { GraphQLResolveInfo } from "graphql";
import { fail } from "../kernel/failure.ts";
import {
  findPlace,
  type PageStart,
  type PlacedPage,
  type PlaceKind,
  type RowWindow,
  startBehind,
  writeCursor,
} from "../kernel/list.ts";
import { type GraphqlCall, MAX_ANSWERED_ROWS } from "./call.ts";
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

function badCursor(cursor: string) {
  return fail("graphql.invalid_cursor", "invalid", `The cursor after: ${cursor} is not one of this list`);
}

/** Where the page behind the cursor begins; null without one. Throws kind `invalid` for a malformed cursor and for one of another
 *  order. */
export function readStart(word: string, cursor: Nullish<string>, kind?: PlaceKind): PageStart | null {
  if (cursor === null || cursor === undefined || cursor === "") return null;
  const place = findPlace(word, cursor, kind);
  if (place === null) throw badCursor(cursor);
  return startBehind(place);
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

/** A page as a connection; `word` names the order of its list in the cursors. */
export function pageConnection<Node>(
  field: ResolvedField,
  { items, places, next }: PlacedPage<Node>,
  word: string,
): Connection<Node> {
  const edgeOf = (node: Node, position: number) => edge(node, () => writeCursor(word, places[position]!));
  return connectionOf(field, items, edgeOf, { hasNextPage: next !== null, hasPreviousPage: false });
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

const NAME_MARK = "name:";

/** The name in a cursor of a list that is sorted by unique names; null without one. Throws kind `invalid` for other cursors. */
export function readNameCursor(cursor: Nullish<string>): string | null {
  if (cursor === null || cursor === undefined || cursor === "") return null;
  const text = Buffer.from(cursor, "base64").toString("utf8");
  if (!text.startsWith(NAME_MARK)) throw badCursor(cursor);
  return text.slice(NAME_MARK.length);
}

/** The page in rows that were read with one row more than the page has, sorted by unique names. */
export function nameConnection<Node>(
  field: ResolvedField,
  rows: readonly Node[],
  limit: number,
  nameOf: (row: Node) => string,
): Connection<Node> {
  const edgeOf = (node: Node) =>
    edge(node, () => Buffer.from(`${NAME_MARK}${nameOf(node)}`, "utf8").toString("base64"));
  return connectionOf(field, rows.slice(0, limit), edgeOf, {
    hasNextPage: rows.length > limit,
    hasPreviousPage: false,
  });
}

interface OffsetArguments {
  readonly first?: Nullish<number>;
  readonly last?: Nullish<number>;
  readonly after?: Nullish<string>;
  readonly before?: Nullish<string>;
}

/** Rows of a page where none are asked for. */
export const DEFAULT_FIRST = 50;

const OFFSET = /^offset:(\d{1,9})$/;
const writeOffset = (position: number) => Buffer.from(`offset:${position}`, "utf8").toString("base64");

function readOffset(cursor: string): number {
  const match = OFFSET.exec(Buffer.from(cursor, "base64").toString("utf8"));
  if (match === null) throw badCursor(cursor);
  return Number(match[1]);
}

/** The positions of a page: from `begin` to before `end` of so many rows. */
interface OffsetWindow {
  readonly begin: number;
  readonly end: number;
  readonly count: number;
}

/** Between the cursors, `first` from the beginning of the list, then `last` from its end. Throws kind `invalid` for negative numbers
 *  and foreign cursors. */
export function offsetWindow(page: OffsetArguments, count: number): OffsetWindow {
  const { last } = page;
  // The default is in the schema, so that a sent 50 looks like the default: kept as `first`, it would make `last` count
  // from the end of the first page.
  const first = typeof last === "number" && page.first === DEFAULT_FIRST ? null : page.first;
  if (typeof first === "number" && first < 0) throw argumentRefused("first", "must not be negative");
  if (typeof last === "number" && last < 0) throw argumentRefused("last", "must not be negative");
  let begin = page.after ? readOffset(page.after) + 1 : 0;
  let end = Math.min(count, page.before ? readOffset(page.before) : count);
  if (typeof first === "number") end = Math.min(end, begin + first);
  if (typeof last === "number") begin = Math.max(begin, end - last);
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

interface CountedList<Node> {
  readonly count: () => Promise<number>;
  readonly read: (window: RowWindow) => Promise<readonly Node[]>;
}

/** The page of a list of which only the rows of the page are read. Throws as `offsetWindow` does, and before it reads kind `invalid` for
 *  more rows than one answer may hold. */
export async function countedConnection<Node>(
  field: ResolvedField,
  page: OffsetArguments,
  { count, read }: CountedList<Node>,
): Promise<Connection<Node>> {
  const window = offsetWindow(page, await count());
  const limit = window.end - window.begin;
  if (limit > MAX_ANSWERED_ROWS) chargeRows(field, limit);
  return windowConnection(field, limit > 0 ? await read({ offset: window.begin, limit }) : [], window);
}

/** The page of a list that is held whole. Throws as `offsetWindow` does. */
export function offsetConnection<Node>(
  field: ResolvedField,
  nodes: readonly Node[],
  page: OffsetArguments,
): Connection<Node> {
  const window = offsetWindow(page, nodes.length);
  return windowConnection(field, nodes.slice(window.begin, window.end), window);
}
