// The lowest and the highest number at each path of the attributes of a block's spans: what a bound excludes is not read. Numbers are those
// of the widest reading, texts that may hold one among them, and a little more to either side than they are.
import type { Json } from "../../../kernel/json.ts";
import { type Element, elementOf, numberIn, POSITIONS } from "./block-filter.ts";

/** Beside the parts of the filter, under a number that none of them has. Older servers remove it with the filter and never read it. */
export const RANGES_PART = 64;
/** A block whose spans have numbers at more paths has no ranges. */
const MOST_PATHS = 256;
/** Path, lowest, highest: doubles, the lowest byte first. */
const ENTRY_BYTES = 24;
/** What a double loses of a decimal, and what the databases take for 0. */
const RELATIVE_ERROR = 4e-16;
const ABSOLUTE_ERROR = 1e-299;

interface NumberRange {
  low: number;
  high: number;
}

/** What stands for a path in the ranges. `path` is a `pathText`. */
export function rangePath(path: string): Element {
  return elementOf(path, "range");
}

export interface NumberRangesBuilder {
  /** The attributes of one span, parsed as plain JSON. */
  add(attributes: Json): void;
  /** Packed; empty where there are too many paths: then nothing is known. One path at least stands for all that have none. */
  build(): Uint8Array;
}

export function createNumberRangesBuilder(): NumberRangesBuilder {
  const ranges = new Map<string, NumberRange>();

  function addNumber(path: string, value: number): void {
    const range = ranges.get(path);
    if (range === undefined) {
      if (ranges.size <= MOST_PATHS) ranges.set(path, { low: value, high: value });
      return;
    }
    if (value < range.low) range.low = value;
    if (value > range.high) range.high = value;
  }

  function addAll(value: Json, path: string): void {
    if (value === null || typeof value === "boolean") return;
    if (typeof value !== "object") {
      const number = numberIn(value);
      if (number !== null) addNumber(path, number);
      return;
    }
    const before = path === "" ? "" : `${path}\u0001`;
    if (Array.isArray(value)) {
      for (let position = 0; position < Math.min(value.length, POSITIONS); position++) {
        addAll(value[position]!, `${before}${position}`);
      }
      return;
    }
    const members = value as { readonly [key: string]: Json };
    for (const key of Object.keys(members)) addAll(members[key]!, before + key);
  }

  return {
    add: (attributes) => addAll(attributes, ""),
    build() {
      if (ranges.size > MOST_PATHS) return new Uint8Array(0);
      const entries = [...ranges, NO_NUMBERS].map(
        ([path, { low, high }]) => [rangePath(path), lowered(low), -lowered(-high)] as const,
      );
      const packed = new DataView(new ArrayBuffer(entries.length * ENTRY_BYTES));
      entries.flat().forEach((number, at) => {
        packed.setFloat64(at * 8, number, true);
      });
      return new Uint8Array(packed.buffer);
    },
  };
}

/** So that a block without any number has ranges, too. No span has an attribute at the empty path. */
const NO_NUMBERS: readonly [string, NumberRange] = [
  "",
  { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
];

function lowered(value: number): number {
  return Number.isFinite(value) ? value - Math.abs(value) * RELATIVE_ERROR - ABSOLUTE_ERROR : value;
}

/** Each path with its bounds; null where nothing is known. */
export function unpackedRanges(packed: Uint8Array | undefined): Map<Element, Readonly<NumberRange>> | null {
  if (packed === undefined || packed.length === 0) return null;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const ranges = new Map<Element, NumberRange>();
  for (let at = 0; at < packed.length; at += ENTRY_BYTES) {
    const [low, high] = [view.getFloat64(at + 8, true), view.getFloat64(at + 16, true)];
    ranges.set(view.getFloat64(at, true), { low, high });
  }
  return ranges;
}

/** Whether the block may have a number from `low` to `high` at one of the paths. */
export function mayHoldNumber(
  packed: Uint8Array | undefined,
  { paths, low, high }: { readonly paths: readonly Element[] } & Readonly<NumberRange>,
): boolean {
  const ranges = unpackedRanges(packed);
  if (ranges === null) return true;
  return paths.some((path) => {
    const range = ranges.get(path);
    return range !== undefined && range.low <= high && range.high >= low;
  });
}
