// The GraphQL operations of the pages, as their source has them.
import { Kind, type OperationDefinitionNode, parse, visit } from "graphql";

export interface PageOperation {
  readonly name: string;
  readonly kind: "query" | "mutation" | "subscription";
  /** With the fragments that it names. */
  readonly text: string;
  /** It can be sent without variables. */
  readonly standsAlone: boolean;
}

export async function pageOperations(): Promise<PageOperation[]> {
  const operations: [OperationDefinitionNode, string][] = [];
  const fragments = new Map<string, string>();
  for (const text of await writtenDocuments()) {
    const [definition] = parse(text).definitions;
    if (definition?.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, text);
    else if (definition?.kind === Kind.OPERATION_DEFINITION) operations.push([definition, text]);
  }
  return operations.map(([definition, text]) => ({
    name: definition.name?.value ?? "",
    kind: definition.operation,
    text: [text, ...[...fragmentsOf(text, fragments)].map((name) => fragments.get(name)!)].join("\n"),
    standsAlone: (definition.variableDefinitions ?? []).every(
      ({ type, defaultValue }) => type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined,
    ),
  }));
}

async function writtenDocuments(): Promise<string[]> {
  const texts: string[] = [];
  for await (const file of new Bun.Glob("src/web/**/*.{ts,tsx}").scan({
    cwd: new URL("../..", import.meta.url).pathname,
    absolute: true,
  })) {
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
