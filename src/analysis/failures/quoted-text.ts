// Where a quoted value ends, in the quotes of programming languages and of several scripts.

/** UTF-16 units of a quoted value. */
const LONGEST = 2000;

const closers: ReadonlyMap<string, string> = new Map([
  ["`", "`"],
  ["„", "“”"],
  ["“", "”"],
  ["‚", "‘’"],
  ["‘", "’"],
  ["«", "»"],
  ["»", "«"],
  ["「", "」"],
  ["『", "』"],
]);

/** Behind the quote that closes the one at this position; the position itself where no quoted value begins. */
export function endOfQuote(text: string, at: number): number {
  const opener = text[at]!;
  if ((opener === "'" || opener === '"') && text.startsWith(opener.repeat(3), at)) return endOfTriple(text, at, opener);
  if (opener === "'") return endOfSingle(text, at);
  if (opener === '"') return endOfDouble(text, at);
  const closing = closers.get(opener);
  if (closing === undefined) return at;
  // The search of the engine: many quotes that nothing closes must not take long.
  const ends = [...closing].map((closer) => text.indexOf(closer, at + 1)).filter((end) => end >= 0);
  const end = Math.min(...ends);
  return end - at < LONGEST ? end + 1 : at;
}

/** A text of several lines as Python writes it, or a quote in quotes. */
function endOfTriple(text: string, at: number, quote: string): number {
  const end = text.indexOf(quote.repeat(3), at + 3);
  return end >= 0 && end - at < LONGEST ? end + 3 : at + 3;
}

function endOfDouble(text: string, at: number): number {
  const most = Math.min(text.length, at + LONGEST);
  for (let end = at + 1; end < most; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === '"') return end + 1;
  }
  return at;
}

/** A single quote inside a word is an apostrophe; one behind a word opens nothing. */
function endOfSingle(text: string, at: number): number {
  if (isLetterOrDigit(text, at - 1)) return at;
  const most = Math.min(text.length, at + LONGEST);
  for (let end = at + 1; end < most && text[end] !== "\n"; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === "'" && !isLetterOrDigit(text, end + 1)) return end + 1;
  }
  return at;
}

function isLetterOrDigit(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\p{N}]/u.test(text[at]!);
}
