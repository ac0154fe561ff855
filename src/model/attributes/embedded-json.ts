// Reads JSON that travels as text inside attributes, as leniently as Python's reader and never deeper than the databases
// read it.
import { type Json, parseJson } from "../../kernel/json.ts";
import { MAX_VALUE_DEPTH } from "./depth.ts";
import { storableJson } from "./text.ts";

// What JSON may begin with, so that ordinary text costs no exception.
const BEGINNING = /^[ \t\n\r]*[{["\-0-9tfnNI]/;
const UNSTORABLE = /\\u(?:0000|[dD][89a-fA-F])/;
const LITERALS = ["NaN", "Infinity", "-Infinity"];

const QUOTE = 34;
const BACKSLASH = 92;

/** The value of a JSON text, or undefined for other text and for JSON that is too deep. `NaN` and the infinities are read too: as
 *  numbers on their own, as null inside (they are stored as null). */
export function parseEmbeddedJson(text: string): Json | undefined {
  if (!BEGINNING.test(text) || isTooDeep(text)) return undefined;
  const value = parse(text) ?? parseWithLiterals(text);
  return value !== undefined && value !== null && UNSTORABLE.test(text) ? storableJson(value) : value;
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function parseWithLiterals(text: string): Json | undefined {
  if (!/NaN|Infinity/.test(text)) return parse(text);
  const alone = text.trim();
  return LITERALS.includes(alone) ? Number(alone) : parse(literalsAsNull(text));
}

/** Every literal outside of texts becomes null. */
function literalsAsNull(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfText(text, i);
      continue;
    }
    const literal = LITERALS.find((each) => text.startsWith(each, i));
    if (literal === undefined) continue;
    pieces.push(text.slice(copied, i), "null");
    copied = i + literal.length;
    i = copied - 1;
  }
  return pieces.join("") + text.slice(copied);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfText(text, i);
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > MAX_VALUE_DEPTH) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}

/** Position of the quote that closes the text beginning at `start`, or the end of everything. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i += 1;
    else if (code === QUOTE) return i;
  }
  return text.length;
}
