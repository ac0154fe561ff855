// Pages of lists: the two parameters, the envelope and the cursor, which is the global id of the first row of the next page
// (docs/protocol/rest.md#pages).
import { type TSchema, Type } from "@sinclair/typebox";
import { fail } from "./failure.ts";
import { findGlobalId, globalId } from "./ids.ts";
import { Nullable } from "./schema.ts";

/** Most rows of one page, also when a larger limit was sent; the cursor leads to the rest. */
export const MAX_PAGE_ROWS = 10_000;

export interface PageRequest {
  readonly limit: number;
  /** As sent; absent and empty mean the first page. */
  readonly cursor?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Row id of the first row of the next page; null at the end. */
  readonly nextRowId: number | null;
}

export const cursorParameter = Type.Optional(
  Type.String({ description: "`next_cursor` of the page before: the page begins with that row." }),
);

/** The parameter `limit`: above 0, and at most `maximum` where the list has one. */
export function limitParameter(options: { readonly default: number; readonly maximum?: number }) {
  return Type.Integer({ exclusiveMinimum: 0, description: "Rows of a page.", ...options });
}

/** The envelope of a list. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({ data: Type.Array(item), next_cursor: Nullable(Type.String()) });
}

/** The row id in a cursor; null without one. Only the number counts, not the word before it. Throws kind `invalid`. */
export function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined || cursor === "") return null;
  const id = findGlobalId(cursor);
  if (id === null || id.rowId < 0) throw fail("paging.invalid_cursor", "invalid", `Invalid cursor: ${cursor}`);
  return id.rowId;
}

/** The page in rows that were read with one row more than the page has. */
export function pageFrom<Item>(items: readonly Item[], limit: number, rowId: (item: Item) => number): Page<Item> {
  const next = items[limit];
  return { items: items.slice(0, limit), nextRowId: next === undefined ? null : rowId(next) };
}

/** The envelope of a page; `type` is the word of the cursor. */
export function pageBody<Item, Body>(page: Page<Item>, type: string, body: (item: Item) => Body) {
  return {
    data: page.items.map(body),
    next_cursor: page.nextRowId === null ? null : globalId(type, page.nextRowId),
  };
}
