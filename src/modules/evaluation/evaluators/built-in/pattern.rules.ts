// Regular expressions of users, in Python's syntax, run by an engine whose time is linear in the text.
import { RE2JS } from "re2js";
import { fail } from "../../../../kernel/failure.ts";

/** Characters of a pattern. */
const MAX_PATTERN_CHARACTERS = 10_000;
/** Instructions of a compiled pattern; each may take a step a character. */
const MAX_PROGRAM_SIZE = 50_000;

/** Python's meaning of escapes that RE2 reads otherwise or not at all: letters and digits of every script, the end of the text. */
const escapes: Readonly<Record<string, { readonly outside: string; readonly inside: string | null }>> = {
  w: { outside: "[\\p{L}\\p{N}_]", inside: "\\p{L}\\p{N}_" },
  W: { outside: "[^\\p{L}\\p{N}_]", inside: null },
  d: { outside: "\\p{Nd}", inside: "\\p{Nd}" },
  D: { outside: "\\P{Nd}", inside: "\\P{Nd}" },
  s: { outside: "[\\s\\x0b\\x1c-\\x1f\\x85\\p{Z}]", inside: "\\s\\x0b\\x1c-\\x1f\\x85\\p{Z}" },
  S: { outside: "[^\\s\\x0b\\x1c-\\x1f\\x85\\p{Z}]", inside: null },
  Z: { outside: "\\z", inside: null },
};

export interface CompiledPattern {
  /** Anywhere in the text, or `whole` for all of it. */
  matches(text: string, whole: boolean): boolean;
}

/** Throws kind `invalid`: `Invalid regex pattern: …`. */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > MAX_PATTERN_CHARACTERS)
    throw invalidPattern(`it is longer than ${MAX_PATTERN_CHARACTERS} characters`);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(ofPython(source), RE2JS.LOOKBEHINDS);
  } catch (error) {
    throw invalidPattern(reasonOf(source, error as Error));
  }
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw invalidPattern("its repetitions are too large");
  return { matches: (text, whole) => (whole ? compiled.testExact(text) : compiled.test(text)) };
}

const BEYOND_LINEAR = /\(\?[=!]|\(\?P=|\(\?\(|\\[1-9]/;

function reasonOf(source: string, error: Error): string {
  if (BEYOND_LINEAR.test(source)) {
    return "lookahead and references to groups are not supported, because a pattern runs in linear time";
  }
  return error.message.replace(/^error parsing regexp: /, "");
}

function invalidPattern(reason: string) {
  return fail("evaluators.pattern", "invalid", `Invalid regex pattern: ${reason}`);
}

/** Rewrites escapes; a class such as `[\W]` keeps the engine's ASCII meaning of it. */
function ofPython(source: string): string {
  let written = "";
  let isInside = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!;
    if (character === "\\" && at + 1 < source.length) {
      const next = source[++at]!;
      const known = escapes[next];
      written += (isInside ? known?.inside : known?.outside) ?? unicodeEscape(source, at) ?? `\\${next}`;
      if (next === "u" && unicodeEscape(source, at) !== null) at += 4;
      continue;
    }
    if (character === "[" && !isInside) {
      isInside = true;
      // A bracket right behind the beginning is a character of the class.
      const start = /^\[\^?\]?/.exec(source.slice(at, at + 3))![0];
      written += start.endsWith("]") ? `${start.slice(0, -1)}\\]` : start;
      at += start.length - 1;
      continue;
    }
    if (character === "]") isInside = false;
    // A bracket inside a class is a character, and no class of POSIX.
    written += character === "[" ? "\\[" : character;
  }
  return written;
}

function unicodeEscape(source: string, at: number): string | null {
  const digits = source[at] === "u" ? /^[0-9a-fA-F]{4}/.exec(source.slice(at + 1, at + 5)) : null;
  return digits === null ? null : `\\x{${digits[0]}}`;
}
