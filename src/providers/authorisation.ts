// Headers that authenticate a request, in each provider's own way.
import { AwsV4Signer } from "aws4fetch";
import type { AwsAccessKeys } from "./aws-keys.ts";
import type { IdentityTokens } from "./identity-tokens.ts";
import type { ModelCall, ModelEndpoint } from "./model-call.ts";
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
 *  Rejects as those of `tokens` do. */
export async function authorisedHeaders(
  { endpoint }: Pick<ModelCall, "endpoint">,
  { url, headers, body }: Unsigned,
  tokens: IdentityTokens,
  nowUs: number,
): Promise<Authorised> {
  const own = requireSendableHeaders(endpoint.headers, { allowsKeys: true });
  const { credentials } = endpoint;
  const token = await azureToken(endpoint, tokens);
  const all: Record<string, string> = {
    "content-type": "application/json",
    ...headers,
    ...keyHeader(endpoint, token),
    ...organizationHeaders(endpoint),
    ...own,
  };
  const betas = [headers["anthropic-beta"], own["anthropic-beta"]].filter((beta) => beta !== undefined);
  if (betas.length > 0) all["anthropic-beta"] = betas.join(",");
  const sign = (keys: AwsAccessKeys) => signed({ url, headers: all, body }, keys, endpoint.region ?? "", nowUs);
  if (credentials.type === "access_keys") return { headers: await sign(credentials), secrets: [] };
  if (credentials.type !== "aws_identity") return { headers: all, secrets: token === null ? [] : [token] };
  const { type: _type, ...identity } = credentials;
  const keys = await tokens.aws.get(identity);
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  return { headers: await sign(keys), secrets: [accessKeyId, secretAccessKey, sessionToken ?? ""] };
}

async function azureToken({ credentials }: ModelEndpoint, { azure }: IdentityTokens): Promise<string | null> {
  switch (credentials.type) {
    case "azure_ad":
    case "azure_federated":
    case "azure_managed":
      return azure.get(credentials);
    default:
      return null;
  }
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
  keys: AwsAccessKeys,
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
