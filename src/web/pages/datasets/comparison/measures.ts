// What experiments are compared by: their scores, latency, tokens, cost and failed runs, which of two values is the better one, and how many examples
// improved or regressed. No React here.

export interface Figures {
  /** Milliseconds, the mean of the runs; null if unknown. */
  readonly latency: number | null;
  readonly tokens: number | null;
  /** US dollars. */
  readonly cost: number | null;
  /** The share of the runs that failed; null without runs. */
  readonly errors: number | null;
  /** The mean of each evaluation, by its name. */
  readonly scores: Readonly<Record<string, number>>;
}

export const nothingMeasured: Figures = { latency: null, tokens: null, cost: null, errors: null, scores: {} };

const plainMeasures = ["latency", "tokens", "cost", "errors"] as const;
export type PlainMeasure = (typeof plainMeasures)[number];

export type Better = "higher" | "lower";

export interface Measure {
  /** Of an evaluation `score` and its name: one may be called "latency". */
  readonly key: string;
  /** Null for what is no evaluation. */
  readonly evaluation: string | null;
  readonly better: Better;
  /** What everybody else reads as the better ones. */
  readonly usual: Better;
  /** Differences up to it are ignored. */
  readonly threshold: number;
}

export function scoreKey(evaluation: string): string {
  return `score ${evaluation}`;
}

/** Evaluations first, by name. Directions are by key: that of this view goes before the one that the server knows. The threshold is that of
 *  evaluations: other measures have other units. */
export function measuresOf(
  evaluations: readonly string[],
  known: ReadonlyMap<string, Better>,
  chosen: ReadonlyMap<string, Better>,
  threshold = 0,
): readonly Measure[] {
  const measure = (key: string, evaluation: string | null, fallback: Better): Measure => {
    const usual = known.get(key) ?? fallback;
    return { key, evaluation, better: chosen.get(key) ?? usual, usual, threshold: evaluation === null ? 0 : threshold };
  };
  return [
    ...[...new Set(evaluations)].sort().map((name) => measure(scoreKey(name), name, "higher")),
    ...plainMeasures.map((key) => measure(key, null, "lower")),
  ];
}

export function measuredValue({ key, evaluation }: Measure, figures: Figures): number | null {
  return evaluation === null ? figures[key as PlainMeasure] : (figures.scores[evaluation] ?? null);
}

export type Outcome = "improved" | "regressed" | "equal" | "unknown";

export interface Difference {
  readonly outcome: Outcome;
  /** Of the other to the base, in the unit of the measure; null where one of them is not known. */
  readonly value: number | null;
}

/** Sums of the same scores in another order differ in their last digits. */
const EQUAL = 1e-9;

export function differenceOf(measure: Measure, base: Figures, other: Figures): Difference {
  const [before, after] = [measuredValue(measure, base), measuredValue(measure, other)];
  if (before === null || after === null) return { outcome: "unknown", value: null };
  const value = after - before;
  if (Math.abs(value) <= EQUAL * Math.max(1, Math.abs(before), Math.abs(after))) return { outcome: "equal", value: 0 };
  if (Math.abs(value) <= measure.threshold * (1 + EQUAL)) return { outcome: "equal", value };
  return { outcome: value > 0 === (measure.better === "higher") ? "improved" : "regressed", value };
}

export type Tally = Readonly<Record<Outcome, number>>;

/** Of one experiment against the base: examples by what became of them. */
export function tallyOf(measure: Measure, pairs: readonly (readonly [base: Figures, other: Figures])[]): Tally {
  const tally = { improved: 0, regressed: 0, equal: 0, unknown: 0 };
  for (const [base, other] of pairs) tally[differenceOf(measure, base, other).outcome] += 1;
  return tally;
}

export const outcomeFilters = ["all", "regressed", "improved", "equal", "failed"] as const;
export type OutcomeFilter = (typeof outcomeFilters)[number];
export const orders = ["example", "worst", "best"] as const;
export type Order = (typeof orders)[number];

export interface MeasuredExample {
  readonly id: string;
  /** One for each experiment, the base first. */
  readonly figures: readonly Figures[];
  /** One for each experiment: some run of it failed. */
  readonly failed: readonly boolean[];
}

interface Arrangement {
  readonly measure: Measure;
  readonly show: OutcomeFilter;
  readonly order: Order;
  /** Places of the experiments that are asked about; without any all but the base. */
  readonly among: readonly number[];
}

/** The ids of the examples to show, in their order. What cannot be compared stands last. */
export function arranged(examples: readonly MeasuredExample[], arrangement: Arrangement): readonly string[] {
  const { measure, show, order, among } = arrangement;
  const differences = ({ figures }: MeasuredExample) =>
    among.map((at) => differenceOf(measure, figures[0] ?? nothingMeasured, figures[at] ?? nothingMeasured));
  const isShown = (example: MeasuredExample) => {
    if (show === "all") return true;
    if (show === "failed") return [0, ...among].some((at) => example.failed[at]);
    return differences(example).some(({ outcome }) => outcome === show);
  };
  const shown = examples.filter(isShown);
  if (order === "example") return shown.map(({ id }) => id);
  const sign = measure.better === "higher" ? 1 : -1;
  /** How much better the worst of them is, or the best of them. */
  const gain = (example: MeasuredExample) => {
    const values = differences(example).flatMap(({ value }) => (value === null ? [] : [value * sign]));
    if (values.length === 0) return null;
    return order === "worst" ? Math.min(...values) : -Math.max(...values);
  };
  return shown
    .map((example, place) => ({ id: example.id, gain: gain(example), place }))
    .sort(
      (one, other) =>
        Number(one.gain === null) - Number(other.gain === null) ||
        (one.gain ?? 0) - (other.gain ?? 0) ||
        one.place - other.place,
    )
    .map(({ id }) => id);
}
