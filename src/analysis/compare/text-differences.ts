// How two inputs or two outputs differ: JSON by its keys, text by its words.
import { diffArrays, diffWordsWithSpace } from "diff";
import { isJsonObject, type Json, parseJson, stringifyJson } from "../../kernel/json.ts";

type TextDifferences =
  | { readonly kind: "same" }
  | { readonly kind: "keys"; readonly changes: readonly KeyChange[] }
  | {
      readonly kind: "words";
      readonly parts: readonly WordPart[];
      readonly addedWords: number;
      readonly removedWords: number;
    }
  /** One is absent, or they are too long or too different to be read word by word. */
  | { readonly kind: "whole" };

interface KeyChange {
  /** Names and positions, joined by dots: those of the first text, of what was added those of the second. */
  readonly path: string;
  /** Undefined where it is absent. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

interface WordPart {
  readonly change: "same" | "removed" | "added";
  readonly text: string;
}

/** Words or members of one list that may differ: finding more takes the longer the more they are. */
const MOST_DIFFERENT = 400;
/** UTF-16 units of both texts together. */
const LONGEST = 400_000;

export function textDifferences(before: string | null, after: string | null): TextDifferences {
  if (before === after) return { kind: "same" };
  if (before === null || after === null || before.length + after.length > LONGEST) return { kind: "whole" };
  const [jsonBefore, jsonAfter] = [containerIn(before), containerIn(after)];
  if (jsonBefore !== null && jsonAfter !== null && Array.isArray(jsonBefore) === Array.isArray(jsonAfter)) {
    const changes: KeyChange[] = [];
    collect(changes, [], jsonBefore, jsonAfter);
    return changes.length === 0 ? { kind: "same" } : { kind: "keys", changes };
  }
  const found = diffWordsWithSpace(before, after, { maxEditLength: MOST_DIFFERENT });
  if (found === undefined) return { kind: "whole" };
  const parts = found.map(({ value, added, removed }): WordPart => {
    return { change: added ? "added" : removed ? "removed" : "same", text: value };
  });
  return { kind: "words", parts, addedWords: wordsIn(parts, "added"), removedWords: wordsIn(parts, "removed") };
}

function wordsIn(parts: readonly WordPart[], change: WordPart["change"]): number {
  const words = parts.map((part) => (part.change === change ? (part.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) : 0));
  return words.reduce((sum, count) => sum + count, 0);
}

function containerIn(text: string): Json | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

type Path = readonly (string | number)[];

function collect(changes: KeyChange[], path: Path, before: Json | undefined, after: Json | undefined): void {
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const memberOf = (value: typeof before) => (Object.hasOwn(value, name) ? value[name] : undefined);
      collect(changes, [...path, name], memberOf(before), memberOf(after));
    }
  } else if (Array.isArray(before) && Array.isArray(after)) collectMembers(changes, path, before, after);
  else if (before === undefined || after === undefined || stringifyJson(before) !== stringifyJson(after)) {
    changes.push({ path: path.join("."), before, after });
  }
}

/** Members that both lists have stay pairs, whatever was inserted before them. Of those that differ in one place the first is compared with
 *  the first, and so on. */
function collectMembers(changes: KeyChange[], path: Path, before: readonly Json[], after: readonly Json[]): void {
  const found = diffArrays(before.map(stringifyJson), after.map(stringifyJson), { maxEditLength: MOST_DIFFERENT });
  const runs = found ?? [
    { removed: true, count: before.length },
    { added: true, count: after.length },
  ];
  let [atBefore, atAfter] = [0, 0];
  runs.forEach(({ removed, added, count = 0 }, number) => {
    if (removed) {
      const next = runs[number + 1];
      const replaced = next?.added ? Math.min(count, next.count ?? 0) : 0;
      for (let each = 0; each < count; each++) {
        const other = each < replaced ? after[atAfter + each] : undefined;
        collect(changes, [...path, atBefore + each], before[atBefore + each], other);
      }
      atBefore += count;
    } else if (added) {
      const previous = runs[number - 1];
      const replaced = previous?.removed ? Math.min(count, previous.count ?? 0) : 0;
      for (let each = replaced; each < count; each++) {
        collect(changes, [...path, atAfter + each], undefined, after[atAfter + each]);
      }
      atAfter += count;
    } else {
      atBefore += count;
      atAfter += count;
    }
  });
}
