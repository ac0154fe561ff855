// Sequences that are repeated without a gap.

interface Repeat {
  /** Members of one round. */
  readonly period: number;
  /** Positions of the first and the last member of all rounds. */
  readonly from: number;
  readonly to: number;
  readonly times: number;
}

const LONGEST_PERIOD = 4;
const FEWEST_TIMES = 3;

/** From the left, the shortest period first, whole rounds, not overlapping, three and more times. A member that is null is equal to nothing.
 *  Takes time n. */
export function findRepeats(members: readonly (string | null)[]): readonly Repeat[] {
  const found: Repeat[] = [];
  for (let from = 0; from < members.length; ) {
    const repeat = repeatAt(members, from);
    if (repeat !== null) found.push(repeat);
    from = repeat === null ? from + 1 : repeat.to + 1;
  }
  return found;
}

function repeatAt(members: readonly (string | null)[], from: number): Repeat | null {
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    let end = from + period;
    while (end < members.length && members[end] !== null && members[end] === members[end - period]) end++;
    const times = Math.floor((end - from) / period);
    if (times >= FEWEST_TIMES) return { period, from, to: from + times * period - 1, times };
  }
  return null;
}
