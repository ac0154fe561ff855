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

/** The range of the same length before or behind; null where there is none: all time, or the time to come. */
export function neighbourOf(range: TimeRange, nowMs: number, direction: "before" | "behind"): TimeRange | null {
  const bounds = boundsOf(range, nowMs);
  if (bounds.from === null || (direction === "behind" && bounds.to === null)) return null;
  const fromMs = Date.parse(bounds.from);
  const toMs = bounds.to === null ? nowMs : Date.parse(bounds.to);
  const byMs = direction === "before" ? fromMs - toMs : toMs - fromMs;
  if (byMs === 0 || (direction === "behind" && toMs >= nowMs)) return null;
  const [from, to] = [fromMs + byMs, toMs + byMs].map((ms) => new Date(ms).toISOString());
  return { preset: null, from: from!, to: to! };
}

/** The period before a range, as long as it; of a preset it moves on with the clock. For ranges with a beginning. */
export class RangeBefore extends LiveRange {
  /** Tells it apart from the range itself where both are part of a key. */
  readonly before = true;

  override get start(): string | null {
    return this.#bounds.from;
  }

  override get end(): string | null {
    return this.#bounds.to;
  }

  get #bounds() {
    const nowMs = Date.now();
    return boundsOf(neighbourOf(this.range, nowMs, "before") ?? this.range, nowMs);
  }
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
