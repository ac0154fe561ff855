// The part of a model's name that patterns are compared with, and what they ask of its characters: worked out once for all patterns.

/** Characters of a name that are looked at. */
const MAX_MATCHED_CHARACTERS = 256;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;
const DIGIT = /\p{Nd}/u;

export interface MatchedCharacter {
  readonly text: string;
  readonly lower: string;
  /** Code points of it, and of its lower and upper case. */
  readonly code: number;
  readonly lowerCode: number;
  readonly upperCode: number;
  readonly isWord: boolean;
  readonly isDigit: boolean;
  readonly isSpace: boolean;
}

/** The beginning of a name, which patterns are compared with. */
export function matchedPart(name: string): string {
  if (name.length <= MAX_MATCHED_CHARACTERS) return name;
  // A character has two code units at most.
  return [...name.slice(0, 2 * MAX_MATCHED_CHARACTERS)].slice(0, MAX_MATCHED_CHARACTERS).join("");
}

export function matchedCharacters(name: string): MatchedCharacter[] {
  return [...matchedPart(name)].map((text) => {
    const lower = text.toLowerCase();
    return {
      text,
      lower,
      code: text.codePointAt(0)!,
      lowerCode: lower.codePointAt(0)!,
      upperCode: text.toUpperCase().codePointAt(0)!,
      isWord: WORD_CHARACTER.test(text),
      isDigit: DIGIT.test(text),
      isSpace: /\s/.test(text),
    };
  });
}
