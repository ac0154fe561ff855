// How many edits two texts are apart.
import { distance } from "fastest-levenshtein";
import { fail } from "../../../../kernel/failure.ts";

/** Bytes of a text in UTF-8. The time is the product of both lengths; and so few bytes hold fewer different characters than there are
 *  UTF-16 units to rename them to. */
const MAX_BYTES = 100_000;

/** Insertions, deletions and replacements of a code point. Throws kind `too_large` that names the input. */
export function levenshteinDistance(expected: string, actual: string): number {
  requireShort("expected", expected);
  requireShort("actual", actual);
  // The library counts UTF-16 units: where one is not a character, every character is renamed to a unit.
  if (isInUnits(expected) && isInUnits(actual)) return distance(expected, actual);
  const units = new Map<string, string>();
  const renamed = (text: string) => Array.from(text, (character) => unitOf(units, character)).join("");
  return distance(renamed(expected), renamed(actual));
}

const SURROGATE = /[\ud800-\udfff]/;
const isInUnits = (text: string) => !SURROGATE.test(text);

function unitOf(units: Map<string, string>, character: string): string {
  const known = units.get(character);
  if (known !== undefined) return known;
  const unit = String.fromCharCode(units.size);
  units.set(character, unit);
  return unit;
}

function requireShort(name: string, text: string): void {
  // A UTF-16 unit takes three bytes at most.
  if (text.length * 3 <= MAX_BYTES) return;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES) return;
  throw fail(
    "evaluators.too_long",
    "too_large",
    `'${name}' has ${bytes} bytes; the distance of texts is computed up to ${MAX_BYTES} bytes`,
  );
}
