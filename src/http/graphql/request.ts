// A request as it comes over HTTP: what is no query at all is refused with one line of text.
import { readBytes, requireBoundedMembers, requireFewParts } from "../../api/body.ts";
import { type Failure, fail } from "../../kernel/failure.ts";
import { isJsonObject, type Json, NumberRangeError, parseSentJson } from "../../kernel/json.ts";

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, Json>>;
  readonly operationName: string | null;
}

const JSON_MEDIA_TYPE = /^application\/(?:json|[^;\s]+\+json)\s*(?:;|$)/i;
/** Members of all objects of a request together: its variables may be objects of objects. */
const MAX_MEMBERS = 20_000;
const NO_QUERY = "No GraphQL query found in the request";

export function refusedRequest(message: string): Failure {
  return fail("graphql.request_refused", "malformed", message);
}

/** The query of a POST. Throws kind `malformed` with the text that the contract fixes. */
export async function readPosted(request: Request, bodyLimit: number): Promise<GraphqlRequest> {
  const bytes = await readBytes(request, bodyLimit);
  if (!JSON_MEDIA_TYPE.test(request.headers.get("content-type") ?? ""))
    throw refusedRequest("Unsupported content type");
  requireFewParts(bytes);
  requireBoundedMembers(bytes, MAX_MEMBERS);
  const body = parsed(new TextDecoder().decode(bytes));
  if (Array.isArray(body)) throw refusedRequest("Batching is not enabled");
  if (!isJsonObject(body)) throw refusedRequest(NO_QUERY);
  return requestOf(body.query, body.variables, body.operationName);
}

/** The query in an address; null when there is none. */
export function readAddressed(request: Request): GraphqlRequest | null {
  const parameters = new URL(request.url).searchParams;
  const query = parameters.get("query");
  if (query === null) return null;
  const variables = parameters.get("variables");
  return requestOf(
    query,
    variables === null || variables === "" ? null : parsed(variables),
    parameters.get("operationName"),
  );
}

function parsed(text: string): Json {
  try {
    return parseSentJson(text);
  } catch (error) {
    if (error instanceof NumberRangeError) throw refusedRequest(error.message);
    throw refusedRequest("Unable to parse request body as JSON");
  }
}

function requestOf(
  query: Json | undefined,
  variables: Json | undefined,
  operationName: Json | undefined,
): GraphqlRequest {
  if (typeof query !== "string" || query.trim() === "") throw refusedRequest(NO_QUERY);
  const given = variables ?? {};
  if (!isJsonObject(given)) throw refusedRequest("The variables are not a JSON object");
  const name = operationName ?? "";
  if (typeof name !== "string") throw refusedRequest("The operation name is not a text");
  return { query, variables: given, operationName: name === "" ? null : name };
}
