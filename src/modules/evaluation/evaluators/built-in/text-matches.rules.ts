// Whether a text has words in it, and whether two texts are the same.

/** Of a text in an explanation. */
const SHOWN_CHARACTERS = 100;

export interface Match {
  readonly type: "match";
  readonly isMatch: boolean;
  /** One sentence. */
  readonly explanation: string;
}

interface ContainsInputs {
  readonly words: string;
  readonly text: string;
  readonly isCaseSensitive: boolean;
  readonly requiresAll: boolean;
}

/** Words are separated by commas; blanks around them do not count. */
export function contains({ words: written, text, isCaseSensitive, requiresAll }: ContainsInputs): Match {
  const words = written.split(",").map((word) => word.trim());
  const wanted = [...new Set(words.filter((word) => word !== ""))];
  if (wanted.length === 0) return { type: "match", isMatch: false, explanation: "No words to look for were given." };
  const searched = isCaseSensitive ? text : text.toLowerCase();
  const found = wanted.filter((word) => searched.includes(isCaseSensitive ? word : word.toLowerCase()));
  const isMatch = requiresAll ? found.length === wanted.length : found.length > 0;
  const missing = requiresAll && !isMatch ? `; missing: ${listed(wanted.filter((word) => !found.includes(word)))}` : "";
  const outcome = found.length === 0 ? "none of them is there" : `found: ${listed(found)}`;
  const asked = requiresAll && wanted.length > 1 ? "all of" : wanted.length > 1 ? "any of" : "";
  return {
    type: "match",
    isMatch,
    explanation: `Looked for ${asked ? `${asked} ` : ""}${listed(wanted)} in "${shownText(text)}": ${outcome}${missing}.`,
  };
}

/** By code points, without trimming or normalisation. */
export function exactMatch(expected: string, actual: string, isCaseSensitive: boolean): Match {
  const isMatch = isCaseSensitive ? expected === actual : expected.toLowerCase() === actual.toLowerCase();
  const how = isCaseSensitive ? "" : " (upper and lower case are the same)";
  return {
    type: "match",
    isMatch,
    explanation: `The actual text ${isMatch ? "equals" : "differs from"} the expected text${how}.`,
  };
}

/** The beginning of a text. */
export function shownText(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, 10).map((word) => `"${shownText(word)}"`);
  return words.length > shown.length ? `${shown.join(", ")} and ${words.length - shown.length} more` : shown.join(", ");
}
