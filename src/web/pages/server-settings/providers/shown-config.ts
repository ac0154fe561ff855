// The configuration of a custom provider in one shape, whatever its kind: what forms begin with and details show.
import type { CustomProviderSdk } from "../../../../model/custom-provider.ts";
import type { CustomProvider } from "./providers.queries.ts";

export type Method = "key" | "application" | "accessKeys" | "server";

export interface ShownConfig {
  readonly sdk: CustomProviderSdk;
  readonly method: Method;
  /** Null for the provider's own address. */
  readonly address: string | null;
  readonly apiType: "CHAT_COMPLETIONS" | "RESPONSES" | null;
  readonly organization: string | null;
  readonly project: string | null;
  readonly region: string | null;
  readonly tenantId: string | null;
  readonly clientId: string | null;
  readonly scope: string | null;
  readonly accessKeyId: string | null;
  /** The mask of its main secret; null where the server's identity is used. */
  readonly mask: string | null;
  /** Values are masks. */
  readonly headerNames: readonly string[];
}

const nothing = {
  address: null,
  apiType: null,
  organization: null,
  project: null,
  region: null,
  tenantId: null,
  clientId: null,
  scope: null,
  accessKeyId: null,
  mask: null,
  headerNames: [],
} as const;

/** Null for a configuration that cannot be read. */
export function shownConfigOf({ config }: Pick<CustomProvider, "config">): ShownConfig | null {
  switch (config.__typename) {
    case "OpenAICustomProviderConfig": {
      const { openaiAuthenticationMethod: method, openaiClientKwargs: client, openaiApiType } = config;
      return {
        ...nothing,
        sdk: "OPENAI",
        method: "key",
        address: client?.baseUrl ?? null,
        apiType: openaiApiType,
        organization: client?.organization ?? null,
        project: client?.project ?? null,
        mask: maskOf(method.apiKey),
        headerNames: namesIn(client?.defaultHeaders),
      };
    }
    case "AzureOpenAICustomProviderConfig": {
      const { azureOpenaiAuthenticationMethod: method, azureOpenaiClientKwargs: client, openaiApiType } = config;
      const application = method.azureAdTokenProvider;
      return {
        ...nothing,
        sdk: "AZURE_OPENAI",
        method: application !== null ? "application" : method.defaultCredentials === true ? "server" : "key",
        address: client.azureEndpoint,
        apiType: openaiApiType,
        tenantId: application?.azureTenantId ?? null,
        clientId: application?.azureClientId ?? null,
        scope: application?.scope ?? null,
        mask: maskOf(application?.azureClientSecret ?? method.apiKey),
        headerNames: namesIn(client.defaultHeaders),
      };
    }
    case "AnthropicCustomProviderConfig":
      return {
        ...nothing,
        sdk: "ANTHROPIC",
        method: "key",
        address: config.anthropicClientKwargs?.baseUrl ?? null,
        mask: maskOf(config.anthropicAuthenticationMethod.apiKey),
        headerNames: namesIn(config.anthropicClientKwargs?.defaultHeaders),
      };
    case "AWSBedrockCustomProviderConfig": {
      const { awsBedrockAuthenticationMethod: method, awsBedrockClientKwargs: client } = config;
      return {
        ...nothing,
        sdk: "AWS_BEDROCK",
        method: method.accessKeys === null ? "server" : "accessKeys",
        address: client.endpointUrl,
        region: client.regionName,
        accessKeyId: method.accessKeys?.awsAccessKeyId ?? null,
        mask: maskOf(method.accessKeys?.awsSecretAccessKey ?? null),
      };
    }
    case "GoogleGenAICustomProviderConfig": {
      const options = config.googleGenaiClientKwargs?.httpOptions;
      return {
        ...nothing,
        sdk: "GOOGLE_GENAI",
        method: "key",
        address: options?.baseUrl ?? null,
        mask: maskOf(config.googleGenaiAuthenticationMethod.apiKey),
        headerNames: namesIn(options?.headers),
      };
    }
    default:
      return null;
  }
}

const maskOf = (value: unknown) => (typeof value === "string" ? value : null);

function namesIn(headers: unknown): string[] {
  return typeof headers === "object" && headers !== null ? Object.keys(headers) : [];
}

/** What ends a mask: at most the last four characters. */
const END_OF_MASK = /\uE000([^\uE000]+)\uE000$/;

/** Null for a mask that shows nothing. */
export function endOfMask(mask: string | null): string | null {
  return END_OF_MASK.exec(mask ?? "")?.[1] ?? null;
}
