// Which segments of a path into stored JSON may be list positions: the same answer for both databases, whose own rules differ.

const POSITION = /^\d{1,9}$/;
/** Digits may be a key or a position, which doubles the look-ups on SQLite; deeper ones are keys only. */
const MOST_AMBIGUOUS = 4;

/** For each segment whether it may name a list position; every segment may name an object key. */
export function listPositions(segments: readonly string[]): boolean[] {
  let found = 0;
  return segments.map((segment) => POSITION.test(segment) && ++found <= MOST_AMBIGUOUS);
}
