// REST calls of the pages. Types come from the modules' schemas, as types only.
import { failureOfResponse, unreachable } from "./failure.ts";
import { fetchApi } from "./session.ts";

type Query = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

interface Options {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** `path` begins with `v1/…`, without a slash before it: the base of the page goes first. Throws a PageFailure. An answer
 *  without a body gives undefined. */
export async function callRest<Answer>(method: string, path: string, options: Options = {}): Promise<Answer> {
  const { query, body, signal } = options;
  const response = await fetchApi(path + queryText(query), {
    method,
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

/** For links that download: the same address that `callRest` would call. */
export function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    for (const each of Array.isArray(value) ? (value as readonly string[]) : [String(value)])
      parameters.append(name, each);
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
