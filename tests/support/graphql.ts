// Questions to /graphql in tests.
import { send, type TestApi } from "./api.ts";

export interface GraphqlAnswer {
  readonly data: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: string };
  }[];
}

export async function askGraphql(
  api: Pick<TestApi, "server">,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<GraphqlAnswer> {
  const response = await send(api.server, "POST /graphql", { json: { query, variables } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/graphql answered ${response.status}: ${text}`);
  return JSON.parse(text) as GraphqlAnswer;
}

/** The data of an answer that must be free of errors. */
export async function askData<Data>(
  api: Pick<TestApi, "server">,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  const { data, errors } = await askGraphql(api, query, variables);
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join("; "));
  return data as Data;
}

/** The first refusal, as `CODE message`. */
export async function askRefusal(
  api: Pick<TestApi, "server">,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const [error] = (await askGraphql(api, query, variables)).errors ?? [];
  return error === undefined ? "none" : `${error.extensions.code} ${error.message}`;
}
