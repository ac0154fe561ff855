// Search without letter case on PostgreSQL, by the meaning of kernel/fold-case.ts. Folding a text costs about 30 ns a character
// here; what decides most texts is quicker by a factor of five to ten.
import { type Expression, type RawBuilder, sql } from "kysely";
import { foldCase } from "../../kernel/fold-case.ts";

const PRINTABLE_ASCII = /^[\0-\x7f]*$/;
/** Removed behind an i: no quick answer is right for a needle with it. */
const DOT_ABOVE = "\u0307";

/** A text with its letter case folded: `foldCase`. */
export function foldedText(text: Expression<unknown>): RawBuilder<string> {
  const cased = sql`lower(upper(lower((${text}) collate "und-x-icu")))`;
  return sql<string>`replace(replace(${cased}, 'ς', 'σ'), ${`i${DOT_ABOVE}`}::text, 'i')`;
}

/** Whether a text contains the needle. The text is written in several times: a column, or a name from a sub-select. */
export function containsNeedle(text: Expression<unknown>, needle: string): RawBuilder<boolean> {
  const folded = foldCase(needle);
  const exactly = sql<boolean>`position(${folded}::text in ${foldedText(text)}) > 0`;
  if (folded.includes(DOT_ABOVE)) return exactly;
  if ([...folded].every(hasNoCase)) return sql<boolean>`position(${folded}::text in ${text}) > 0`;

  const hasOtherLetters = sql`octet_length(${text}) <> length(${text})`;
  if (PRINTABLE_ASCII.test(folded)) {
    const pattern = `%${folded.replace(/[\\%_]/g, "\\$&")}%`;
    const quickly = sql`(${text}) collate "C" ilike ${pattern}::text`;
    return sql<boolean>`(${quickly} or (${hasOtherLetters} and ${hasOneOf(text, unlikeAscii(folded))} and ${exactly}))`;
  }
  const quickly = sql`position(${folded}::text in lower((${text}) collate "und-x-icu")) > 0`;
  const further = unlikeLowerCase(folded);
  return sql<boolean>`(${hasOtherLetters} and (${quickly} or (${hasOneOf(text, further)} and ${exactly})))`;
}

/** Whether the text contains one of the letters. */
function hasOneOf(text: Expression<unknown>, letters: string): RawBuilder<boolean> {
  return letters === "" ? sql<boolean>`false` : sql<boolean>`${text} ~ ${`[${letters}]`}::text`;
}

interface FoldedLetter {
  readonly letter: string;
  readonly folded: string;
}

/** Every letter beyond ASCII that folds to another text than itself; beyond the basic plane there are only pairs of cases
 *  (tests/contract/text-search.test.ts). */
let letters: readonly FoldedLetter[] | null = null;
let folds: ReadonlySet<string> | null = null;

function foldedLetters(): readonly FoldedLetter[] {
  letters ??= Array.from({ length: 0xff80 }, (_, offset) => String.fromCharCode(0x80 + offset))
    .map((letter) => ({ letter, folded: foldCase(letter) }))
    .filter(({ letter, folded }) => folded !== letter);
  return letters;
}

/** True for what only its own self folds to: digits, Chinese, Arabic, most signs. */
function hasNoCase(character: string): boolean {
  folds ??= new Set(foldedLetters().flatMap(({ folded }) => [...folded]));
  return character.toLowerCase() === character.toUpperCase() && !folds.has(character);
}

/** Letters beyond ASCII that may make a text match where ASCII letters alone are compared without case. */
function unlikeAscii(folded: string): string {
  return lettersSharing(folded, () => true) + (folded.includes("i") ? DOT_ABOVE : "");
}

/** Letters that may make a text match where its lower case does not. */
function unlikeLowerCase(folded: string): string {
  const found = lettersSharing(folded, ({ letter, folded: own }) => letter.toLowerCase() !== own);
  // The lower case of a Σ is another at the end of a word.
  return found + (folded.includes("σ") ? "Σ" : "") + (folded.includes("i") ? DOT_ABOVE : "");
}

function lettersSharing(needle: string, isUnlike: (letter: FoldedLetter) => boolean): string {
  const sought = new Set(needle);
  const sharing = foldedLetters().filter((letter) => isUnlike(letter) && [...letter.folded].some((c) => sought.has(c)));
  return sharing.map(({ letter }) => letter).join("");
}
