// Headers that authenticate a request, in each provider's own way.
import { AwsV4Signer } from "aws4fetch";
import type { AzureTokens } from "./azure-tokens.ts";
import type { ModelCall, ModelCredentials, ModelEndpoint } from "./model-call.ts";
import { requireSendableHeaders } from "./request-headers.ts";

interface Unsigned {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Authorised {
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets that were obtained meanwhile. */
  readonly secrets: readonly string[];
}

/** All headers of a request. Custom headers override the others, except a signature; values of `anthropic-beta` are joined. `nowUs` is microseconds UTC.
 *  Rejects as `AzureTokens.get` does. */
export async function authorisedHeaders(
  { endpoint }: Pick<ModelCall, "endpoint">,
  { url, headers, body }: Unsigned,
  tokens: AzureTokens,
  nowUs: number,
): Promise<Authorised> {
  const own = requireSendableHeaders(endpoint.headers, { allowsKeys: true });
  const { credentials } = endpoint;
  const token = credentials.type === "azure_ad" ? await tokens.get(credentials) : null;
  const all: Record<string, string> = {
    "content-type": "application/json",
    ...headers,
    ...keyHeader(endpoint, token),
    ...organizationHeaders(endpoint),
    ...own,
  };
  const betas = [headers["anthropic-beta"], own["anthropic-beta"]].filter((beta) => beta !== undefined);
  if (betas.length > 0) all["anthropic-beta"] = betas.join(",");
  const secrets = token === null ? [] : [token];
  if (credentials.type !== "access_keys") return { headers: all, secrets };
  return { headers: await signed({ url, headers: all, body }, credentials, endpoint.region ?? "", nowUs), secrets };
}

function keyHeader({ wire, credentials }: ModelEndpoint, token: string | null): Record<string, string> {
  const key = token ?? (credentials.type === "api_key" ? credentials.apiKey : null);
  if (key === null) return {};
  switch (wire) {
    case "anthropic":
      return { "x-api-key": key };
    case "google":
      return { "x-goog-api-key": key };
    default:
      return { authorization: `Bearer ${key}` };
  }
}

function organizationHeaders({ organization, project }: ModelEndpoint): Record<string, string> {
  return {
    ...(organization === null ? {} : { "openai-organization": organization }),
    ...(project === null ? {} : { "openai-project": project }),
  };
}

/** Signature version 4 of Amazon. */
async function signed(
  { url, headers, body }: Unsigned,
  keys: Extract<ModelCredentials, { readonly type: "access_keys" }>,
  region: string,
  nowUs: number,
): Promise<Record<string, string>> {
  const datetime = new Date(nowUs / 1000).toISOString().replace(/[:-]|\.\d+/g, "");
  const signer = new AwsV4Signer({
    method: "POST",
    url,
    headers: { ...headers },
    body,
    accessKeyId: keys.accessKeyId,
    secretAccessKey: keys.secretAccessKey,
    ...(keys.sessionToken === null ? {} : { sessionToken: keys.sessionToken }),
    service: "bedrock",
    region,
    datetime,
  });
  const request = await signer.sign();
  return Object.fromEntries(request.headers);
}
