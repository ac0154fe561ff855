// Distinguished names of a directory (RFC 4514): whether a text is one, and a form in which two spellings of one name are equal.

/** One assertion of a name, such as `ou=people`. */
type Assertion = readonly [type: string, value: string];

const TYPE = /[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*/y;
const HEX_VALUE = /#(?:[0-9A-Fa-f]{2})+/y;
const ESCAPED_BYTES = /(?:\\[0-9A-Fa-f]{2})+/y;
const ESCAPED_CHARACTER = /\\([ #+,;<=>"\\])/y;
/** What stands for itself. */
const PLAIN = /[^\\"+,;<>\0]/uy;

export function isDistinguishedName(text: string): boolean {
  return canonicalName(text) !== null;
}

/** Equal for two names exactly when letter case, blanks around separators, the way of escaping and the order inside of one
 *  level are all that differs. Null for a text that is no name. The empty name is the root of a directory. */
export function canonicalName(text: string): string | null {
  const levels = readLevels(text);
  if (levels === null) return null;
  return JSON.stringify(levels.map((level) => level.map((assertion) => JSON.stringify(assertion)).sort()));
}

/** From the entry up to the root; null for a text that is no name. */
function readLevels(text: string): readonly (readonly Assertion[])[] | null {
  const reader = readerOf(text);
  const levels: Assertion[][] = [];
  reader.skipBlanks();
  if (reader.isAtEnd()) return levels;
  let level: Assertion[] = [];
  for (;;) {
    const assertion = readAssertion(reader);
    if (assertion === null) return null;
    level.push(assertion);
    if (reader.take("+")) continue;
    levels.push(level);
    level = [];
    if (reader.isAtEnd()) return levels;
    if (!reader.take(",")) return null;
  }
}

function readAssertion(reader: Reader): Assertion | null {
  reader.skipBlanks();
  const type = reader.match(TYPE)?.[0];
  reader.skipBlanks();
  if (type === undefined || !reader.take("=")) return null;
  reader.skipBlanks();
  const value = readValue(reader);
  return value === null ? null : [type.toLowerCase(), value];
}

function readValue(reader: Reader): string | null {
  const hex = reader.match(HEX_VALUE)?.[0];
  if (hex !== undefined) {
    reader.skipBlanks();
    // No text begins so: a value in this form is never equal to one that is spelt out.
    return `\0${hex.toLowerCase()}`;
  }
  let value = "";
  // Blanks at the end belong to the value only when they are escaped.
  let meant = 0;
  for (;;) {
    const bytes = reader.match(ESCAPED_BYTES)?.[0];
    const written = bytes === undefined ? reader.match(ESCAPED_CHARACTER)?.[1] : textOfBytes(bytes);
    if (written === null) return null;
    const plain = written === undefined ? reader.match(PLAIN)?.[0] : undefined;
    if (written === undefined && plain === undefined) return value.slice(0, meant).toLowerCase();
    value += written ?? plain;
    if (written !== undefined || plain !== " ") meant = value.length;
  }
}

/** Null when the bytes are no text. */
function textOfBytes(escapes: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(escapes.replaceAll("\\", ""), "hex"),
    );
  } catch {
    return null;
  }
}

type Reader = ReturnType<typeof readerOf>;

function readerOf(text: string) {
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  return {
    match,
    isAtEnd: () => at === text.length,
    skipBlanks: () => void match(/ */y),
    take(character: string): boolean {
      if (text[at] !== character) return false;
      at++;
      return true;
    },
  };
}
