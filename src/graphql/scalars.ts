// Values that travel as scalars (docs/protocol/graphql.md#scalars). Inside, an instant is a number of microseconds UTC.
import { GraphQLError, GraphQLFloat, GraphQLInt, Kind, print, type ValueNode, valueFromASTUntyped } from "graphql";
import { fail } from "../kernel/failure.ts";
import { doubleToJson, type Json, numberOf } from "../kernel/json.ts";
import { formatInstant } from "../kernel/time.ts";
import { parseIsoInstant } from "./iso-date.ts";

function instantOf(value: unknown): number {
  const instant = typeof value === "string" ? parseIsoInstant(value) : null;
  if (instant !== null) return instant.microseconds;
  throw fail("graphql.invalid_date", "invalid", `Not a date and time in ISO 8601: ${JSON.stringify(value)}`);
}

export const dateTimeScalar = {
  name: "DateTime",
  description: "ISO 8601 with offset, to the microsecond; always UTC in answers.",
  serialize: (value: unknown) => formatInstant(value as number),
  parseValue: instantOf,
  parseLiteral: (node: ValueNode) => instantOf(valueFromASTUntyped(node)),
};

const IDENTIFIER = /^[a-z0-9](?:[_a-z0-9-]*[a-z0-9])?$/;

function identifierOf(value: unknown): string {
  if (typeof value === "string" && IDENTIFIER.test(value)) return value;
  const rule = "lower-case letters, digits, - and _ only, first and last a letter or digit";
  throw fail("graphql.invalid_identifier", "invalid", `Not an identifier (${rule}): ${JSON.stringify(value)}`);
}

export const identifierScalar = {
  name: "Identifier",
  description: "A name for addresses and code: lower-case letters, digits, - and _; first and last a letter or digit.",
  serialize: (value: unknown) => String(value),
  parseValue: identifierOf,
  parseLiteral: (node: ValueNode) => identifierOf(valueFromASTUntyped(node)),
};

export const jsonScalar = {
  name: "JSON",
  description: "Any JSON value.",
  serialize: (value: unknown) => value,
};

const { serialize, parseValue: parseInteger, parseLiteral: readInteger } = GraphQLInt;
const { parseValue: parseDouble, parseLiteral: readDouble, serialize: serializeDouble } = GraphQLFloat;

/** Numbers as programs write and read them; the types are the library's own, which every schema shares.
 *
 *  - Counts may pass 32 bits, and no stored count may break an answer: `Int` in answers is exact up to 2^53. Arguments stay what
 *    GraphQL allows.
 *  - Arguments may have every spelling of JSON: `1`, `1.0` and `1e0` are the same `Int` and the same `Float`.
 *  - A whole `Float` keeps its fraction in answers (`1.0`). */
export function readEverySpelling(): void {
  GraphQLInt.serialize = (value) => (Number.isSafeInteger(value) ? (value as number) : serialize(value));
  GraphQLInt.parseValue = (value) => parseInteger(numberOf(value as Json) ?? value);
  GraphQLInt.parseLiteral = (node, variables) =>
    node.kind === Kind.FLOAT ? parseInteger(Number(node.value)) : readInteger(node, variables);
  GraphQLFloat.parseValue = (value) => parseDouble(numberOf(value as Json) ?? value);
  GraphQLFloat.parseLiteral = (node, variables) => {
    const value = readDouble(node, variables);
    if (Number.isFinite(value)) return value;
    throw new GraphQLError(`Float cannot represent a number beyond the range of a double: ${print(node)}`, {
      nodes: node,
    });
  };
  GraphQLFloat.serialize = (value) => doubleToJson(serializeDouble(value)) as number;
}
