// Reads one text literal with the escapes of Python.

type TextLiteral =
  | { readonly kind: "text"; readonly value: string; readonly end: number }
  | { readonly kind: "wrong"; readonly message: string };

const SIMPLE: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Reads from behind the opening quote; `end` is behind the closing one. A raw literal keeps its backslashes. */
export function readTextLiteral(source: string, start: number, quote: string, raw: boolean): TextLiteral {
  const parts: string[] = [];
  let at = start;
  for (;;) {
    if (source.startsWith(quote, at))
      return { kind: "text", value: parts.join("").toWellFormed(), end: at + quote.length };
    const character = source[at];
    if (character === undefined || (quote.length === 1 && (character === "\n" || character === "\r")))
      return { kind: "wrong", message: `unterminated${quote.length === 3 ? " triple-quoted" : ""} string literal` };
    if (character !== "\\") {
      parts.push(character);
      at += 1;
    } else if (raw) {
      parts.push(source.slice(at, at + 2));
      at += 2;
    } else {
      const escaped = readEscape(source, at + 1);
      if (typeof escaped === "string") return { kind: "wrong", message: `(unicode error) ${escaped}` };
      parts.push(escaped.value);
      at = escaped.end;
    }
  }
}

/** Reads from behind the backslash; a text is what is wrong with it. */
function readEscape(source: string, at: number): { value: string; end: number } | string {
  const letter = source[at];
  // A backslash at the very end leaves the literal open.
  if (letter === undefined) return { value: "\\", end: at };
  if (letter === "\n") return { value: "", end: at + 1 };
  if (letter === "\r") return { value: "", end: source[at + 1] === "\n" ? at + 2 : at + 1 };
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { value: simple, end: at + 1 };
  const octal = /^[0-7]{1,3}/.exec(source.slice(at, at + 3))?.[0];
  if (octal !== undefined) return { value: String.fromCodePoint(Number.parseInt(octal, 8)), end: at + octal.length };
  const digits = HEX_DIGITS[letter];
  if (digits !== undefined) {
    const hex = source.slice(at + 1, at + 1 + digits);
    if (hex.length < digits || !/^[\da-fA-F]+$/.test(hex)) return `truncated \\${letter} escape`;
    const code = Number.parseInt(hex, 16);
    return code > 0x10ffff ? "no such character" : { value: String.fromCodePoint(code), end: at + 1 + digits };
  }
  // The names of characters are not part of this program: write the character itself.
  if (letter === "N") return "unknown Unicode character name";
  return { value: `\\${letter}`, end: at + 1 };
}
