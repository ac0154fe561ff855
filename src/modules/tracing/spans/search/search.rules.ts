// How a search goes on: the size of its slices, and how much of its range it has behind it.

/** A slice is to take this long: short enough to be stopped soon, long enough to be worth a statement. */
const SLICE_GOAL_MILLISECONDS = 150;
const LARGEST_SLICE = 50_000;
const MOST_GROWTH = 4;

/** Rows of the next slice, after one of `size` rows took `tookMilliseconds`. */
export function nextSliceSize(size: number, tookMilliseconds: number, leftMilliseconds: number): number {
  const goal = Math.max(10, Math.min(SLICE_GOAL_MILLISECONDS, leftMilliseconds));
  const fitting = Math.floor((size * goal) / Math.max(1, tookMilliseconds));
  return Math.max(1, Math.min(fitting, size * MOST_GROWTH, LARGEST_SLICE));
}

/** Microseconds everywhere; the end of the range is excluded. 0 before the first row, below 1 until the range is done. */
export function searchedFraction(
  bounds: { readonly oldestUs: number; readonly newestUs: number },
  range: { readonly startUs: number | null; readonly endUs: number | null },
  place: { readonly value: number | null } | null,
): number {
  if (place === null || place.value === null) return 0;
  const from = Math.min(bounds.newestUs, (range.endUs ?? Number.MAX_SAFE_INTEGER) - 1);
  const to = Math.max(bounds.oldestUs, range.startUs ?? bounds.oldestUs);
  if (from <= to) return 0;
  return Math.max(0, Math.min(0.999, (from - place.value) / (from - to)));
}

/** Words of one search at most: each is looked for in every text of a span. */
export const MAX_WORDS = 16;

/** What must occur, each somewhere: words between blanks, and phrases between double quotes. A quote without its partner, or within a
 *  word, is an ordinary character; blanks alone are a phrase. */
export function searchedWords(text: string): readonly string[] {
  const words = [...text.matchAll(/(?<=^|\s)"([^"]+)"(?=\s|$)|\S+/g)].map(([word, phrase]) => phrase ?? word);
  return words.length === 0 ? [text] : [...new Set(words)];
}
