// The parts of a JSON text that hold nothing: texts, numbers, words, and the blanks between them.

/** Makes the values of numbers that are no integers of at most 15 digits. */
export interface NumberForms {
  /** A whole number with a fraction, such as `1.0`; never -0. */
  whole(value: number): unknown;
  /** Any other, by its text. */
  other(source: string): unknown;
}

const WORDS: readonly (readonly [string, boolean | null])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
/** Integers of so many digits are exact. */
const EXACT_DIGITS = 15;
const [TAB, LINE_FEED, RETURN, BLANK] = [9, 10, 13, 32] as const;
const [PLUS, MINUS, DOT, ZERO, NINE] = [43, 45, 46, 48, 57] as const;
const [LARGE_E, BACKSLASH, SMALL_E] = [69, 92, 101] as const;
export const QUOTE = 34;

export class JsonSyntaxError extends SyntaxError {
  constructor(readonly offset: number) {
    super(`JSON breaks off at character ${offset}`);
  }
}

/** Reads one part after the other; `at` is the place of the next, in UTF-16 units. Throws JsonSyntaxError. */
export class JsonScanner {
  at = 0;

  /** Without forms of numbers they are only looked at. */
  constructor(
    private readonly text: string,
    private readonly numbers: NumberForms | null,
  ) {}

  /** The code behind blanks; not a number at the end. */
  nextCode(): number {
    const { text } = this;
    let at = this.at;
    let code = text.charCodeAt(at);
    while (code === BLANK || code === LINE_FEED || code === RETURN || code === TAB) code = text.charCodeAt(++at);
    this.at = at;
    return code;
  }

  /** The text that begins here. */
  readText(): string {
    const end = endOfText(this.text, this.at);
    if (end === -1) throw new JsonSyntaxError(this.at);
    try {
      const read = JSON.parse(this.text.slice(this.at, end)) as string;
      this.at = end;
      return read;
    } catch {
      throw new JsonSyntaxError(this.at);
    }
  }

  /** The text, number, `true`, `false` or `null` that begins here with this code. */
  readScalar(code: number): unknown {
    if (code === QUOTE) return this.readText();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.readNumber();
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    throw new JsonSyntaxError(this.at);
  }

  private readNumber(): unknown {
    const { text, numbers, at: start } = this;
    const negative = text.charCodeAt(start) === MINUS;
    const first = negative ? start + 1 : start;
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
      const after = digitsEnd(text, end + 1);
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
      const after = digitsEnd(text, digits);
      if (after > digits) {
        isInteger = false;
        isWhole = false;
        end = after;
      }
    }
    this.at = end;
    if (numbers === null) return null;
    if (exact && isInteger) return negative && value !== 0 ? -value : value;
    if (exact && isWhole && value !== 0) return numbers.whole(negative ? -value : value);
    return numbers.other(text.slice(start, end));
  }
}

/** Behind the digits from `start` on. */
function digitsEnd(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; ) code = text.charCodeAt(++end);
  return end;
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
