// What is exported is used by another file: an export is a promise, and one that nobody takes up is dead code or a detail. And it is
// the only one of its name, so that a name is known wherever it is met.
import { expect, test } from "bun:test";
import { readSources } from "./imports.ts";

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}(?! from)/gm;
const RENAMED_OR_TYPED = /^(?:type )?(\w+)(?: as (\w+))?$/;

/** Names that nobody imports, because the runtime or a tool asks for them: pages and defaults are loaded by their file. */
const ASKED_FOR_BY_NAME: readonly string[] = [];

function exportsOf(text: string): string[] {
  const listed = [...text.matchAll(LISTED)].flatMap(([, names]) => names!.split(","));
  return [
    ...[...text.matchAll(DECLARED)].map(([, name]) => name!),
    ...listed.map((entry) => RENAMED_OR_TYPED.exec(entry.trim())).flatMap((match) => match?.[2] ?? match?.[1] ?? []),
  ];
}

test("every export of the source is named in another file", async () => {
  const files = await readSources("src", "tests", "scripts");
  const users = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const [word] of text.matchAll(/\b[A-Za-z_]\w*\b/g)) {
      const seen = users.get(word) ?? new Set<string>();
      users.set(word, seen.add(path));
    }
  }
  const unused = files
    .filter(({ path }) => path.startsWith("src/") && !path.endsWith(".d.ts"))
    .flatMap(({ path, text }) => exportsOf(text).map((name) => ({ path, name })))
    .filter(({ name }) => users.get(name)!.size < 2 && !ASKED_FOR_BY_NAME.includes(name));
  expect(unused.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test("no two files of the server export the same name, but for the drivers of the two databases", async () => {
  const declared = (await readSources("src"))
    .filter(({ path }) => !path.startsWith("src/web/") && !path.endsWith(".d.ts"))
    .flatMap(({ path, text }) => [...text.matchAll(DECLARED)].map(([, name]) => ({ path, name: name! })));
  const repeated = [...Map.groupBy(declared, ({ name }) => name)]
    .map(([name, places]) => ({ name, paths: [...new Set(places.map(({ path }) => path))] }))
    .filter(({ paths }) => paths.length > 1 && new Set(paths.map(questionOf)).size > 1);
  expect(repeated.map(({ name, paths }) => `${name}: ${paths.join(", ")}`)).toEqual([]);
});

/** The same for the two drivers that answer one question. */
function questionOf(path: string): string {
  return path.replace(/^src\/storage\/(sqlite|postgres)\//, "");
}
