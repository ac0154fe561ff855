// Where a JSON text breaks off: the parser of the engine does not say, and clients are told the offset. Runs only on texts
// that were refused already.

const BLANK = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** What may stand at the current position. */
type Expected = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma or end";

/** The offset, in UTF-16 units, of the first character that no JSON text can have there; the length of the text when it
 *  ends too early. */
export function syntaxErrorOffset(text: string): number {
  const open: ("[" | "{")[] = [];
  let at = 0;
  let expected: Expected = "value";
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const matched = pattern.exec(text);
    if (matched !== null) at = pattern.lastIndex;
    return matched !== null;
  };
  for (;;) {
    take(BLANK);
    const character = text[at];
    if (character === undefined) return at;
    const closing = open.at(-1) === "[" ? "]" : "}";
    const mayClose = expected === "value or ]" || expected === "name or }" || expected === "comma or end";
    if (expected === "comma or end" && open.length === 0) return at;
    if (mayClose && character === closing) {
      open.pop();
      at++;
      expected = "comma or end";
    } else if (expected === "comma or end") {
      if (character !== ",") return at;
      at++;
      expected = open.at(-1) === "[" ? "value" : "name";
    } else if (expected === "colon") {
      if (character !== ":") return at;
      at++;
      expected = "value";
    } else if (expected === "name" || expected === "name or }") {
      if (!take(TEXT)) return at;
      expected = "colon";
    } else if (character === "[" || character === "{") {
      open.push(character);
      at++;
      expected = character === "[" ? "value or ]" : "name or }";
    } else if (take(SCALAR)) {
      expected = "comma or end";
    } else return at;
  }
}
