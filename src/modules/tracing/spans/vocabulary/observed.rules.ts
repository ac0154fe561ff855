// What a sample of attributes offers for completion: the paths of their scalars, the type of each, and values worth offering.
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";

export interface ObservedPath {
  readonly path: readonly string[];
  readonly type: "string" | "number" | "boolean";
  /** Texts, most frequent first. */
  readonly values: readonly string[];
  /** One of the texts occurs more than once. */
  readonly repeats: boolean;
}

/** Paths of an answer; the most frequent ones are kept. */
const MOST_PATHS = 400;
/** Values of one path in an answer. */
const MOST_VALUES = 20;
/** Different values that are counted for a path: ids and prose have more, and are not worth offering. */
const MOST_COUNTED = 200;
/** Longer texts are prose. */
const LONGEST_VALUE = 80;
/** Steps of a path: deeper ones are parts of messages. */
const DEEPEST = 6;

interface Counted {
  readonly path: readonly string[];
  readonly types: Record<"string" | "number" | "boolean", number>;
  readonly values: Map<string, number>;
}

/** Lists are left out: their positions are many, and conditions seldom name one. */
export function observePaths(sample: readonly JsonObject[]): ObservedPath[] {
  const counted = new Map<string, Counted>();
  for (const attributes of sample) visit(attributes, []);
  const total = ({ types }: Counted) => types.string + types.number + types.boolean;
  return [...counted.values()]
    .sort((one, other) => total(other) - total(one))
    .slice(0, MOST_PATHS)
    .map(({ path, types, values }) => ({
      path,
      type: types.number > types.string ? "number" : types.boolean > types.string ? "boolean" : "string",
      values: values.size > MOST_COUNTED ? [] : mostFrequent(values),
      repeats: [...values.values()].some((count) => count > 1),
    }));

  function visit(object: JsonObject, above: readonly string[]): void {
    for (const key of Object.keys(object)) {
      const value = object[key]!;
      const path = [...above, key];
      if (isJsonObject(value)) {
        if (path.length < DEEPEST) visit(value, path);
      } else count(path, value);
    }
  }

  function count(path: readonly string[], value: Json): void {
    const type = value === null || Array.isArray(value) ? null : typeof value;
    if (type === null) return;
    const name = path.join("\0");
    let entry = counted.get(name);
    if (entry === undefined) {
      entry = { path, types: { string: 0, number: 0, boolean: 0 }, values: new Map() };
      counted.set(name, entry);
    }
    // Numbers that keep their digits are objects.
    entry.types[type === "string" || type === "boolean" ? type : "number"] += 1;
    if (typeof value === "string" && value.length <= LONGEST_VALUE && entry.values.size <= MOST_COUNTED) {
      entry.values.set(value, (entry.values.get(value) ?? 0) + 1);
    }
  }
}

/** Texts by how often they occur. */
export function mostFrequent(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .sort(([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1))
    .slice(0, MOST_VALUES)
    .map(([value]) => value);
}
