// What a page reports of an error in it.
import { type Static, Type } from "@sinclair/typebox";
import type { Json } from "../../../kernel/json.ts";
import { Nullable, Ruled } from "../../../kernel/schema.ts";

/** Members that hold the texts of a report. */
const TEXTS = ["message", "stack", "url", "user_agent", "attributes"];

function holdsNul(value: Json | undefined): boolean {
  if (typeof value === "string") return value.includes("\0");
  return typeof value === "object" && value !== null && Object.entries(value).flat().some(holdsNul);
}

export const ClientError = Ruled(
  Type.Object({
    message: Type.String({ minLength: 1 }),
    stack: Type.Optional(Nullable(Type.String())),
    url: Type.Optional(Nullable(Type.String())),
    user_agent: Type.Optional(Nullable(Type.String())),
    attributes: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  ({ attributes = {} }, input) => {
    const other = Object.entries(attributes).find(([, value]) => typeof value !== "string");
    if (other !== undefined) return `attributes.${other[0]}: must be a text`;
    const name = TEXTS.find((text) => holdsNul(input[text] as Json | undefined));
    return name === undefined ? null : `${name}: must hold no NUL character`;
  },
);
export type ClientError = Static<typeof ClientError>;
