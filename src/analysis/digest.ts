// Stable names of things that are identified by text: they are stored and stand in addresses, so they never change with a version of
// the runtime.
import { createHash } from "node:crypto";

/** 128 bits are never equal by chance. */
const HEX_DIGITS = 32;
/** Stands between the parts; no part holds it. */
const SEPARATOR = "\u0000";

/** The first 128 bits of SHA-256 over the parts in order, as lower-case hexadecimal. */
export function digestOf(parts: readonly string[]): string {
  return createHash("sha256").update(parts.join(SEPARATOR)).digest("hex").slice(0, HEX_DIGITS);
}
