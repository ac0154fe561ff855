// How a group is split: two ways, of which one is named.
import { splitOfNothing } from "../failures.errors.ts";

/** A fingerprint of a merged group, or the spans with a value of an attribute (by its dotted name). */
export type GivenSplit = { readonly fingerprint: string } | { readonly attribute: string; readonly value: string };

type Given = string | null | undefined;

/** Throws kind `invalid` unless exactly one way is named. */
export function requireSplit(given: {
  readonly fingerprint?: Given;
  readonly attribute?: Given;
  readonly value?: Given;
}): GivenSplit {
  const { fingerprint, attribute, value } = given;
  if (fingerprint && attribute == null && value == null) return { fingerprint };
  if (fingerprint == null && attribute && value != null) return { attribute, value };
  throw splitOfNothing();
}
