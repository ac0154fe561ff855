// A message without what differs from one occurrence to the next: numbers, ids, addresses, paths, dates and quoted values become "…".
// One pass over the text. No pattern looks behind, because the engine compiles only those that do not.
import { maskedWord } from "./masked-word.ts";
import { endOfQuote } from "./quoted-text.ts";

/** What stands for anything that was taken out. */
export const MASK = "…";

/** UTF-16 units of a text that are read. What follows is hardly ever what tells two failures apart. */
const MOST_READ = 4000;
/** UTF-16 units of the masked text. */
const MOST_MASKED = 400;

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?";
const WEEKDAY = "(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?\\s";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?";
const DASH = 45;
const WORD_UNIT = "[\\w\\u00c0-\\u024f-]";

/** Behind these words stands what was to be parsed: text of a model or of a user. */
const UNPARSED =
  /\b(?:(?:could not|cannot|can't|failed to|unable to) (?:parse|decode)[^:\n]{0,60}|invalid json[^:\n]{0,30}):\s/i;
const WORD = /[A-Za-z\d_\u00c0-\u024f]+(?:-+[A-Za-z\d_\u00c0-\u024f]+)*/y;
const ADDRESS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>()\]}„“”»]+/iy;
const MAIL = /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}/y;
const ABSOLUTE_PATH = /(?:~|\.{1,2})?(?:(?:\/[\w.@%+=-]{1,255}){2,64}\/?|\/[\w@%+=-]{1,255}\.[A-Za-z]\w{0,7}(?![\w]))/y;
const RELATIVE_PATH = /(?:[\w.-]{1,64}\/){1,20}[\w-]{1,64}\.[A-Za-z]{1,5}(?!\w)/y;
const DRIVE_PATH = /[A-Za-z]:\\[^\s'":*?<>|]+/y;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?!\w)/iy;
const NETWORK_ADDRESS = /(?=[0-9a-f:]{0,40}\d)(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/iy;
const DATE = new RegExp(
  `\\d{4}-\\d{2}-\\d{2}(?:[T ]${CLOCK}(?:Z|[+-]\\d{2}:?\\d{2})?)?|(?:${WEEKDAY})?\\d{1,2}[\\s-]${MONTH}[\\s,-]{1,2}\\d{2,4}(?:\\s${CLOCK})?(?:\\s(?:GMT|UTC))?|(?:${WEEKDAY})?${MONTH}\\s\\d{1,2}(?:,?\\s${CLOCK})?,?\\s\\d{4}(?:\\s${CLOCK})?`,
  "iy",
);
/** Only a month with a day or a year makes a date. */
const NAMED_MONTH = new RegExp(`${MONTH}[\\s,-]{1,2}\\d|\\d[\\s-]${MONTH}`, "i");
/** With a unit that follows at once. */
const NUMBER = new RegExp(`\\d+(?:[.,:]\\d+)*(?:e[-+]?\\d+)?(?:[a-zµ]{1,3}(?!${WORD_UNIT})|%|(?!${WORD_UNIT}))`, "iy");
/** The value of `Key (name)=(value)`. */
const VALUE_IN_PARENTHESES = /\([^()\n]{0,2000}\)/y;

const BLANKS = /\s{2,}|[^\S ]/g;
const MASKS_IN_A_ROW = /…(?:\s?[-,;:/x+.]?\s?…)+/g;

/** The text with every variable part as MASK and blanks as one, at most MOST_MASKED long. Time grows with the length of the text. */
export function maskedText(text: string): string {
  let read = text.length > MOST_READ ? text.slice(0, MOST_READ) : text;
  const unparsed = UNPARSED.exec(read);
  if (unparsed !== null) read = read.slice(0, unparsed.index + unparsed[0].length) + MASK;
  const masked = masksIn(read).replace(BLANKS, " ").replace(MASKS_IN_A_ROW, MASK).trim();
  return masked.length > MOST_MASKED ? masked.slice(0, MOST_MASKED) : masked;
}

/** What a text may hold: most hold none of these, and need not be searched for them at every word. */
interface Holds {
  readonly mail: boolean;
  readonly slash: boolean;
  readonly drive: boolean;
  readonly colons: boolean;
  readonly month: boolean;
}

function holdsOf(text: string): Holds {
  return {
    mail: text.includes("@"),
    slash: text.includes("/"),
    drive: text.includes(":\\"),
    colons: text.includes("::"),
    month: NAMED_MONTH.test(text),
  };
}

function masksIn(text: string): string {
  const holds = holdsOf(text);
  let masked = "";
  /** Up to here the text is in `masked`. */
  let copied = 0;
  let at = 0;
  const replace = (end: number, by: string) => {
    masked += text.slice(copied, at) + by;
    copied = end;
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    if (isWordUnit(code)) {
      const variableEnd = endOfVariable(text, at, code, holds);
      const word = variableEnd > 0 ? null : matchAt(WORD, text, at)!;
      end = word === null ? variableEnd : WORD.lastIndex;
      const by = word === null ? MASK : maskedWord(word, MASK);
      if (by !== word) replace(end, by);
    } else if (!isBlank(code)) {
      const markedEnd = endOfMarked(text, at, code);
      // The sign of a number goes with it.
      if (markedEnd === at && isSign(text, at, code)) replace(end, "");
      if (markedEnd > at) {
        end = markedEnd;
        replace(end, MASK);
      }
    }
    at = end;
  }
  return masked + text.slice(copied);
}

/** Behind the variable part that begins with the letter or digit at this position, or 0. */
function endOfVariable(text: string, at: number, code: number, holds: Holds): number {
  const named =
    (holds.month && endAt(DATE, text, at)) ||
    (holds.colons && endAt(NETWORK_ADDRESS, text, at)) ||
    (text.charCodeAt(at + 8) === DASH && endAt(UUID, text, at)) ||
    (holds.mail && endAt(MAIL, text, at)) ||
    (holds.slash && (endAt(ADDRESS, text, at) || endAt(RELATIVE_PATH, text, at))) ||
    (holds.drive && endAt(DRIVE_PATH, text, at));
  if (named) return named;
  if (!isDigitUnit(code)) return 0;
  return (text.charCodeAt(at + 4) === DASH && endAt(DATE, text, at)) || endAt(NUMBER, text, at);
}

/** Behind the variable part that begins with a sign: a quoted value, a path, a value in parentheses; or the position itself. */
function endOfMarked(text: string, at: number, code: number): number {
  // `/`, `~` and `.`
  if (code === 47 || code === 126 || code === 46) return (startsPath(text, at) && endAt(ABSOLUTE_PATH, text, at)) || at;
  // `(` behind `=`
  if (code === 40) return (text.charCodeAt(at - 1) === 61 && endAt(VALUE_IN_PARENTHESES, text, at)) || at;
  // `::`
  if (code === 58)
    return (text.charCodeAt(at + 1) === 58 && !follows(text, at) && endAt(NETWORK_ADDRESS, text, at)) || at;
  return endOfQuote(text, at);
}

function startsPath(text: string, at: number): boolean {
  return at === 0 || !(isWordUnit(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 46);
}

function isSign(text: string, at: number, code: number): boolean {
  return (code === 45 || code === 43) && isDigitUnit(text.charCodeAt(at + 1)) && !follows(text, at);
}

/** A word stands just before. */
function follows(text: string, at: number): boolean {
  return at > 0 && isWordUnit(text.charCodeAt(at - 1));
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** Where the match that begins here ends, or 0. */
function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 160;
}

function isDigitUnit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters of Latin scripts, digits and `_`. Other scripts have no blanks between words and numbers. */
function isWordUnit(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    isDigitUnit(code) ||
    code === 95 ||
    (code >= 0xc0 && code <= 0x24f)
  );
}
