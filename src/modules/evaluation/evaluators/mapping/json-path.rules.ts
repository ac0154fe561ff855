// JSONPath as input mappings take it: members, positions, slices and wildcards. Descendants, filters and unions are refused, so that a
// path visits every value once at most.
import { isJsonObject, type Json } from "../../../../kernel/json.ts";

/** Characters of a path. */
const MAX_PATH_CHARACTERS = 1000;

type Step =
  | { readonly type: "member"; readonly name: string }
  | { readonly type: "position"; readonly position: number }
  | { readonly type: "slice"; readonly start: number | null; readonly end: number | null; readonly step: number }
  | { readonly type: "all" };

/** A path, read once. */
type JsonPath = readonly Step[];

const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_-]*/uy;
const POSITION = /-?\d{1,15}/y;
const SLICE = /(-?\d{1,15})?:(-?\d{1,15})?(?::(-?\d{1,15})?)?/y;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/suy;
const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** What is wrong with a path, for the message of who names the key. */
export class JsonPathError extends Error {}

const notSupported = (what: string) => new JsonPathError(`JSONPath feature '${what}' is not supported`);

/** Reads a path; `$` at the beginning may be left out. Throws JsonPathError. */
export function parseJsonPath(text: string): JsonPath {
  const path = text.trim();
  if (path === "") throw new JsonPathError("it is empty");
  if (path.length > MAX_PATH_CHARACTERS) throw new JsonPathError(`it is longer than ${MAX_PATH_CHARACTERS} characters`);
  const reader = new PathReader(path);
  const steps: Step[] = [];
  if (!reader.takes("$")) steps.push(reader.firstStep());
  while (!reader.isAtEnd) steps.push(reader.step());
  return steps;
}

class PathReader {
  #at = 0;
  constructor(readonly text: string) {}

  get isAtEnd() {
    return this.#at === this.text.length;
  }

  takes(mark: string): boolean {
    if (!this.text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #unexpected(): JsonPathError {
    if (this.isAtEnd) return new JsonPathError("it ends too early");
    return new JsonPathError(`unexpected ${JSON.stringify(this.text[this.#at])} at character ${this.#at + 1}`);
  }

  #name(): Step {
    const found = this.#match(NAME);
    if (found === null) throw this.#unexpected();
    return { type: "member", name: found[0] };
  }

  firstStep(): Step {
    if (this.text.startsWith("@")) throw notSupported("Current node");
    if (this.takes("*")) return { type: "all" };
    return this.text.startsWith("[") ? this.step() : this.#name();
  }

  step(): Step {
    if (this.takes("..")) throw notSupported("Descendants");
    if (this.takes(".")) return this.takes("*") ? { type: "all" } : this.#name();
    if (!this.takes("[")) throw this.#unexpected();
    const step = this.#selector();
    if (this.takes(",")) throw notSupported("Union");
    if (!this.takes("]")) throw this.#unexpected();
    return step;
  }

  #selector(): Step {
    if (this.takes("*")) return { type: "all" };
    if (this.takes("?") || this.takes("(")) throw notSupported("Filter");
    for (const quote of ["'", '"']) if (this.takes(quote)) return { type: "member", name: this.#quoted(quote) };
    const slice = this.#match(SLICE);
    if (slice !== null) {
      const [start, end, step] = slice.slice(1, 4).map((digits) => (digits === undefined ? null : Number(digits)));
      if (step === 0) throw new JsonPathError("the step of a slice must not be 0");
      return { type: "slice", start: start ?? null, end: end ?? null, step: step ?? 1 };
    }
    const position = this.#match(POSITION);
    if (position === null) throw this.#unexpected();
    return { type: "position", position: Number(position[0]) };
  }

  #quoted(quote: string): string {
    let name = "";
    for (;;) {
      if (this.isAtEnd) throw new JsonPathError(`the quotation mark ${quote} is never closed`);
      if (this.takes(quote)) return name;
      const escaped = this.#match(ESCAPE);
      if (escaped !== null) {
        const [, unit, character] = escaped;
        name +=
          unit === undefined ? (escapes[character!] ?? character!) : String.fromCharCode(Number.parseInt(unit, 16));
      } else name += this.text[this.#at++];
    }
  }
}

/** Every value that the path leads to, in the order of the document. */
export function valuesAt(path: JsonPath, document: Json): Json[] {
  let values: Json[] = [document];
  for (const step of path) {
    const next: Json[] = [];
    for (const value of values) follow(step, value, next);
    values = next;
  }
  return values;
}

function follow(step: Step, value: Json, into: Json[]): void {
  switch (step.type) {
    case "member":
      if (isJsonObject(value) && Object.hasOwn(value, step.name)) into.push(value[step.name]!);
      return;
    case "position": {
      if (!Array.isArray(value)) return;
      const found = value.at(step.position);
      if (found !== undefined) into.push(found);
      return;
    }
    case "slice":
      if (Array.isArray(value)) slice(step, value, into);
      return;
    case "all":
      if (Array.isArray(value)) for (const item of value) into.push(item);
      else if (isJsonObject(value)) for (const item of Object.values(value)) into.push(item);
  }
}

/** As RFC 9535 has it: bounds from the end if negative, backwards with a negative step. */
function slice({ start, end, step }: Extract<Step, { type: "slice" }>, list: readonly Json[], into: Json[]): void {
  const { length } = list;
  const bound = (given: number, least: number, most: number) =>
    Math.min(Math.max(given < 0 ? given + length : given, least), most);
  if (step > 0) {
    const stop = bound(end ?? length, 0, length);
    for (let at = bound(start ?? 0, 0, length); at < stop; at += step) into.push(list[at]!);
    return;
  }
  const stop = end === null ? -1 : bound(end, -1, length - 1);
  for (let at = start === null ? length - 1 : bound(start, -1, length - 1); at > stop; at += step) into.push(list[at]!);
}
