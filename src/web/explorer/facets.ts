// What a click on a facet does to the condition. On spans a facet is a field with several chosen values; on traces it asks whether
// any span is like that.
import { chipsOf, choiceOf, conditionOf, literalOf, toggled, withChoice } from "../domain/filter/chips.ts";
import { formatDuration } from "../lib/format.ts";

export type How = "included" | "excluded";

export interface Facet {
  /** How the condition speaks of the value already. */
  stateOf(condition: string, value: string): How | null;
  /** The condition after the value was clicked: chosen, or, the second time, as before. */
  toggle(condition: string, value: string, how: How): string;
  /** A second value adds rows instead of narrowing. */
  readonly widens?: boolean;
}

/** Of longer texts the server counts only the beginning, in characters. */
const WHOLE_TEXT = 200;

/** The value is what a longer text begins with. */
const isCut = (value: string) => value.length >= WHOLE_TEXT && [...value].length >= WHOLE_TEXT;

/** `field == 'value'`, `field in [ … ]`, and their opposites. */
export function fieldFacet(field: string): Facet {
  const beginning = partFacet((value) => ({
    included: [`${literalOf(value)} in ${field}`],
    excluded: [`${literalOf(value)} not in ${field}`],
  }));
  return {
    widens: true,
    stateOf(condition, value) {
      if (isCut(value)) return beginning.stateOf(condition, value);
      const { included, excluded } = choiceOf(condition, field);
      return included.includes(value) ? "included" : excluded.includes(value) ? "excluded" : null;
    },
    toggle(condition, value, how) {
      if (isCut(value)) return beginning.toggle(condition, value, how);
      return withChoice(condition, field, toggled(choiceOf(condition, field), how, value));
    },
  };
}

/** Conditions that are there or not, written for a value; several are asked for together. */
export function partFacet(parts: (value: string) => Readonly<Record<How, readonly string[]>>): Facet {
  const textsOf = (condition: string) => (chipsOf(condition) ?? []).map(({ text }) => text);
  const isThere = (texts: readonly string[], wanted: readonly string[]) =>
    wanted.length > 0 && wanted.every((part) => texts.includes(part));
  return {
    stateOf(condition, value) {
      const texts = textsOf(condition);
      const { included, excluded } = parts(value);
      return isThere(texts, included) ? "included" : isThere(texts, excluded) ? "excluded" : null;
    },
    toggle(condition, value, how) {
      const texts = textsOf(condition);
      const { included, excluded } = parts(value);
      const chosen = how === "included" ? included : excluded;
      const others = texts.filter((text) => !included.includes(text) && !excluded.includes(text));
      return conditionOf(isThere(texts, chosen) ? others : [...others, ...chosen]);
    },
  };
}

/** Traces in which any span has the value in a field of the elements of `spans`. */
export function anySpanFacet(field: string): Facet {
  return partFacet((value) => {
    const literal = literalOf(value);
    const any = `any(${isCut(value) ? `${literal} in s.${field}` : `s.${field} == ${literal}`} for s in spans)`;
    return { included: [any], excluded: [`not ${any}`] };
  });
}

/** With and without failures, `error` and `ok`, by a field that counts them. */
export function failureFacet(field: string): Facet {
  const [failed, fine] = [`${field} > 0`, `${field} == 0`];
  return partFacet((value) =>
    value === "error" ? { included: [failed], excluded: [fine] } : { included: [fine], excluded: [failed] },
  );
}

/** Traces with and without a failed span. */
export const traceStatusFacet = failureFacet("error_count");

export interface Band {
  /** `low-high`, in milliseconds; the last has no high. */
  readonly value: string;
  readonly lowMs: number;
  readonly highMs: number | null;
}

/** Few enough to be read at a glance; their bounds are bounds of the server's finer bands. */
export const latencyBands: readonly Band[] = [
  [0, 100],
  [100, 1000],
  [1000, 5000],
  [5000, 30_000],
  [30_000, null],
].map(([low, high]) => ({ value: `${low}-${high ?? ""}`, lowMs: low!, highMs: high ?? null }));

/** A number between two bounds: the value is `low-high`, without a high in the last band. */
export function bandFacet(field: string): Facet {
  return partFacet((value) => {
    const [low, high] = value.split("-") as [string, string];
    const above = low === "0" ? [] : [`${field} >= ${low}`];
    const below = high === "" ? [] : [`${field} < ${high}`];
    const outside = [...(low === "0" ? [] : [`${field} < ${low}`]), ...(high === "" ? [] : [`${field} >= ${high}`])];
    return {
      included: [...above, ...below],
      excluded: [outside.length === 2 ? `(${outside.join(" or ")})` : outside[0]!],
    };
  });
}

/** Of spans and traces. */
export const latencyFacet = bandFacet("latency_ms");

export function durationBandLabel(lowMs: number, highMs: number | null): string {
  if (highMs === null) return `≥ ${boundText(lowMs)}`;
  return lowMs === 0 ? `< ${boundText(highMs)}` : `${boundText(lowMs)} – ${boundText(highMs)}`;
}

const units = [
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
] as const;

/** Bounds are round: `10 s`, not `10.0 s`. */
function boundText(ms: number): string {
  const unit = units.find(([length]) => ms % length === 0 && ms > 0);
  return unit === undefined ? formatDuration(ms) : `${ms / unit[0]} ${unit[1]}`;
}

/** The counts of finer bands, summed up. */
export function countsOfBands(
  fine: readonly { readonly minMs: number; readonly count: number }[],
): readonly (Band & { readonly count: number })[] {
  return latencyBands.map((band) => ({
    ...band,
    count: fine
      .filter(({ minMs }) => minMs >= band.lowMs && (band.highMs === null || minMs < band.highMs))
      .reduce((sum, { count }) => sum + count, 0),
  }));
}
