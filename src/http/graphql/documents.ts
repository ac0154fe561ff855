// Texts of documents as parsed and validated documents; those that were used last are cached, because programs send the same ones again.
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from "graphql";
import { createLastUsed } from "../../kernel/last-used.ts";
import { limitErrors, MAX_CHARACTERS, MAX_TOKENS } from "./limits.ts";

type ReadDocument =
  | { readonly document: DocumentNode }
  /** `null`: it could not even be parsed. */
  | { readonly errors: readonly GraphQLError[]; readonly document: DocumentNode | null };

const MOST_KEPT = 200;
const LONGEST_KEPT = 10_000;
/** Errors of one document that are worth the time. */
const MOST_ERRORS = 20;

export function createDocumentReader(schema: GraphQLSchema): (text: string) => ReadDocument {
  const kept = createLastUsed<string, ReadDocument>(MOST_KEPT);
  return (text) => {
    const found = kept.find(text);
    if (found !== undefined) return found;
    const read = readDocument(schema, text);
    if (text.length <= LONGEST_KEPT) kept.set(text, read);
    return read;
  };
}

function readDocument(schema: GraphQLSchema, text: string): ReadDocument {
  if (text.length > MAX_CHARACTERS) {
    const tooLong = new GraphQLError(`The document is longer than ${MAX_CHARACTERS} characters`);
    return { errors: [tooLong], document: null };
  }
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error], document: null };
    // Nested too deeply for the parser.
    if (error instanceof RangeError)
      return { errors: [new GraphQLError("The document is nested too deeply")], document: null };
    throw error;
  }
  const refused = limitErrors(document);
  const errors = refused.length > 0 ? refused : validate(schema, document, undefined, { maxErrors: MOST_ERRORS });
  return errors.length > 0 ? { errors, document } : { document };
}
