// Tokens of Microsoft Entra ID, cached until shortly before they expire: for applications with a secret or a federated token, and for the
// managed identity of the machine.
import type { Clock } from "../kernel/clock.ts";
import { isJsonObject, type Json } from "../kernel/json.ts";
import { createExpiringValues } from "./expiring-values.ts";
import { IdentityRefusedError } from "./identity-refused.ts";
import {
  askIdentityService,
  askMetadataService,
  type IdentityAnswer,
  type IdentityNeeds,
  readIdentityFile,
} from "./identity-requests.ts";
import type { ModelCredentials } from "./model-call.ts";
import { errorInAnswer } from "./wires/error-texts.ts";
import { memberNumber, memberText } from "./wires/members.ts";

export type AzureAdCredentials = Extract<
  ModelCredentials,
  { readonly type: "azure_ad" | "azure_federated" | "azure_managed" }
>;

/** Entra ID, except in national clouds. */
export const AZURE_AUTHORITY = "https://login.microsoftonline.com";
/** The scope of Azure OpenAI. */
export const AZURE_SCOPE = "https://cognitiveservices.azure.com/.default";
/** The service of virtual machines. */
const INSTANCE_TOKENS = "http://169.254.169.254/metadata/identity/oauth2/token";
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const LABEL = "AZURE_OPENAI";

export interface AzureTokens {
  /** Rejects with `IdentityRefusedError`, and as `fetch` does. Concurrent calls share one request. */
  get(credentials: AzureAdCredentials): Promise<string>;
}

/** Created once for a server. */
export function createAzureTokens(needs: IdentityNeeds, clock: Clock): AzureTokens {
  const get = createExpiringValues(async (credentials: AzureAdCredentials) => {
    const answer = await (credentials.type === "azure_managed"
      ? askManagedIdentity(credentials, needs)
      : askAuthority(credentials, needs));
    return tokenIn(answer);
  }, clock);
  return { get };
}

async function askAuthority(
  credentials: Exclude<AzureAdCredentials, { readonly type: "azure_managed" }>,
  needs: IdentityNeeds,
): Promise<IdentityAnswer> {
  const { authority, tenantId, clientId, scope } = credentials;
  const proof: Record<string, string> =
    credentials.type === "azure_ad"
      ? { client_secret: credentials.clientSecret }
      : {
          client_assertion_type: ASSERTION_TYPE,
          // It is replaced every hour or so.
          client_assertion: await readIdentityFile("AZURE_FEDERATED_TOKEN_FILE", credentials.tokenFile),
        };
  return askIdentityService(needs, {
    method: "POST",
    url: `${authority}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, ...proof, scope }).toString(),
    label: LABEL,
  });
}

/** App Service and Container Apps have an endpoint of their own, in variables; virtual machines the one of all. */
function askManagedIdentity(
  { endpoint, clientId, scope }: Extract<AzureAdCredentials, { readonly type: "azure_managed" }>,
  needs: IdentityNeeds,
): Promise<IdentityAnswer> {
  const url = new URL(endpoint?.url ?? INSTANCE_TOKENS);
  url.searchParams.set("api-version", endpoint === null ? "2018-02-01" : "2019-08-01");
  url.searchParams.set("resource", scope.replace(/\/\.default$/, ""));
  if (clientId !== null) url.searchParams.set("client_id", clientId);
  const headers: Record<string, string> =
    endpoint === null ? { metadata: "true" } : { "x-identity-header": endpoint.header };
  return askMetadataService(needs, { method: "GET", url: url.href, headers, body: null, label: LABEL });
}

function tokenIn({ status, json }: IdentityAnswer) {
  const token = memberText(json, "access_token");
  if (status === 200 && token !== "") return { value: token, seconds: secondsLeft(json) };
  const message = memberText(json, "error_description") || errorInAnswer(json).message || "no token";
  const code = isJsonObject(json) ? memberText(json, "error") || null : null;
  throw new IdentityRefusedError(status, code, `Microsoft Entra ID answered ${status}: ${message}`);
}

/** Some services write the number as a string, and App Service the instant alone, which is a day later: an hour is safe. */
function secondsLeft(answer: Json): number {
  const text = memberText(answer, "expires_in");
  return memberNumber(answer, "expires_in") ?? (text !== "" ? Number(text) || 0 : 3600);
}
