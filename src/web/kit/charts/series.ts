// What a chart over time shows, and what can be worked out from it without drawing.
import { offsetMs } from "../zoned-fields.ts";

export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  /** Name of a colour token, such as `--error`. */
  readonly color: string;
  /** One for each bin; null where there is nothing. */
  readonly values: readonly (number | null)[];
  /** Lines of one chart differ by more than their colour: lengths of strokes and gaps in pixels. */
  readonly dash?: readonly number[];
  /** Of lines: drawn as the upper edge of a band down to the next series, or as dots alone. */
  readonly look?: "band" | "dots";
}

export interface ChartData {
  /** Milliseconds, ascending. */
  readonly begins: readonly number[];
  /** Of the last bin; the others end where the next begins. */
  readonly lengthMs: number;
  /** Of bars the first lies at the bottom. */
  readonly series: readonly ChartSeries[];
  /** Values may be parts of one, as money is. */
  readonly divisible?: boolean;
  /** Values are milliseconds. */
  readonly durations?: boolean;
  /** A line across, such as a budget. */
  readonly limit?: { readonly label: string; readonly value: number };
}

/** Milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export function endOf({ begins, lengthMs }: ChartData, index: number): number {
  return begins[index + 1] ?? (begins[index] ?? 0) + lengthMs;
}

/** The bin that holds the instant; the nearest outside. -1 without bins. */
export function binAt({ begins }: ChartData, ms: number): number {
  const after = begins.findIndex((begin) => begin > ms);
  return after === -1 ? begins.length - 1 : Math.max(0, after - 1);
}

/** From the begin of one bin to the end of another, whichever comes first. */
export function spanOf(data: ChartData, one: number, other: number): Span {
  const [first, last] = one <= other ? [one, other] : [other, one];
  return { fromMs: data.begins[first] ?? 0, toMs: endOf(data, last) };
}

export function sumOf({ values }: ChartSeries): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

export function highestOf({ values }: ChartSeries): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b));
}

export function isEmpty({ series }: ChartData): boolean {
  return series.every(({ values }) => values.every((value) => value === null || value === 0));
}

/** Bins of counts put together until there are at most `most`; bars begin at the same times whatever the data begin with. */
export function foldedCounts(data: ChartData, most: number, zone: string): ChartData {
  const { begins, lengthMs, series, ...rest } = data;
  const fold = foldOf(begins.length, most);
  if (fold === 1) return data;
  const groups = Map.groupBy(begins.keys(), (at) => placeOf(begins[at]!, lengthMs, zone, fold));
  const members = [...groups.values()];
  const last = members.at(-1)!;
  return {
    ...rest,
    begins: members.map(([first]) => begins[first!]!),
    lengthMs: endOf(data, last.at(-1)!) - begins[last[0]!]!,
    series: series.map((each) => ({
      ...each,
      values: members.map((bins) => bins.reduce((sum, at) => sum + (each.values[at] ?? 0), 0)),
    })),
  };
}

/** Bins that become one bar: numbers that divide hours, days and weeks. */
const folds = [1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168];

/** How many bins become one, so that at most `most` are left; the first and the last may hold fewer. */
export function foldOf(count: number, most: number): number {
  return (
    folds.find((each) => Math.ceil(count / each) + (each > 1 ? 1 : 0) <= most) ??
    Math.ceil(count / Math.max(1, most - 1))
  );
}

/** The number of the bar that a bin belongs to, by the clocks of the zone at that time: a day may have 23 or 25 hours. */
export function placeOf(beginMs: number, lengthMs: number, zone: string, fold: number): number {
  return Math.floor(Math.round((beginMs + offsetMs(beginMs, zone)) / lengthMs) / fold);
}

/** A limit that is far above all values is not drawn to scale: they would vanish below it. */
const MOST_ABOVE = 4;

/** The top of the axis, a little above what is highest. */
export function topOf(high: number | null, limit: number | undefined): number {
  if (high === null || high <= 0) return limit ?? 1;
  return Math.max(high, limit !== undefined && limit <= high * MOST_ABOVE ? limit : 0) * 1.06;
}

/** The bottom of the axis: zero, or a little below what is lowest, as scores may be. */
export function bottomOf(low: number | null): number {
  return low === null || low >= 0 ? 0 : low * 1.06;
}

/** The tops of stacked bars: each series upon those before it. */
export function stacked(series: readonly ChartSeries[]): (number | null)[][] {
  const below: number[] = [];
  return series.map(({ values }) =>
    values.map((value, index) => {
      below[index] = (below[index] ?? 0) + (value ?? 0);
      return value === null && below[index] === 0 ? null : below[index]!;
    }),
  );
}

/** Places of labels at a distance at least `gap` from each other, as near to where they belong as the space from 0 to `height`
 *  lets them. Ascending in, ascending out. */
export function apart(places: readonly number[], gap: number, height: number): number[] {
  const moved: number[] = [];
  for (const place of places) moved.push(Math.max(place, (moved.at(-1) ?? -gap) + gap));
  let limit = height;
  for (let at = moved.length - 1; at >= 0; at--) {
    moved[at] = Math.min(moved[at]!, limit);
    limit = moved[at]! - gap;
  }
  return moved;
}

/** As much of a text as fits into the width, with an ellipsis where something is missing. */
export function fittingText(text: string, available: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= available) return text;
  const signs = [...text];
  let [fits, most] = [0, signs.length - 1];
  while (fits < most) {
    const half = Math.ceil((fits + most) / 2);
    if (widthOf(`${signs.slice(0, half).join("")}…`) <= available) fits = half;
    else most = half - 1;
  }
  return fits === 0 ? "" : `${signs.slice(0, fits).join("").trimEnd()}…`;
}

/** The places before and behind each gap of a line, where both sides of it have a value. */
export function gapsOf(values: readonly (number | null | undefined)[]): readonly (readonly [number, number])[] {
  const known = values.flatMap((value, index) => (typeof value === "number" ? [index] : []));
  return known.flatMap((index, at) => {
    const next = known[at + 1];
    return next === undefined || next === index + 1 ? [] : [[index, next] as const];
  });
}

/** Points of a line without a neighbour, which no stroke would show. */
export function lonely(values: readonly (number | null | undefined)[]): number[] {
  const has = (index: number) => typeof values[index] === "number";
  return values.flatMap((_, index) => (has(index) && !has(index - 1) && !has(index + 1) ? [index] : []));
}
