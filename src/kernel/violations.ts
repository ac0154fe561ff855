// The violations of one request: counted all, kept only as many as a person reads, and none with more of what was sent than a
// line of it. A body of wrong entries must not become an answer, or a heap, of fifty times its size.
import type { Violation } from "./failure.ts";
import { isRawNumber } from "./json.ts";

/** Entries of one answer. */
const MOST_VIOLATIONS = 100;
/** Characters that an entry shows of what was sent, in all of a list or an object. */
const SHOWN_CHARACTERS = 200;
/** Type of the last entry, where there are more violations than entries. */
const TOO_MANY = "too_many_violations";
const SHOWN_DEPTH = 10;

export class Violations {
  readonly #kept: Violation[] = [];
  #total = 0;
  /** Violations that follow each other often show the same object. */
  #lastShown: { readonly input: unknown; readonly shown: unknown } | null = null;

  /** How many there are, those that are not kept included. */
  get total(): number {
    return this.#total;
  }

  /** Whether another one would only be counted. */
  get isFull(): boolean {
    return this.#kept.length === MOST_VIOLATIONS;
  }

  add(violation: Violation): void {
    this.#total++;
    if (!this.isFull) this.#kept.push({ ...violation, input: this.#shown(violation.input) });
  }

  count(): void {
    this.#total++;
  }

  addAll(others: Violations): void {
    this.addCounted(others.#kept, others.#total);
  }

  /** Adds those that were kept of a `total`. */
  addCounted(kept: readonly Violation[], total: number): void {
    for (const violation of kept) this.add(violation);
    this.#total += total - kept.length;
  }

  /** The entries of the answer. Where they are too many, the last one tells how many there are. */
  list(): Violation[] {
    const listed = MOST_VIOLATIONS - 1;
    if (this.#total <= MOST_VIOLATIONS) return [...this.#kept];
    const msg = `${this.#total} values are wrong; the first ${listed} of them are listed`;
    const place = this.#kept[listed]!.loc.slice(0, 1);
    const last: Violation = { type: TOO_MANY, loc: place, msg, input: null, ctx: { total: this.#total } };
    return [...this.#kept.slice(0, listed), last];
  }

  #shown(input: unknown): unknown {
    if (typeof input !== "object" || input === null) return shownInput(input);
    if (this.#lastShown?.input !== input) this.#lastShown = { input, shown: shownInput(input) };
    return this.#lastShown.shown;
  }
}

const [BRACKETS, QUOTES, COLON, COMMA] = [2, 2, 1, 1] as const;

/** A value as sent, or as much of it as takes SHOWN_CHARACTERS; texts that were cut end in `…`. */
export function shownInput(input: unknown): unknown {
  let left = SHOWN_CHARACTERS;

  function textOf(text: string): string {
    const shown = text.length > left ? `${text.slice(0, Math.max(0, left - 1))}…` : text;
    left -= shown.length + QUOTES;
    return shown;
  }

  function listOf(items: readonly unknown[], depth: number): unknown[] {
    const shown: unknown[] = [];
    left -= BRACKETS;
    for (const item of items) {
      left -= COMMA;
      if (left <= 0) break;
      shown.push(shownValue(item, depth));
    }
    return shown;
  }

  function objectOf(value: object, depth: number): unknown {
    const members: [string, unknown][] = [];
    left -= BRACKETS;
    for (const name in value) {
      left -= QUOTES + COLON + COMMA;
      if (left <= 0) break;
      members.push([textOf(name), shownValue((value as Record<string, unknown>)[name], depth)]);
    }
    return Object.fromEntries(members);
  }

  function shownValue(value: unknown, depth: number): unknown {
    if (typeof value === "string") return textOf(value);
    if (typeof value !== "object" || value === null || isRawNumber(value)) {
      left -= isRawNumber(value) ? value.rawJSON.length : String(value).length;
      return value;
    }
    if (depth === 0) return null;
    return Array.isArray(value) ? listOf(value, depth - 1) : objectOf(value, depth - 1);
  }

  return shownValue(input, SHOWN_DEPTH);
}
