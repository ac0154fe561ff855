// Counts how often each value of each attribute is among the selected items and among the rest, one item after the other.

/** Several values: the item has each of them, e.g. the tools of a trace. A number is compared by ranges. Null: the item has none. */
export type ItemValue = string | number | readonly string[] | null;

interface ValueCount {
  readonly key: string;
  /** For a range its bounds, as they are written in a filter. */
  readonly value: string;
  readonly range: NumberRange | null;
  selectedWith: number;
  restWith: number;
}

export interface NumberRange {
  readonly min: number;
  /** Excluded; the highest range has none. */
  readonly max: number | null;
}

/** Different values of one attribute that are counted. */
const MOST_VALUES = 20_000;
/** Ranges of a number hold about equally many items. */
const RANGES = 8;

export class ValueTally {
  selected = 0;
  rest = 0;
  /** Attributes with more values than are counted: what is counted of them is exact, what came later is left out. */
  readonly incomplete = new Set<string>();
  private readonly texts = new Map<string, Map<string, ValueCount>>();
  private readonly numbers = new Map<string, { readonly selected: number[]; readonly rest: number[] }>();

  /** Takes an item with its values by attribute. */
  add(isSelected: boolean, values: Iterable<readonly [key: string, value: ItemValue]>): void {
    if (isSelected) this.selected++;
    else this.rest++;
    for (const [key, value] of values) {
      if (value === null) continue;
      if (typeof value === "number") this.addNumber(isSelected, key, value);
      else if (typeof value === "string") this.addText(isSelected, key, value, 1);
      else for (const each of new Set(value)) this.addText(isSelected, key, each, 1);
    }
  }

  /** Further numbers of an item that was taken already. */
  addNumbers(isSelected: boolean, values: Iterable<readonly [key: string, value: number | null]>): void {
    for (const [key, value] of values) if (value !== null) this.addNumber(isSelected, key, value);
  }

  /** Adds items whose values were counted elsewhere, e.g. by a database. */
  addCounted(
    selected: number,
    rest: number,
    counts: readonly Pick<ValueCount, "key" | "value" | "selectedWith" | "restWith">[],
  ): void {
    this.selected += selected;
    this.rest += rest;
    for (const { key, value, selectedWith, restWith } of counts) {
      this.addText(true, key, value, selectedWith);
      this.addText(false, key, value, restWith);
    }
  }

  /** By attribute in the order in which they came. */
  counts(): readonly ValueCount[] {
    return [
      ...[...this.texts.values()].flatMap((values) => [...values.values()]),
      ...[...this.numbers].flatMap(([key, { selected, rest }]) => rangeCounts(key, selected, rest)),
    ];
  }

  private addText(isSelected: boolean, key: string, value: string, items: number): void {
    let values = this.texts.get(key);
    if (values === undefined) {
      values = new Map();
      this.texts.set(key, values);
    }
    let count = values.get(value);
    if (count === undefined) {
      if (values.size >= MOST_VALUES) {
        this.incomplete.add(key);
        return;
      }
      count = { key, value, range: null, selectedWith: 0, restWith: 0 };
      values.set(value, count);
    }
    if (isSelected) count.selectedWith += items;
    else count.restWith += items;
  }

  private addNumber(isSelected: boolean, key: string, value: number): void {
    if (!Number.isFinite(value)) return;
    const found = this.numbers.get(key) ?? { selected: [], rest: [] };
    this.numbers.set(key, found);
    (isSelected ? found.selected : found.rest).push(value);
  }
}

function rangeCounts(key: string, selected: readonly number[], rest: readonly number[]): ValueCount[] {
  const sorted = Float64Array.from([...selected, ...rest]).sort();
  const starts = Array.from({ length: RANGES }, (_, at) => sorted[Math.floor((sorted.length * at) / RANGES)]!);
  const edges = [...new Set(starts)];
  const counts = edges.map((min, at): ValueCount => {
    const max = edges[at + 1] ?? null;
    const value = max === null ? `≥ ${min}` : `${min} – ${max}`;
    return { key, value, range: { min, max }, selectedWith: 0, restWith: 0 };
  });
  const rangeOf = (number: number) => counts[edges.findLastIndex((edge) => edge <= number)]!;
  for (const number of selected) rangeOf(number).selectedWith++;
  for (const number of rest) rangeOf(number).restWith++;
  return counts;
}
