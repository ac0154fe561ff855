// The values that a condition requires of a span, and the paths where they may be. Parts of a condition that the filters of
// blocks do not cover are left out: they exclude nothing.
import {
  booleanForm,
  columnPath,
  type Element,
  elementOf,
  type HashedColumn,
  mayHold,
  numberForms,
  POSITIONS,
  partOf,
  pathText,
  SHORT_TEXT,
  textForm,
} from "./block-filter.ts";
import { mayHoldNumber, RANGES_PART, rangePath } from "./number-ranges.ts";

/** Microseconds, both included; without any span `low` is above `high`. */
export interface LatencyBounds {
  readonly low: number;
  readonly high: number;
}

/** One of the forms is the value at one of the paths: any of the elements. */
export type RequiredValues =
  | { readonly kind: "value"; readonly elements: readonly Element[] }
  /** A number from `low` to `high`, at one of the paths. */
  | { readonly kind: "range"; readonly paths: readonly Element[]; readonly low: number; readonly high: number }
  /** Microseconds, both included. */
  | ({ readonly kind: "latency" } & LatencyBounds)
  | { readonly kind: "all" | "any"; readonly members: readonly RequiredValues[] };

/** How an attribute is compared. `string`: with JSON strings only. `text`: with the text of any scalar. `number`, `boolean`: also
 *  with texts that hold one. */
export type RequiredLiteral =
  | { readonly reading: "string" | "text"; readonly value: string }
  | { readonly reading: "number"; readonly value: number }
  | { readonly reading: "boolean"; readonly value: boolean };

/** Null where filters cannot tell. The steps of a path are keys or positions. */
export function requiredValue(
  paths: readonly (readonly (string | number)[])[],
  literal: RequiredLiteral,
): RequiredValues | null {
  const forms = requiredForms(literal);
  if (forms === null || !paths.every(isHashed)) return null;
  const texts = paths.map((path) => pathText(path.map(String)));
  return { kind: "value", elements: texts.flatMap((path) => forms.map((form) => elementOf(path, form))) };
}

/** A number from `low` to `high`, both included, at one of the paths. */
export function requiredNumber(
  paths: readonly (readonly (string | number)[])[],
  { low, high }: { readonly low: number; readonly high: number },
): RequiredValues | null {
  if (!paths.every(isHashed)) return null;
  return { kind: "range", paths: paths.map((path) => rangePath(pathText(path.map(String)))), low, high };
}

/** The column holds the text. */
export function requiredColumn(column: HashedColumn, value: string): RequiredValues | null {
  if (value.length > SHORT_TEXT) return null;
  return { kind: "value", elements: [elementOf(columnPath(column), textForm(value))] };
}

/** All must hold; those that filters cannot tell anything about are passed over. */
export function allRequired(members: readonly (RequiredValues | null)[]): RequiredValues | null {
  const known = members.filter((member) => member !== null);
  return known.length <= 1 ? (known[0] ?? null) : { kind: "all", members: known };
}

/** One must hold: nothing is known when nothing is known of one of them. */
export function anyRequired(members: readonly (RequiredValues | null)[]): RequiredValues | null {
  const known = members.filter((member) => member !== null);
  return known.length < members.length || known.length === 0 ? null : { kind: "any", members: known };
}

/** Digits may be a position, whose spelling and range the databases understand differently. */
function isHashed(path: readonly (string | number)[]): boolean {
  return path.every((step) => {
    const text = String(step);
    return !/^[\s+-]*\d+\s*$/.test(text) || (/^(?:0|[1-9]\d*)$/.test(text) && Number(text) < POSITIONS);
  });
}

function requiredForms(literal: RequiredLiteral): string[] | null {
  if (literal.reading === "boolean") return [booleanForm(literal.value), ...numberForms(literal.value ? 1 : 0)];
  if (literal.reading === "number") return numberForms(literal.value);
  const { value, reading } = literal;
  if (value.length > SHORT_TEXT) return null;
  if (reading === "string") return [textForm(value)];
  // The text of a list or an object.
  if (/^\s*[[{]/.test(value)) return null;
  const forms = [textForm(value)];
  if (/^\s*[-+.\d]/.test(value)) {
    const number = Number(value);
    if (!Number.isFinite(number)) return /^[-+\d.eE\s]*$/.test(value) ? null : forms;
    forms.push(...numberForms(number));
  }
  if (/^(?:true|false)$/i.test(value)) forms.push(booleanForm(value.toLowerCase() === "true"));
  return forms;
}

/** The parts of filters that tell. */
export function partsOf(required: RequiredValues): Set<number> {
  if (required.kind === "value") return new Set(required.elements.map(partOf));
  if (required.kind === "range") return new Set([RANGES_PART]);
  if (required.kind === "latency") return new Set();
  return new Set(required.members.flatMap((member) => [...partsOf(member)]));
}

export function asksForLatency(required: RequiredValues): boolean {
  return required.kind === "latency" || ("members" in required && required.members.some(asksForLatency));
}

/** A bit for each sixteenth of a block. */
export const ALL_SLICES = 0xffff;

/** A bit for each sixteenth of the block where a match may stand. A part that is not there holds nothing; `latency` is null where that of its
 *  spans is not known. */
export function blockSlicesOf(
  required: RequiredValues,
  parts: ReadonlyMap<number, Uint8Array>,
  unfiltered: number,
  latency: LatencyBounds | null = null,
): number {
  switch (required.kind) {
    case "value": {
      let found = unfiltered;
      for (const element of required.elements) {
        const part = parts.get(partOf(element));
        if (part === undefined) continue;
        for (let slice = 0; slice < 16; slice++) if (mayHold(part, element, slice)) found |= 1 << slice;
      }
      return found;
    }
    case "range":
      return unfiltered === ALL_SLICES || mayHoldNumber(parts.get(RANGES_PART), required) ? ALL_SLICES : 0;
    case "latency":
      return latency === null || (latency.low <= required.high && latency.high >= required.low) ? ALL_SLICES : 0;
    case "all":
      return required.members.reduce(
        (found, member) => found & blockSlicesOf(member, parts, unfiltered, latency),
        ALL_SLICES,
      );
    case "any":
      return required.members.reduce((found, member) => found | blockSlicesOf(member, parts, unfiltered, latency), 0);
  }
}
