// Every document of the pages is within the limits of the server, with the fragments that it names.
import { expect, test } from "bun:test";
import { Kind, type OperationDefinitionNode, parse, visit } from "graphql";
import { createDocumentReader } from "../../src/http/graphql/documents.ts";
import { declaredSchema } from "../support/declared-schema.ts";

async function writtenDocuments(): Promise<string[]> {
  const texts: string[] = [];
  for await (const file of new Bun.Glob("src/web/**/*.{ts,tsx}").scan()) {
    const source = await Bun.file(file).text();
    texts.push(...source.matchAll(/graphql\(\s*`([^`]+)`/g).map(([, text]) => text!));
  }
  return texts;
}

/** Names of fragments in it, with those of their own. */
function fragmentsOf(text: string, fragments: ReadonlyMap<string, string>, found = new Set<string>()): Set<string> {
  visit(parse(text), {
    FragmentSpread({ name: { value } }) {
      if (found.has(value)) return;
      found.add(value);
      fragmentsOf(fragments.get(value)!, fragments, found);
    },
  });
  return found;
}

test("documents of the pages are not refused", async () => {
  const operations: string[] = [];
  const fragments = new Map<string, string>();
  for (const text of await writtenDocuments()) {
    const [definition] = parse(text).definitions;
    if (definition?.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, text);
    else operations.push(text);
  }
  expect(operations.length).toBeGreaterThan(100);
  const read = createDocumentReader(await declaredSchema());
  const refused = operations.flatMap((text) => {
    const whole = [text, ...[...fragmentsOf(text, fragments)].map((name) => fragments.get(name)!)].join("\n");
    const answer = read(whole);
    if (!("errors" in answer)) return [];
    const { name } = parse(text).definitions[0] as OperationDefinitionNode;
    return [`${name?.value}: ${answer.errors.map(({ message }) => message).join("; ")}`];
  });
  expect(refused).toEqual([]);
});
