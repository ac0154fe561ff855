// What a document may ask for, judged before it is validated, because validation itself takes long for hostile ones: nesting,
// aliases, and the fields it selects once its fragments are put in their places (docs/protocol/graphql.md#limits).
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import { measureSelections } from "../../graphql/selection.ts";

export const MAX_SELECTION_DEPTH = 20;
export const MAX_ALIASES = 50;
/** Fields of one document, fragments counted wherever they are used. The explorer's look at the whole schema has some 400. */
export const MAX_FIELDS = 2000;
export const MAX_TOKENS = 20_000;
export const MAX_CHARACTERS = 100_000;

/** The refusals of a document; none when it may be validated. */
export function limitErrors(document: DocumentNode): GraphQLError[] {
  const aliases = countAliases(document);
  if (aliases > MAX_ALIASES) return [new GraphQLError(`${aliases} aliases found. Allowed: ${MAX_ALIASES}`)];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const extentOf = measureSelections((name) => fragments.get(name));
  return document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const { depth, fields } = extentOf(definition.selectionSet);
    const name = nameOf(definition);
    if (depth > MAX_SELECTION_DEPTH) {
      return [
        new GraphQLError(`'${name}' exceeds maximum operation depth of ${MAX_SELECTION_DEPTH}`, { nodes: definition }),
      ];
    }
    if (fields > MAX_FIELDS) {
      return [new GraphQLError(`'${name}' selects more than ${MAX_FIELDS} fields`, { nodes: definition })];
    }
    return [];
  });
}

function nameOf(operation: OperationDefinitionNode): string {
  return operation.name?.value ?? "anonymous";
}

function countAliases(document: DocumentNode): number {
  let aliases = 0;
  visit(document, {
    Field({ alias }) {
      if (alias !== undefined) aliases++;
    },
  });
  return aliases;
}
