// What the plots of a comparison show, worked out from the figures of its examples. No React here.
import { type Figures, type Measure, type MeasuredExample, measuredValue, nothingMeasured } from "../measures.ts";

interface Bin {
  readonly from: number;
  readonly to: number;
  /** Examples by experiment. */
  readonly counts: readonly number[];
}

const BINS = 12;

/** Examples by the value of a measure, for each experiment; empty without a value. The last bin holds its end. */
export function distributionOf(
  measure: Measure,
  examples: readonly MeasuredExample[],
  experiments: number,
): readonly Bin[] {
  const values = Array.from({ length: experiments }, (_, at) =>
    examples.flatMap(({ figures }) => measuredValue(measure, figures[at] ?? nothingMeasured) ?? []),
  );
  const range = rangeOf(values.flat());
  if (range === null) return [];
  const width = (range.high - range.low) / BINS;
  return Array.from({ length: BINS }, (_, at) => ({
    from: range.low + at * width,
    to: range.low + (at + 1) * width,
    counts: values.map(
      (each) => each.filter((value) => Math.min(BINS - 1, Math.floor((value - range.low) / width)) === at).length,
    ),
  }));
}

/** The lowest and the highest; of one value alone some space to both sides. Null without any. */
export function rangeOf(values: readonly number[]): { readonly low: number; readonly high: number } | null {
  if (values.length === 0) return null;
  const [low, high] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  if (low < high) return { low, high };
  if (low === 0) return { low, high: 1 };
  const margin = Math.abs(low) / 2;
  return { low: low - margin, high: high + margin };
}

export interface Point {
  readonly exampleId: string;
  /** Place of the example, from 1. */
  readonly number: number;
  /** Place of the experiment. */
  readonly experiment: number;
  readonly x: number;
  readonly y: number;
}

/** Each experiment but the base: the value of the base across, its own upwards. By `x`. */
export function againstBase(measure: Measure, examples: readonly MeasuredExample[], experiments: number): Point[] {
  return pointsOf(examples, range(1, experiments), (figures, at) => [
    measuredValue(measure, figures[0] ?? nothingMeasured),
    measuredValue(measure, figures[at] ?? nothingMeasured),
  ]);
}

/** Every experiment: one measure across, another upwards. By `x`. */
export function againstMeasure(
  [across, upwards]: readonly [Measure, Measure],
  examples: readonly MeasuredExample[],
  experiments: number,
): Point[] {
  return pointsOf(examples, range(0, experiments), (figures, at) => [
    measuredValue(across, figures[at] ?? nothingMeasured),
    measuredValue(upwards, figures[at] ?? nothingMeasured),
  ]);
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

function pointsOf(
  examples: readonly MeasuredExample[],
  experiments: readonly number[],
  placeOf: (figures: readonly Figures[], experiment: number) => readonly [number | null, number | null],
): Point[] {
  return examples
    .flatMap(({ id, figures }, at) =>
      experiments.flatMap((experiment) => {
        const [x, y] = placeOf(figures, experiment);
        return x === null || y === null ? [] : [{ exampleId: id, number: at + 1, experiment, x, y }];
      }),
    )
    .sort((one, other) => one.x - other.x || one.y - other.y || one.number - other.number);
}
