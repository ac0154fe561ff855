// Python's syntax of regular expressions, rewritten for two engines that read a few things otherwise: escapes for letters and digits of
// every script, the end of the text, named groups, flags.

const GOING_BACK = /^\(\?(?:[=!]|P=|\()/;

/** Whether a pattern looks ahead, or refers to a group. */
export function needsGoingBack(source: string): boolean {
  for (const { token, isInside } of tokensOf(source)) {
    if (!isInside && (GOING_BACK.test(token) || /^\\[1-9]/.test(token))) return true;
  }
  return false;
}

interface Token {
  /** An escape, the beginning of a group up to what tells its kind, or one character. */
  readonly token: string;
  /** Inside of a class. */
  readonly isInside: boolean;
}

const GROUP = /\(\?(?:P?<[=!]?|P=\w+\)?|[=!:#(]|[a-zA-Z-]+[:)]?)?/y;
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[1-9]\d?|[\s\S])/y;

function* tokensOf(source: string): Generator<Token> {
  let isInside = false;
  for (let at = 0; at < source.length; ) {
    const first = source[at]!;
    let token = String.fromCodePoint(source.codePointAt(at)!);
    const pattern = first === "\\" ? ESCAPE : first === "(" && !isInside ? GROUP : null;
    if (pattern !== null) {
      pattern.lastIndex = at;
      token = pattern.exec(source)?.[0] ?? token;
    }
    if (first === "[" && !isInside) {
      // A bracket right behind the beginning is a character of the class.
      token = /^\[\^?\]?/.exec(source.slice(at, at + 3))![0];
      yield { token, isInside: false };
      isInside = true;
    } else {
      if (first === "]") isInside = false;
      yield { token, isInside };
    }
    at += token.length;
  }
}

/** What classes mean in Python, by what stands inside of them. */
const classes: Readonly<Record<string, string>> = {
  w: "\\p{L}\\p{N}_",
  d: "\\p{Nd}",
  s: "\\t-\\r\\x1c-\\x20\\x85\\p{Z}",
};

/** For RE2. */
export function linearSource(source: string): string {
  let written = "";
  for (const { token, isInside } of tokensOf(source)) {
    const [first, letter = ""] = token;
    if (first === "\\")
      written += escapeFor(token, letter, isInside, { end: "\\z", point: (digits) => `\\x{${digits}}` });
    else if (first === "[") written += isInside ? "\\[" : classStart(token);
    else written += token;
  }
  return written;
}

/** For the engine of JavaScript. Flags at the beginning become flags of the pattern. */
export function nativeSource(source: string): { readonly pattern: string; readonly flags: string } {
  const given = /^\(\?([aiLmsux]+)\)/.exec(source);
  const flags = new Set(["u", ...[...(given?.[1] ?? "")].filter((flag) => "ims".includes(flag))]);
  let pattern = "";
  for (const { token, isInside } of tokensOf(source.slice(given?.[0].length ?? 0))) {
    const [first, letter = ""] = token;
    if (first === "\\") {
      const written = escapeFor(token, letter, isInside, { end: "(?![\\s\\S])", point: (digits) => `\\u{${digits}}` });
      pattern += written === "\\A" ? "(?<![\\s\\S])" : plainEscape(written, isInside);
    } else if (first === "[") pattern += isInside ? "\\[" : classStart(token);
    else if (token.startsWith("(?P<")) pattern += "(?<";
    else if (token.startsWith("(?P=")) pattern += `\\k<${token.slice(4, -1)}>`;
    else pattern += token;
  }
  return { pattern, flags: [...flags].join("") };
}

function classStart(token: string): string {
  return token.length > 1 && token.endsWith("]") ? `${token.slice(0, -1)}\\]` : token;
}

interface Dialect {
  /** The end of the text. */
  readonly end: string;
  readonly point: (digits: string) => string;
}

function escapeFor(token: string, letter: string, isInside: boolean, { end, point }: Dialect): string {
  const known = classes[letter.toLowerCase()];
  if (known !== undefined && token.length === 2) {
    const isNegated = letter !== letter.toLowerCase();
    // Inside of a class a negated class of several is not written; \\D is.
    if (isInside) return isNegated ? (letter === "D" ? "\\P{Nd}" : token) : known;
    return `[${isNegated ? "^" : ""}${known}]`;
  }
  if (letter === "Z" && !isInside) return end;
  return "uUx".includes(letter) && token.length > 2 ? point(token.slice(2).replace(/^0+(?=.)/, "")) : token;
}

/** JavaScript refuses escapes that mean nothing. */
function plainEscape(written: string, isInside: boolean): string {
  const character = [...written.slice(1)];
  if (character.length !== 1 || /[\w^$\\.*+?()[\]{}|/]/.test(character[0]!)) return written;
  return isInside && character[0] === "-" ? written : character[0]!;
}
