// What is exported is used by another file: an export is a promise, and one that nobody takes up is dead code or a detail.
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
