// Pages of lists over REST: the two parameters and the shape of the envelope (docs/protocol/rest.md#pages).
import { type TSchema, Type } from "@sinclair/typebox";
import { Nullable } from "./schema.ts";

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
