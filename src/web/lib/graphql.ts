// GraphQL documents of the pages: their texts are checked against the schema of the server and give the types of their variables
// and answers. They are sent as they were written.
import { type FragmentOf, type initGraphQLTada, type ResultOf, readFragment, type VariablesOf } from "gql.tada";
import { parseJson } from "../../kernel/json.ts";
import { type Shown, shownIn } from "./entities.ts";
import { failureOfResponse, PageFailure, unreachable } from "./failure.ts";
import type { introspection } from "./graphql-schema.d.ts";
import { fetchApi } from "./session.ts";
import { LiveRange } from "./time-range.ts";

export type { FragmentOf, ResultOf, VariablesOf };
export { readFragment };

type Graphql = ReturnType<
  typeof initGraphQLTada<{
    introspection: introspection;
    scalars: { ID: string; DateTime: string; JSON: unknown; Identifier: string; CronExpression: string };
  }>
>;

/** Any document that `graphql` made, with what it asks for and what it answers. */
export type Document<Result, Variables> = { readonly __apiType?: (variables: Variables) => Result };

interface WrittenDocument {
  readonly text: string;
  readonly name: string;
  readonly shows: Shown;
}

function written(text: string, fragments: readonly WrittenDocument[] = []): WrittenDocument {
  const name = /\b(?:query|mutation|fragment)\s+(\w+)/.exec(text)?.[1] ?? "";
  // A fragment that two others bring must stand once.
  const parts = new Set([text, ...fragments.flatMap((fragment) => fragment.text.split(SEPARATOR))]);
  const whole = [...parts].join(SEPARATOR);
  return { name, text: whole, shows: shownIn(whole) };
}

const SEPARATOR = "\n#\n";

/** `graphql("query Name($id: ID!) { … }", [fragments])`. Name every operation: its name is the first part of the query's key. */
export const graphql = written as Graphql;

/** A document whose types do not matter. */
export type AnyDocument = Document<unknown, never>;

export function nameOf(document: AnyDocument): string {
  return (document as WrittenDocument).name;
}

/** What its answer shows. */
export function shownBy(document: AnyDocument): Shown {
  return (document as WrittenDocument).shows;
}

/** The rows of a page. Those of a fragment are read by `readFragment(fragment, nodesOf(edges))`. */
export function nodesOf<Node>(edges: readonly { readonly node: Node }[]): readonly Node[] {
  return edges.map(({ node }) => node);
}

interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** Throws a PageFailure for everything but a whole answer. `exact`: numbers keep their digits, as raw numbers, for what is sent back. */
export async function askGraphql<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
  exact = false,
): Promise<Result> {
  const { text } = document as WrittenDocument;
  const response = await fetchApi("graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query: text, variables }, (_name, value: unknown) =>
      value instanceof LiveRange ? { start: value.start, end: value.end } : value,
    ),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
  const answer = exact ? parseJson(await response.text()) : await response.json();
  const { data, errors } = answer as Answer<Result>;
  const [error] = errors ?? [];
  if (error !== undefined) throw new PageFailure(kindOfCode(error.extensions?.code), error.message);
  if (data === undefined || data === null) throw new PageFailure("failed", "The server answered without data.");
  return data;
}

function kindOfCode(code: string | undefined): PageFailure["kind"] {
  switch (code) {
    case "UNAUTHORIZED":
      return "forbidden";
    case "NOT_FOUND":
      return "not_found";
    case "CONFLICT":
    case "BAD_REQUEST":
      return "refused";
    case "UNAVAILABLE":
    case "INSUFFICIENT_STORAGE":
      return "unavailable";
    default:
      return "failed";
  }
}
