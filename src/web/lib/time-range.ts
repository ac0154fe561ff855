// The time range of a page. It lives in the address (`?range=7d`, or `?from=…&to=…`), so that a copied link shows the same.

export const presets = ["15m", "1h", "12h", "1d", "7d", "30d", "all"] as const;
export type Preset = (typeof presets)[number];

const MINUTE = 60_000;
const lengths: Readonly<Record<Preset, number | null>> = {
  "15m": 15 * MINUTE,
  "1h": 60 * MINUTE,
  "12h": 720 * MINUTE,
  "1d": 1440 * MINUTE,
  "7d": 7 * 1440 * MINUTE,
  "30d": 30 * 1440 * MINUTE,
  all: null,
};

const DEFAULT_PRESET: Preset = "7d";

/** A preset, or two instants in ISO 8601, the end exclusive and open when null. */
export type TimeRange =
  | { readonly preset: Preset }
  | { readonly preset: null; readonly from: string; readonly to: string | null };

/** A range as a variable of GraphQL. A preset is worked out for every request, while the key of the query stays the same:
 *  "the last hour" of a page that stays open moves on with the clock. */
export class LiveRange {
  readonly range: TimeRange;

  constructor(range: TimeRange) {
    this.range = range;
  }

  get start(): string | null {
    return boundsOf(this.range, Date.now()).from;
  }

  get end(): string | null {
    return boundsOf(this.range, Date.now()).to;
  }
}

/** Null: no bound. */
export function boundsOf(
  range: TimeRange,
  nowMs: number,
): { readonly from: string | null; readonly to: string | null } {
  if (range.preset === null) return { from: range.from, to: range.to };
  const length = lengths[range.preset];
  return { from: length === null ? null : new Date(nowMs - length).toISOString(), to: null };
}

export function readRange(parameters: URLSearchParams, fallback: Preset = DEFAULT_PRESET): TimeRange {
  const from = instant(parameters.get("from"));
  if (from !== null) return { preset: null, from, to: instant(parameters.get("to")) };
  const named = parameters.get("range");
  return { preset: presets.find((preset) => preset === named) ?? fallback };
}

/** The parameters that stand for a range; null takes one out of the address. */
export function rangeParameters(
  range: TimeRange,
  fallback: Preset = DEFAULT_PRESET,
): Readonly<Record<"range" | "from" | "to", string | null>> {
  if (range.preset === null) return { range: null, from: range.from, to: range.to };
  return { range: range.preset === fallback ? null : range.preset, from: null, to: null };
}

function instant(text: string | null): string | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
