// What a change refreshes: every query must be found by what its document names.
import { describe, expect, test } from "bun:test";
import { type Entity, entitiesIn, everything, isTouched } from "../../src/web/lib/entities.ts";

interface WrittenQuery {
  readonly name: string;
  readonly text: string;
}

/** Every query of the pages, as it is written. Fragments stay apart: what they are on is named by the query, too. */
async function queries(): Promise<readonly WrittenQuery[]> {
  const found: WrittenQuery[] = [];
  for await (const path of new Bun.Glob("src/web/**/*.{ts,tsx}").scan()) {
    const source = await Bun.file(path).text();
    for (const [, text, name] of source.matchAll(/graphql\(\s*`(\s*query (\w+)[^`]*)`/g))
      found.push({ name: name!, text: text! });
  }
  return found;
}

describe("a query", () => {
  test("always shows something that can be changed", async () => {
    const all = await queries();
    expect(all.length).toBeGreaterThan(30);
    expect(all.filter(({ text }) => entitiesIn(text).length === 0).map(({ name }) => name)).toEqual([]);
  });

  test.each<[name: string, shows: readonly Entity[]]>([
    ["Projects", ["projects", "traces"]],
    ["PaletteProjects", ["projects", "traces"]],
    ["SpanPayload", ["traces"]],
    ["SessionTurns", ["traces"]],
    ["Viewer", ["users"]],
    ["Users", ["users", "apiKeys"]],
    ["OwnApiKeys", ["users", "apiKeys"]],
    ["SystemApiKeys", ["apiKeys"]],
    ["ApiKeysOfPeople", ["users", "apiKeys"]],
    ["Secrets", ["users", "secrets"]],
  ])("%s shows %p", async (name, shows) => {
    const query = (await queries()).find((each) => each.name === name);
    expect(entitiesIn(query?.text ?? "")).toEqual([...shows]);
  });
});

describe("a change", () => {
  test("touches what shows one of its entities, and what does not say what it shows", () => {
    expect(isTouched(["users", "secrets"], ["secrets"])).toBe(true);
    expect(isTouched(["users"], ["secrets"])).toBe(false);
    expect(isTouched(undefined, ["secrets"])).toBe(true);
    expect(isTouched([], everything)).toBe(false);
  });

  test("of nothing touches nothing", () => {
    expect(isTouched(undefined, [])).toBe(false);
    expect(isTouched(everything, [])).toBe(false);
  });
});
