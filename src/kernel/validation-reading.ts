// What the readers of values share: the keywords that are understood, where a walk is, and how it reports a violation.
import type { Json } from "./json.ts";
import type { HintedSchema } from "./schema.ts";
import type { Violations } from "./violations.ts";

export interface Reading {
  /** Where the walk is now; copied into violations only. */
  readonly loc: (string | number)[];
  readonly violations: Violations;
}

/** Reads one value; undefined after a violation. */
export type Read = (input: Json, reading: Reading) => unknown;

/** The keywords of JSON Schema that are understood here. */
export interface Keywords extends HintedSchema {
  type?: string;
  format?: string;
  enum?: readonly string[];
  anyOf?: Keywords[];
  discriminator?: { propertyName: string };
  items?: Keywords;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  properties?: Record<string, Keywords>;
  required?: readonly string[];
  /** False refuses members that `properties` does not name. */
  additionalProperties?: boolean;
}

export function violate(
  { loc, violations }: Reading,
  type: string,
  msg: string,
  input: Json,
  ctx?: Record<string, unknown>,
): undefined {
  if (violations.isFull) violations.count();
  else violations.add({ type, loc: [...loc], msg, input, ...(ctx === undefined ? {} : { ctx }) });
}
