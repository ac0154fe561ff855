// Which values are over-represented among the selected items, and how sure that is.
import { falseDiscoveryRates, fisherUpperTail } from "./significance.ts";
import type { NumberRange, ValueTally } from "./value-tally.ts";

export interface ExplainedValue {
  readonly key: string;
  readonly value: string;
  readonly range: NumberRange | null;
  readonly selectedWith: number;
  readonly selectedWithout: number;
  readonly restWith: number;
  readonly restWithout: number;
  /** Share among the selected, relative to the share among all; 0 where nothing is selected. */
  readonly lift: number;
  readonly p: number;
  /** Corrected for all values looked at. */
  readonly q: number;
  readonly isSignificant: boolean;
}

export interface Explanation {
  readonly selected: number;
  readonly rest: number;
  /** Too few are selected, or too few are not: there is no result. */
  readonly isTooFew: boolean;
  /** All values looked at, the strongest first. */
  readonly values: readonly ExplainedValue[];
  /** Attributes of which a value was looked at and none is significant. */
  readonly notDistinguishing: readonly string[];
  /** Attributes whose values are all too rare. */
  readonly tooRare: readonly string[];
  /** Attributes with more values than were counted. */
  readonly incomplete: readonly string[];
}

/** Items that must have a value before it is looked at, and that must be selected and not selected. */
const FEWEST_ITEMS = 5;
/** The accepted share of false findings. */
const ACCEPTED_RATE = 0.05;

/** Takes time in proportion to the values looked at, each as `fisherUpperTail` does. */
export function explain(tally: ValueTally): Explanation {
  const { selected, rest } = tally;
  const all = selected + rest;
  const counts = tally.counts();
  const looked = counts.filter(({ selectedWith, restWith }) => selectedWith + restWith >= FEWEST_ITEMS);
  const tails = looked.map((count) =>
    fisherUpperTail(count.selectedWith, selected, count.selectedWith + count.restWith, all),
  );
  const rates = falseDiscoveryRates(tails.map(({ p }) => p));
  const isTooFew = selected < FEWEST_ITEMS || rest < FEWEST_ITEMS;
  const judged = looked.map(({ key, value, range, selectedWith, restWith }, at) => {
    const lift = selected === 0 ? 0 : selectedWith / selected / ((selectedWith + restWith) / all);
    const q = rates[at]!;
    // The test has one side: what is rarer among the selected has a p near 1.
    const isSignificant = !isTooFew && q <= ACCEPTED_RATE;
    const without = { selectedWithout: selected - selectedWith, restWithout: rest - restWith };
    const explained = {
      key,
      value,
      range,
      selectedWith,
      restWith,
      ...without,
      lift,
      p: tails[at]!.p,
      q,
      isSignificant,
    };
    return { explained, logP: tails[at]!.logP };
  });
  const values = judged
    .sort((one, other) => one.logP - other.logP || compareStrength(one.explained, other.explained))
    .map(({ explained }) => explained);
  const keys = [...new Set(counts.map(({ key }) => key))];
  const lookedAt = new Set(values.map(({ key }) => key));
  const significant = new Set(values.filter(({ isSignificant }) => isSignificant).map(({ key }) => key));
  return {
    selected,
    rest,
    isTooFew,
    values,
    notDistinguishing: keys.filter((key) => lookedAt.has(key) && !significant.has(key)),
    tooRare: keys.filter((key) => !lookedAt.has(key)),
    incomplete: [...tally.incomplete],
  };
}

function compareStrength(one: ExplainedValue, other: ExplainedValue): number {
  if (one.lift !== other.lift) return other.lift - one.lift;
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.value < other.value ? -1 : 1;
}
