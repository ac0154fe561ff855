// Fisher's exact test of one side, and the correction for how many tests were made.

interface TailProbability {
  readonly p: number;
  /** Its natural logarithm: below 1e-308 the probability itself is 0. */
  readonly logP: number;
}

/** Of `all` items `withValue` have a value, and `selected` of them are selected: how likely it is that at least `selectedWith` of the selected
 *  have it, if selection and value have nothing to do with each other. Terms follow from their neighbours, from the most likely one
 *  outwards, so that no factorials are needed. Takes time in proportion to the distance from what is expected. */
export function fisherUpperTail(
  selectedWith: number,
  selected: number,
  withValue: number,
  all: number,
): TailProbability {
  const lowest = Math.max(0, selected + withValue - all);
  const highest = Math.min(selected, withValue);
  if (selectedWith <= lowest) return { p: 1, logP: 0 };
  const up = (x: number) => ((withValue - x) / (x + 1)) * ((selected - x) / (all - withValue - selected + x + 1));
  const down = (x: number) => (x / (withValue - x + 1)) * ((all - withValue - selected + x) / (selected - x + 1));
  const mode = Math.min(highest, Math.max(lowest, Math.floor(((selected + 1) * (withValue + 1)) / (all + 2))));
  // Everything relative to the most likely number.
  const below = sumOf(mode, lowest, down);
  const above = sumOf(mode, highest, up);
  const total = below + 1 + above;
  if (selectedWith <= mode) {
    // What is left out is at most half of all, so that the difference loses nothing.
    const first = scaledTerm(mode, selectedWith - 1, down);
    const left = selectedWith - 1 < lowest ? 0 : Math.exp(first) * (1 + sumOf(selectedWith - 1, lowest, down));
    const p = Math.min(1, 1 - left / total);
    return { p, logP: Math.log(p) };
  }
  const logP = scaledTerm(mode, selectedWith, up) + Math.log1p(sumOf(selectedWith, highest, up)) - Math.log(total);
  return { p: Math.exp(logP), logP };
}

/** Terms behind the first one, which counts as 1, up to the last number or until they change nothing. */
function sumOf(first: number, last: number, ratio: (x: number) => number): number {
  const step = Math.sign(last - first);
  let sum = 0;
  let term = 1;
  for (let x = first; x !== last; x += step) {
    term *= ratio(x);
    sum += term;
    // From the mode outwards each ratio is less than the one before.
    if (term < sum * 1e-18) break;
  }
  return sum;
}

const SMALL = 1e-200;

/** The logarithm of the term of `to`, relative to that of `from`. */
function scaledTerm(from: number, to: number, ratio: (x: number) => number): number {
  const step = Math.sign(to - from);
  let term = 1;
  let log = 0;
  for (let x = from; x !== to; x += step) {
    term *= ratio(x);
    if (term === 0) return Number.NEGATIVE_INFINITY;
    if (term < SMALL) {
      log += Math.log(SMALL);
      term /= SMALL;
    }
  }
  return log + Math.log(term);
}

/** Benjamini and Hochberg: for each probability the share of false findings that one accepts with it and all lower ones. In the order
 *  of the list. */
export function falseDiscoveryRates(probabilities: readonly number[]): readonly number[] {
  const order = probabilities.map((_, at) => at).sort((a, b) => probabilities[a]! - probabilities[b]!);
  const rates = new Array<number>(probabilities.length);
  let least = 1;
  for (let rank = order.length; rank >= 1; rank--) {
    const at = order[rank - 1]!;
    least = Math.min(least, (probabilities[at]! * order.length) / rank);
    rates[at] = least;
  }
  return rates;
}
