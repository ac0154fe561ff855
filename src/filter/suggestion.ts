// "Did you mean": the known name that is most like a mistyped one, by the similarity of Ratcliff and Obershelp.

const CLOSE = 0.75;
/** Longer names are no slips of the finger, and comparing them costs time. */
const LONGEST_NAME = 64;

/** `, did you mean "x"?` for the closest of the known names, else the fallback. */
export function didYouMean(name: string, known: readonly string[], otherwise = ""): string {
  if (name.length > LONGEST_NAME) return otherwise;
  let closest: string | null = null;
  let best = CLOSE;
  for (const candidate of known) {
    const likeness = similarity(name, candidate);
    if (likeness > best) [closest, best] = [candidate, likeness];
  }
  return closest === null ? otherwise : `, did you mean "${closest}"?`;
}

/** The known names that are most like the name, at most `most`; long names are not compared. */
export function closestNames(name: string, known: readonly string[], most: number): string[] {
  if (name.length > LONGEST_NAME) return known.slice(0, most);
  return known
    .filter((candidate) => candidate.length <= LONGEST_NAME)
    .map((candidate) => ({ candidate, likeness: similarity(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** Twice the matching characters over all characters: the longest common part, then the same left and right of it. */
export function similarity(left: string, right: string): number {
  return left.length + right.length === 0 ? 1 : (2 * matching(left, right)) / (left.length + right.length);
}

function matching(left: string, right: string): number {
  let [longest, leftStart, rightStart] = [0, 0, 0];
  for (let i = 0; i < left.length; i += 1) {
    for (let j = 0; j < right.length; j += 1) {
      let length = 0;
      while (i + length < left.length && left[i + length] === right[j + length]) length += 1;
      if (length > longest) [longest, leftStart, rightStart] = [length, i, j];
    }
  }
  if (longest === 0) return 0;
  return (
    longest +
    matching(left.slice(0, leftStart), right.slice(0, rightStart)) +
    matching(left.slice(leftStart + longest), right.slice(rightStart + longest))
  );
}
