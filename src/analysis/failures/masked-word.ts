// Words that hold a number or are an id.

const HAS_DIGIT = /\d/;
const COUNTED = /^(\D{1,12})\d{1,6}$/;
const LETTERS_ONLY = /^[A-Za-z]+$/;
/** Shorter words are no random ids without a digit. */
const SHORTEST_RANDOM = 12;
/** A random text changes its case every second letter, a name every fourth or less often. */
const LETTERS_PER_CHANGE = 3;

/** `order_52024` keeps what stands in front of its number, `worker12` its letters; a random id keeps nothing. */
export function maskedWord(word: string, mask: string): string {
  const hasDigit = HAS_DIGIT.test(word);
  if (!hasDigit && word.length < SHORTEST_RANDOM) return word;
  const parts = word.split(/([-_])/);
  if (parts.length === 1) return maskedPart(word, mask, COUNTED.exec(word)?.[1] ?? "");
  return parts.map((part, at) => (at % 2 === 0 ? maskedPart(part, mask, "") : part)).join("");
}

function maskedPart(part: string, mask: string, kept: string): string {
  if (HAS_DIGIT.test(part)) return kept + mask;
  return isRandom(part) ? mask : part;
}

function isRandom(letters: string): boolean {
  if (letters.length < SHORTEST_RANDOM || !LETTERS_ONLY.test(letters)) return false;
  let changes = 0;
  for (let at = 1; at < letters.length; at++) if (isUpper(letters, at) !== isUpper(letters, at - 1)) changes++;
  return changes * LETTERS_PER_CHANGE > letters.length;
}

function isUpper(letters: string, at: number): boolean {
  return letters.charCodeAt(at) < 97;
}
