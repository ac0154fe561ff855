// What a chart over time shows, and what can be worked out from it without drawing.

export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  /** Name of a colour token, such as `--error`. */
  readonly color: string;
  /** One for each bin; null where there is nothing. */
  readonly values: readonly (number | null)[];
  /** Lines of one chart differ by more than their colour: lengths of strokes and gaps in pixels. */
  readonly dash?: readonly number[];
}

export interface ChartData {
  /** Milliseconds, ascending. */
  readonly begins: readonly number[];
  /** Of the last bin; the others end where the next begins. */
  readonly lengthMs: number;
  /** Of bars the first lies at the bottom. */
  readonly series: readonly ChartSeries[];
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

/** Points of a line without a neighbour, which no stroke would show. */
export function lonely(values: readonly (number | null | undefined)[]): number[] {
  const has = (index: number) => typeof values[index] === "number";
  return values.flatMap((_, index) => (has(index) && !has(index - 1) && !has(index + 1) ? [index] : []));
}
