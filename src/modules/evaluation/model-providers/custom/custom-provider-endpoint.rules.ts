// From a stored configuration to the endpoint that is called.
import { type CustomProviderSdk, providerOfSdk } from "../../../../model/custom-provider.ts";
import { type ModelProvider, parameterFamily } from "../../../../model/prompt.ts";
import { AZURE_AUTHORITY } from "../../../../providers/azure-tokens.ts";
import { builtInProviders } from "../../../../providers/built-in-providers.ts";
import { azureBaseUrl, bedrockBaseUrl } from "../../../../providers/endpoints.ts";
import type { ModelCredentials, ModelEndpoint, Wire } from "../../../../providers/model-call.ts";
import { requireSendableHeaders } from "../../../../providers/request-headers.ts";
import { awsIdentityOf, azureIdentityOf, type IdentitySources } from "../../../../providers/server-identity.ts";
import type { CustomProviderConfig } from "./custom-provider-config.schema.ts";
import { noServerIdentity, sdkDoesNotFit } from "./custom-providers.errors.ts";
import type { CustomProvider } from "./custom-providers.schema.ts";

const addressOf = (sdk: CustomProviderSdk) => builtInProviders.get(providerOfSdk[sdk])!.defaultAddress;

/** Where a kind is called when no address is entered; null for kinds that have no single one. */
export const defaultAddresses: Readonly<Record<CustomProviderSdk, string | null>> = {
  OPENAI: addressOf("OPENAI"),
  AZURE_OPENAI: null,
  ANTHROPIC: addressOf("ANTHROPIC"),
  AWS_BEDROCK: null,
  GOOGLE_GENAI: addressOf("GOOGLE_GENAI"),
};

interface EndpointParts {
  readonly name: string;
  /** Free text of people. */
  readonly provider: string;
  readonly config: CustomProviderConfig;
  /** Headers of the request; those of the provider win. */
  readonly headers: unknown;
  readonly identity: IdentitySources;
}

/** Throws kind `invalid` for headers that are not sent, and where the server lacks the identity that the configuration counts on. */
export function endpointOfConfig({ name, provider, config, headers, identity }: EndpointParts): ModelEndpoint {
  const builtIn = providerOfSdk[config.sdk];
  const isOpenAi = parameterFamily(builtIn) === "openai";
  const own = Object.fromEntries(config.headers.map((header) => [header.name, header.value]));
  return {
    provider: builtIn,
    wire: wireOf(config),
    baseUrl: baseUrlOf(config),
    credentials: credentialsOf(config, identity),
    headers: { ...requireSendableHeaders(headers, { allowsKeys: false }), ...own },
    organization: isOpenAi ? config.organization : null,
    project: isOpenAi ? config.project : null,
    region: config.region,
    llmProvider: config.sdk === "OPENAI" ? provider : builtInProviders.get(builtIn)!.llmProvider,
    displayName: name,
  };
}

/** Throws kind `invalid` if the custom provider does not speak the protocol of the built-in one. */
export function requireFits({ name, sdk }: Pick<CustomProvider, "name" | "sdk">, provider: ModelProvider): void {
  if (parameterFamily(providerOfSdk[sdk]) !== parameterFamily(provider)) throw sdkDoesNotFit(name, sdk, provider);
}

function wireOf({ sdk, api_type }: CustomProviderConfig): Wire {
  switch (sdk) {
    case "ANTHROPIC":
      return "anthropic";
    case "GOOGLE_GENAI":
      return "google";
    case "AWS_BEDROCK":
      return "bedrock";
    default:
      return api_type === "CHAT_COMPLETIONS" ? "openai_chat" : "openai_responses";
  }
}

function baseUrlOf({ sdk, base_url, region }: CustomProviderConfig): string {
  if (sdk === "AZURE_OPENAI") return azureBaseUrl(base_url ?? "");
  return base_url ?? defaultAddresses[sdk] ?? bedrockBaseUrl(region ?? "");
}

function credentialsOf({ sdk, authentication }: CustomProviderConfig, identity: IdentitySources): ModelCredentials {
  switch (authentication.type) {
    case "api_key":
      return { type: "api_key", apiKey: authentication.api_key };
    case "access_keys": {
      const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token } = authentication;
      return { type: "access_keys", accessKeyId, secretAccessKey, sessionToken: session_token };
    }
    case "azure_ad": {
      const { tenant_id: tenantId, client_id: clientId, client_secret: clientSecret, scope } = authentication;
      return { type: "azure_ad", authority: AZURE_AUTHORITY, tenantId, clientId, clientSecret, scope };
    }
    case "default_credentials":
      return serverIdentity(sdk === "AWS_BEDROCK", identity);
  }
}

function serverIdentity(isOfAws: boolean, identity: IdentitySources): ModelCredentials {
  const found = isOfAws ? awsIdentityOf(identity) : azureIdentityOf(identity);
  if (found !== null) return found;
  throw isOfAws
    ? noServerIdentity(
        "credentials of AWS",
        "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or AWS_ROLE_ARN",
      )
    : noServerIdentity("identity of Azure", "AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET");
}
