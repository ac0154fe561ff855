// The Bloom filter of a block: which short attribute values may occur in which sixteenth of it. It is cut into parts by the
// hash of path and value, so that a question reads one part of every block and nothing else.
//
// What is hashed is a form of the value that every comparison which may find it also asks for (required-values.ts): the
// filter may say "perhaps" in vain, never "no" in vain. The forms are stored: changing them, or anything else here, needs a
// higher `SUMMARY_VERSION`, which has all filters rebuilt.
import type { Json } from "../../../kernel/json.ts";
import { SLICES } from "./block.ts";

/** Parts of a filter: with 25 attributes a span one holds about 1,000 bytes. */
export const PARTS = 64;
/** With 14 bits an element and 9 probes one answer in 700 is "perhaps" in vain: each has 256 payloads read, which takes a thousand
 *  times as long as the probes. */
const BITS_AN_ELEMENT = 14;
const PROBES = 9;
/** In fewer bits the probes of one element would fall upon each other. */
const SMALLEST_PART_BYTES = 64;
/** Characters of a text that is hashed at all; no text that holds a number is longer. */
export const SHORT_TEXT = 200;
/** Members of a list from this position on are not hashed: embeddings would make up the whole filter. */
export const POSITIONS = 64;
/** A sixteenth of a block with more different values than this gets no filter. */
const MOST_ELEMENTS = 32_768;

/** The hash of a path and a form of a value: 53 bits, of which the upper 32 choose part and place, the lower 21 the steps. */
export type Element = number;

const STEP_BITS = 21;

export function elementOf(path: string, form: string): Element {
  const text = `${path}\u0000${form}`;
  return Bun.hash.xxHash32(text, 1) * 2 ** STEP_BITS + (Bun.hash.xxHash32(text, 2) >>> (32 - STEP_BITS));
}

/** Keys and positions as one text; a position looks like the key that it may be meant by. */
export function pathText(path: readonly string[]): string {
  return path.join("\u0001");
}

export function partOf(element: Element): number {
  return Math.floor(element / 2 ** STEP_BITS) % PARTS;
}

/** The places of an element of a sixteenth in a part of so many bits. */
function* placesOf(element: Element, slice: number, bits: number): Generator<number> {
  const start = Math.imul(Math.floor(element / 2 ** STEP_BITS) ^ Math.imul(slice + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
  const step = (element % 2 ** STEP_BITS) * 2 + 1;
  for (let probe = 0; probe < PROBES; probe++) yield (start + probe * step) % bits;
}

/** Whether the part may hold the element for this sixteenth of the block. */
export function mayHold(part: Uint8Array, element: Element, slice: number): boolean {
  if (part.length === 0) return false;
  for (const place of placesOf(element, slice, part.length * 8)) {
    if ((part[place >>> 3]! & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

export interface BlockFilter {
  readonly parts: readonly Uint8Array[];
  /** A bit for each sixteenth that has too many values for a filter. */
  readonly unfiltered: number;
}

/** Columns whose texts are hashed like attributes: nothing else finds a rare one. */
export const hashedColumns = ["name", "span_key", "parent_key"] as const;
export type HashedColumn = (typeof hashedColumns)[number];

/** Like no attribute's: should one be spelled so, the filter says "perhaps" in vain. */
export function columnPath(column: HashedColumn): string {
  return `\u0002${column}`;
}

export interface BlockFilterBuilder {
  /** The attributes of one span, parsed as plain JSON, and its columns. */
  add(slice: number, attributes: Json, columns?: Readonly<Partial<Record<HashedColumn, string | null>>>): void;
  build(): BlockFilter;
  /** What each sixteenth holds so far, nothing where it is too much. */
  readonly slices: readonly ReadonlySet<Element>[];
}

export function createBlockFilterBuilder(): BlockFilterBuilder {
  const slices = Array.from({ length: SLICES }, () => new Set<Element>());
  let unfiltered = 0;
  return {
    slices,
    add(slice, attributes, columns = {}) {
      const elements = slices[slice]!;
      if ((unfiltered & (1 << slice)) !== 0) return;
      addElements(elements, attributes, "");
      for (const column of hashedColumns) {
        const text = columns[column] ?? null;
        if (text !== null && text.length <= SHORT_TEXT) elements.add(elementOf(columnPath(column), textForm(text)));
      }
      if (elements.size <= MOST_ELEMENTS) return;
      unfiltered |= 1 << slice;
      elements.clear();
    },
    build() {
      const counts = new Array<number>(PARTS).fill(0);
      for (const elements of slices) for (const element of elements) counts[partOf(element)]!++;
      const parts = counts.map((count) => {
        const bytes = Math.max(SMALLEST_PART_BYTES, Math.ceil((count * BITS_AN_ELEMENT) / 8));
        return new Uint8Array(count === 0 ? 0 : bytes);
      });
      for (const [slice, elements] of slices.entries()) {
        for (const element of elements) {
          const part = parts[partOf(element)]!;
          for (const place of placesOf(element, slice, part.length * 8)) part[place >>> 3]! |= 1 << (place & 7);
        }
      }
      return { parts, unfiltered };
    },
  };
}

function addElements(elements: Set<Element>, value: Json, path: string): void {
  if (value === null || elements.size > MOST_ELEMENTS) return;
  if (typeof value !== "object") {
    for (const form of formsOf(value)) elements.add(elementOf(path, form));
    return;
  }
  const before = path === "" ? "" : `${path}\u0001`;
  if (Array.isArray(value)) {
    for (const [position, member] of value.slice(0, POSITIONS).entries()) {
      addElements(elements, member, `${before}${position}`);
    }
    return;
  }
  const members = value as { readonly [key: string]: Json };
  for (const key of Object.keys(members)) addElements(elements, members[key]!, before + key);
}

/** Text that may hold a number, by the widest reading. */
const NUMBER_LIKE = /^\s*[-+.\d]/;

/** A value is hashed as what it is, and texts also as the number or boolean that they may be read as. */
function formsOf(value: string | number | boolean): string[] {
  if (typeof value === "boolean") return [booleanForm(value)];
  if (typeof value === "number") return [numberForm(value)];
  if (value.length > SHORT_TEXT) return [];
  const forms = [textForm(value)];
  const number = numberIn(value);
  if (number !== null) forms.push(numberForm(number));
  else if (/^(?:true|false)$/i.test(value)) forms.push(booleanForm(value.toLowerCase() === "true"));
  return forms;
}

/** The number that a value is, or that its text may be read as by the widest reading. */
export function numberIn(value: string | number): number | null {
  if (typeof value === "number") return value;
  if (value.length > SHORT_TEXT || !NUMBER_LIKE.test(value)) return null;
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}

export function textForm(text: string): string {
  return `s${text}`;
}

export function booleanForm(value: boolean): string {
  return value ? "b1" : "b0";
}

/** Nearer to 0 than this, texts read as 0. */
const SMALLEST = 1e-299;

/** Integers and doubles alike, in 15 digits. */
function numberForm(value: number): string {
  return Math.abs(value) < SMALLEST ? "n0" : `n${value.toPrecision(15)}`;
}

/** The forms of all numbers that a database may take for this one: it reads decimals with an error of its own. */
export function numberForms(value: number): string[] {
  const error = Math.abs(value) * 4e-16;
  return [...new Set([value, value - error, value + error].map(numberForm))];
}
