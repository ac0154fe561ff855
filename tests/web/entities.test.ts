// What a change refreshes: every query must be found by what its document names.
import { describe, expect, test } from "bun:test";
import { pageEntities } from "../../src/web/declared-pages.ts";
import { type Entity, isTouched, shownIn } from "../../src/web/lib/entities.ts";

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

/** Those that pages declare, and others that are known by their own field. */
const entities: readonly Entity[] = [
  ...(Object.keys(pageEntities) as (keyof typeof pageEntities)[]),
  "annotationConfigs",
  "datasetLabels",
  "datasetSplits",
  "costRecomputation",
  "jobFailures",
  "builtInEvaluators",
  "promptLabels",
  "generativeModels",
  "budgetLeft",
];
const touchedIn = (text: string) => entities.filter((entity) => isTouched(shownIn(text), [entity]));

describe("a query", () => {
  test("of what can be changed is known by it", async () => {
    const all = await queries();
    expect(all.length).toBeGreaterThan(30);
    expect(all.filter(({ text }) => touchedIn(text).length === 0).map(({ name }) => name)).toEqual([]);
  });

  test.each<[name: string, shows: readonly Entity[]]>([
    ["Projects", ["projects", "traces"]],
    ["PaletteProjects", ["projects", "traces"]],
    ["NavigationCounts", ["projects", "traces", "datasets", "prompts"]],
    ["SpanPayload", ["traces"]],
    ["SessionTurns", ["traces"]],
    ["Viewer", ["users"]],
    ["Users", ["users", "apiKeys"]],
    ["OwnApiKeys", ["users", "apiKeys"]],
    ["SystemApiKeys", ["apiKeys"]],
    ["ApiKeysOfPeople", ["users", "apiKeys"]],
    ["Secrets", ["users", "secrets"]],
  ])("%s shows %p", async (name, shown) => {
    const query = (await queries()).find((each) => each.name === name);
    expect(touchedIn(query?.text ?? "").sort()).toEqual([...shown].sort());
  });

  test("is known by any field of Query without being listed", () => {
    expect(isTouched(shownIn("query Roles { userRoles { name } }"), ["userRoles"])).toBe(true);
    expect(isTouched(shownIn("query Roles { userRoles { name } }"), ["secrets"])).toBe(false);
  });
});

describe("a change", () => {
  test("touches what does not say what it shows", () => {
    expect(isTouched(undefined, ["secrets"])).toBe(true);
  });

  test("of everything touches everything", () => {
    expect(isTouched(shownIn("query Viewer { viewer { id } }"), "everything")).toBe(true);
  });

  test("of nothing touches nothing", () => {
    expect(isTouched(undefined, [])).toBe(false);
    expect(isTouched(shownIn("query Viewer { viewer { id } }"), [])).toBe(false);
  });
});
