// Cuts a condition into tokens, as Python would. A character that begins no token is a token of its own: the parser refuses it
// when it gets there, so that the first mistake is the one that is named.
import { MAX_BRACKETS, MAX_INTEGER_DIGITS } from "./limits.ts";
import { readTextLiteral } from "./text-literal.ts";

export type Token =
  | {
      readonly kind: "name" | "keyword" | "operator";
      readonly text: string;
      readonly start: number;
      readonly end: number;
    }
  | { readonly kind: "text"; readonly value: string; readonly start: number; readonly end: number }
  | { readonly kind: "number"; readonly text: string; readonly start: number; readonly end: number }
  /** A literal that Python has and conditions have not: bytes, imaginary numbers, formatted text. */
  | {
      readonly kind: "foreign";
      readonly literal: "unsupported" | "formatted";
      readonly start: number;
      readonly end: number;
    }
  /** The end of a line outside brackets, or of the condition. */
  | { readonly kind: "line" | "end"; readonly start: number; readonly end: number }
  | {
      readonly kind: "wrong";
      readonly message: string;
      readonly start: number;
      readonly end: number;
      readonly from: number;
    };

const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);
const OPERATOR = /\.\.\.|\*\*=?|\/\/=?|<<=?|>>=?|<>|[-+*/%@&|^=!<>:]=|->|[-+*/%@&|^~<>()[\]{},:.;=]/y;
const NUMBER =
  /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?/y;
const NAME = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
const TEXT_START = /([a-zA-Z]{0,2})('''|"""|'|")/y;
const SKIPPED = /[ \t\f]+|#[^\n]*/y;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const INVALID = "invalid syntax";

/** All tokens of the text, the last one of kind `end` or `wrong`. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const open: { readonly bracket: string; readonly start: number }[] = [];
  const wrong = (message: string, start: number, from = start) =>
    tokens.push({ kind: "wrong", message, start, end: start, from });
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  let at = 0;
  while (at < text.length) {
    const skipped = match(SKIPPED, at);
    if (skipped !== null) {
      at += skipped[0].length;
      continue;
    }
    const character = text[at]!;
    if (character === "\n" || character === "\r") {
      if (open.length === 0) tokens.push({ kind: "line", start: at, end: at + 1 });
      at += 1;
      continue;
    }
    const textStart = match(TEXT_START, at);
    if (textStart !== null && /^(?:[rRuUbBfFtT]?|[rR][bBfFtT]|[bBfFtT][rR])$/.test(textStart[1]!)) {
      const prefix = textStart[1]!.toLowerCase();
      const literal = readTextLiteral(text, at + textStart[0].length, textStart[2]!, prefix.includes("r"));
      if (literal.kind === "wrong") {
        wrong(literal.message, at);
        return tokens;
      }
      if (/[bft]/.test(prefix)) {
        const kind = prefix.includes("b") ? "unsupported" : "formatted";
        tokens.push({ kind: "foreign", literal: kind, start: at, end: literal.end });
      } else tokens.push({ kind: "text", value: literal.value, start: at, end: literal.end });
      at = literal.end;
      continue;
    }
    const number = match(NUMBER, at);
    if (number !== null) {
      const end = at + number[0].length;
      const digits = number[0].replaceAll("_", "");
      if (/^\d+$/.test(digits) && digits.length > MAX_INTEGER_DIGITS) {
        wrong(`too many digits: an integer has at most ${MAX_INTEGER_DIGITS}`, at);
        return tokens;
      }
      if (/^0+[1-9]\d*$/.test(digits)) {
        wrong(`${INVALID}: an integer does not begin with 0`, at);
        return tokens;
      }
      if (/[jJ]/.test(text[end] ?? "")) {
        tokens.push({ kind: "foreign", literal: "unsupported", start: at, end: end + 1 });
        at = end + 1;
        continue;
      }
      tokens.push({ kind: "number", text: digits, start: at, end });
      at = end;
      continue;
    }
    const name = match(NAME, at);
    if (name !== null) {
      const end = at + name[0].length;
      const plain = name[0].normalize("NFKC");
      if (plain !== name[0]) {
        wrong(`\`${name[0]}\` is interpreted as \`${plain}\`: write names in their plain letters`, at);
        return tokens;
      }
      tokens.push({ kind: KEYWORDS.has(name[0]) ? "keyword" : "name", text: name[0], start: at, end });
      at = end;
      continue;
    }
    const operator = match(OPERATOR, at)?.[0];
    if (operator === undefined || operator === "<>") {
      wrong(INVALID, at);
      return tokens;
    }
    if (operator in CLOSING) {
      if (open.length === MAX_BRACKETS) {
        wrong("too many nested parentheses", at);
        return tokens;
      }
      open.push({ bracket: operator, start: at });
    } else if (/^[)\]}]$/.test(operator)) {
      const opened = open.pop();
      if (opened === undefined || CLOSING[opened.bracket] !== operator) {
        wrong(`unmatched '${operator}'`, at);
        return tokens;
      }
    }
    tokens.push({ kind: "operator", text: operator, start: at, end: at + operator.length });
    at += operator.length;
  }
  const unclosed = open.at(-1);
  if (unclosed === undefined) tokens.push({ kind: "end", start: text.length, end: text.length });
  else wrong(`'${unclosed.bracket}' was never closed`, text.length, unclosed.start);
  return tokens;
}
