// Text without its letter case, for searches: the same meaning on both databases and in this program, for any script
// (docs/protocol/filters.md#decided-because-the-databases-differ).

/** Letters whose lower case is not their folded form: `ß`, `ſ`, `ı`, ligatures, Greek with a final sigma or an iota below; and
 *  the dot that the lower case of `İ` leaves behind. */
const FURTHER =
  /[\u0307\u0345µßıŉſǰΐΰςϐϑϕϖϰϱϵև\u1c80-\u1c88ẖ-ẛẞὐὒὔὖ\u1f80-\u1faf\u1fb2-\u1fb4\u1fb6\u1fb7\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6\u1fc7\u1fcc\u1fd2\u1fd3\u1fd6\u1fd7\u1fe2-\u1fe4\u1fe6\u1fe7\u1ff2-\u1ff4\u1ff6\u1ff7\u1ffc\ufb00-\ufb06\ufb13-\ufb17]/;

/** The full case folding of Unicode, with the four letters i of Turkish (`I`, `ı`, `İ`, `i`) as one. `straße` and `STRASSE` fold
 *  to the same text, so do `Σ`, `σ` and `ς`. Accents stay, and a letter with a combining accent is not the composed one. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (!FURTHER.test(lower)) return lower;
  return lower.toUpperCase().toLowerCase().replaceAll("ς", "σ").replaceAll("i\u0307", "i");
}

/** Whether a text contains another, which is folded already, in any letter case. */
export function containsFolded(text: string, foldedNeedle: string): boolean {
  return foldCase(text).includes(foldedNeedle);
}
