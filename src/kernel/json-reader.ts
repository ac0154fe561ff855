// A JSON parser of our own, for two texts that the engine's is no use for: those whose numbers must keep their source (its
// reviver takes microseconds and 200 bytes for each), and broken ones, of which it does not say where they break.

/** Makes the values of numbers that are no integers of at most 15 digits. */
interface NumberForms {
  /** A whole number with a fraction, such as `1.0`; never -0. */
  whole(value: number): unknown;
  /** Any other, by its text. */
  other(source: string): unknown;
}

type Container = unknown[] | Record<string, unknown>;

/** What may stand at the current position. */
const Expected = { value: 0, valueOrEnd: 1, name: 2, nameOrEnd: 3, colon: 4, commaOrEnd: 5 } as const;
type Expected = (typeof Expected)[keyof typeof Expected];

const WORDS: readonly (readonly [string, boolean | null])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
/** Integers of so many digits are exact. */
const EXACT_DIGITS = 15;
const [TAB, LINE_FEED, RETURN, BLANK] = [9, 10, 13, 32] as const;
const [QUOTE, PLUS, COMMA, MINUS, DOT, ZERO, NINE, COLON] = [34, 43, 44, 45, 46, 48, 57, 58] as const;
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 92, 93, 123, 125] as const;
const [LARGE_E, SMALL_E] = [69, 101] as const;

class JsonSyntaxError extends SyntaxError {
  constructor(readonly offset: number) {
    super(`JSON breaks off at character ${offset}`);
  }
}

/** Parses a text of any depth in one pass. Throws SyntaxError. The texts in the result are copies: none keeps the whole source
 *  in memory. */
export function readJson(text: string, numbers: NumberForms): unknown {
  return walk(text, numbers);
}

/** The offset, in UTF-16 units, of the first character that no JSON text can have there; the length of the text when it ends
 *  too early, or is JSON. Builds nothing. */
export function syntaxErrorOffset(text: string): number {
  try {
    walk(text, null);
    return text.length;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.offset;
    throw error;
  }
}

const SOME_LIST: unknown[] = [];
const SOME_OBJECT: Record<string, unknown> = {};

/** Without forms of numbers it only looks whether the text is JSON. */
function walk(text: string, numbers: NumberForms | null): unknown {
  /** The containers around the current one, and the names under which they and it are put into theirs. */
  const outer: Container[] = [];
  const names: string[] = [];
  let container: Container | null = null;
  let isList = false;
  let name = "";
  let result: unknown;
  let at = 0;
  let expected = Expected.value as Expected;

  function put(value: unknown): void {
    expected = Expected.commaOrEnd;
    if (numbers === null) return;
    if (container === null) result = value;
    else if (isList) (container as unknown[]).push(value);
    else setMember(container as Record<string, unknown>, name, value);
  }

  function open(list: boolean): void {
    at++;
    if (container !== null) outer.push(container);
    if (numbers === null) container = list ? SOME_LIST : SOME_OBJECT;
    else {
      names.push(name);
      container = list ? [] : {};
    }
    isList = list;
    expected = list ? Expected.valueOrEnd : Expected.nameOrEnd;
  }

  function close(): void {
    at++;
    const closed = container;
    container = outer.pop() ?? null;
    isList = Array.isArray(container);
    name = names.pop() ?? "";
    put(closed);
  }

  function readText(): string {
    const end = endOfText(text, at);
    if (end === -1) throw new JsonSyntaxError(at);
    try {
      const read = JSON.parse(text.slice(at, end)) as string;
      at = end;
      return read;
    } catch {
      throw new JsonSyntaxError(at);
    }
  }

  function digitsFrom(position: number): number {
    let end = position;
    for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; ) code = text.charCodeAt(++end);
    return end;
  }

  function readNumber(): unknown {
    const start = at;
    const negative = text.charCodeAt(at) === MINUS;
    const first = negative ? at + 1 : at;
    let end = first;
    let value = 0;
    for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; ) {
      value = value * 10 + code - ZERO;
      code = text.charCodeAt(++end);
      // Nothing follows a leading zero.
      if (value === 0) break;
    }
    if (end === first) throw new JsonSyntaxError(start);
    const exact = end - first <= EXACT_DIGITS;
    let isWhole = true;
    let isInteger = true;
    if (text.charCodeAt(end) === DOT) {
      const after = digitsFrom(end + 1);
      if (after > end + 1) {
        isInteger = false;
        for (let digit = end + 1; digit < after && isWhole; digit++) isWhole = text.charCodeAt(digit) === ZERO;
        end = after;
      }
    }
    const mark = text.charCodeAt(end);
    if (mark === SMALL_E || mark === LARGE_E) {
      const sign = text.charCodeAt(end + 1);
      const digits = sign === PLUS || sign === MINUS ? end + 2 : end + 1;
      const after = digitsFrom(digits);
      if (after > digits) {
        isInteger = false;
        isWhole = false;
        end = after;
      }
    }
    at = end;
    if (numbers === null) return null;
    if (exact && isInteger) return negative && value !== 0 ? -value : value;
    if (exact && isWhole && value !== 0) return numbers.whole(negative ? -value : value);
    return numbers.other(text.slice(start, end));
  }

  function readScalar(code: number): unknown {
    if (code === QUOTE) return readText();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return readNumber();
    for (const [word, value] of WORDS) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return value;
    }
    throw new JsonSyntaxError(at);
  }

  for (;;) {
    let code = text.charCodeAt(at);
    while (code === BLANK || code === LINE_FEED || code === RETURN || code === TAB) code = text.charCodeAt(++at);
    if (expected === Expected.commaOrEnd && container === null) {
      if (at >= text.length) return result;
      throw new JsonSyntaxError(at);
    }
    const mayClose =
      expected === Expected.commaOrEnd || expected === Expected.valueOrEnd || expected === Expected.nameOrEnd;
    if (mayClose && code === (isList ? CLOSE_LIST : CLOSE_OBJECT)) close();
    else if (expected === Expected.commaOrEnd) {
      if (code !== COMMA) throw new JsonSyntaxError(at);
      at++;
      expected = isList ? Expected.value : Expected.name;
    } else if (expected === Expected.colon) {
      if (code !== COLON) throw new JsonSyntaxError(at);
      at++;
      expected = Expected.value;
    } else if (expected === Expected.name || expected === Expected.nameOrEnd) {
      if (code !== QUOTE) throw new JsonSyntaxError(at);
      name = readText();
      expected = Expected.colon;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) open(code === OPEN_LIST);
    else put(readScalar(code));
  }
}

/** Behind the closing quote of the text that begins at `start`; -1 without one. */
function endOfText(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return -1;
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
    from = quote + 1;
  }
}

/** `__proto__` is an ordinary member, as for the engine's parser. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
