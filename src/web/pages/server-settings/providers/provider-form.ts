// What is typed about a custom provider: what forms begin with, what is wrong with it, and what is sent.
import type { CustomProviderSdk } from "../../../../model/custom-provider.ts";
import type { Problems } from "../../../kit/form/use-form.ts";
import type { VariablesOf } from "../../../lib/graphql.ts";
import { text } from "../../../texts/texts.ts";
import type { CustomProvider, testProvider } from "./providers.queries.ts";
import { type Method, shownConfigOf } from "./shown-config.ts";

interface HeaderRow {
  readonly key: number;
  readonly name: string;
  readonly value: string;
  /** It is stored: an empty value keeps it. */
  readonly isStored: boolean;
}

export interface ProviderValues {
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly sdk: CustomProviderSdk;
  readonly method: Method;
  readonly address: string;
  readonly apiType: "CHAT_COMPLETIONS" | "RESPONSES";
  readonly organization: string;
  readonly project: string;
  readonly apiKey: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly headers: readonly HeaderRow[];
}

/** A server that people run or rent, and what it needs. */
export interface Preset {
  readonly name: string;
  readonly provider: string;
  readonly address: string;
  /** Of servers that ask for none, but get one. */
  readonly apiKey: string;
}

export const presets: readonly Preset[] = [
  { name: "Ollama", provider: "ollama", address: "http://127.0.0.1:11434/v1", apiKey: "ollama" },
  { name: "LM Studio", provider: "lmstudio", address: "http://127.0.0.1:1234/v1", apiKey: "lm-studio" },
  { name: "vLLM", provider: "vllm", address: "http://127.0.0.1:8000/v1", apiKey: "" },
  { name: "LiteLLM", provider: "litellm", address: "http://127.0.0.1:4000", apiKey: "" },
  { name: "OpenRouter", provider: "openrouter", address: "https://openrouter.ai/api/v1", apiKey: "" },
];

/** Ways to authenticate, the usual one first. */
export const methodsOf: Readonly<Record<CustomProviderSdk, readonly Method[]>> = {
  OPENAI: ["key"],
  AZURE_OPENAI: ["key", "application", "server"],
  ANTHROPIC: ["key"],
  AWS_BEDROCK: ["accessKeys", "server"],
  GOOGLE_GENAI: ["key"],
};

const blank: ProviderValues = {
  name: "",
  description: "",
  provider: "",
  sdk: "OPENAI",
  method: "key",
  address: "",
  apiType: "CHAT_COMPLETIONS",
  organization: "",
  project: "",
  apiKey: "",
  tenantId: "",
  clientId: "",
  clientSecret: "",
  scope: "",
  region: "",
  accessKeyId: "",
  secretAccessKey: "",
  sessionToken: "",
  headers: [],
};

/** Null for a new one. Secrets are left empty. */
export function providerValuesOf(provider: CustomProvider | null): ProviderValues {
  if (provider === null) return blank;
  const { name, description, sdk } = provider;
  const known = { ...blank, name, description: description ?? "", provider: provider.provider, sdk };
  const config = shownConfigOf(provider);
  if (config === null) return { ...known, method: methodsOf[sdk][0]! };
  return {
    ...known,
    method: config.method,
    address: config.address ?? "",
    apiType: config.apiType ?? "CHAT_COMPLETIONS",
    organization: config.organization ?? "",
    project: config.project ?? "",
    tenantId: config.tenantId ?? "",
    clientId: config.clientId ?? "",
    scope: config.scope ?? "",
    region: config.region ?? "",
    accessKeyId: config.accessKeyId ?? "",
    headers: config.headerNames.map((header, key) => ({ key, name: header, value: "", isStored: true })),
  };
}

/** A new one for such a server. */
export function presetValues({ name, provider, address, apiKey }: Preset): ProviderValues {
  return { ...blank, name, provider, address, apiKey };
}

/** What is wrong before anything is sent. `hasSecrets`: stored ones stand in for empty ones. */
export function providerProblems(values: ProviderValues, hasSecrets: boolean): Problems<ProviderValues> {
  const { sdk, method } = values;
  const missing = (value: string, message: string) => value.trim() === "" && message;
  const secret = (value: string, message: string) => !hasSecrets && missing(value, message);
  return {
    name: missing(values.name, text("providers.name.missing")),
    address: addressProblem(values),
    apiKey: method === "key" && secret(values.apiKey, text("providers.key.missing")),
    tenantId: method === "application" && missing(values.tenantId, text("providers.tenant.missing")),
    clientId: method === "application" && missing(values.clientId, text("providers.client.missing")),
    clientSecret: method === "application" && secret(values.clientSecret, text("providers.client.secret.missing")),
    accessKeyId: method === "accessKeys" && missing(values.accessKeyId, text("providers.access.id.missing")),
    secretAccessKey: method === "accessKeys" && secret(values.secretAccessKey, text("providers.access.secret.missing")),
    region: sdk === "AWS_BEDROCK" && missing(values.region, text("providers.region.missing")),
    headers:
      values.headers.some(({ name, value }) => name.trim() === "" && value !== "") && text("providers.header.missing"),
  };
}

function addressProblem({ sdk, address }: ProviderValues): string | false {
  const typed = address.trim();
  if (typed === "") return sdk === "AZURE_OPENAI" && text("providers.address.missing");
  return !/^https?:\/\//i.test(typed) && text("providers.address.scheme");
}

export type ConfigInput = VariablesOf<typeof testProvider>["input"];

const textOrNull = (value: string) => (value.trim() === "" ? null : value.trim());

export function configInputOf(values: ProviderValues): ConfigInput {
  const { apiKey, apiType: openaiApiType } = values;
  const baseUrl = textOrNull(values.address);
  const headers = headersOf(values.headers);
  switch (values.sdk) {
    case "OPENAI": {
      const { organization, project } = values;
      return {
        openai: {
          openaiAuthenticationMethod: { apiKey },
          openaiClientKwargs: {
            baseUrl,
            organization: textOrNull(organization),
            project: textOrNull(project),
            defaultHeaders: headers,
          },
          openaiApiType,
        },
      };
    }
    case "AZURE_OPENAI":
      return {
        azureOpenai: {
          azureOpenaiAuthenticationMethod: azureMethodOf(values),
          azureOpenaiClientKwargs: { azureEndpoint: values.address, defaultHeaders: headers },
          openaiApiType,
        },
      };
    case "ANTHROPIC":
      return {
        anthropic: {
          anthropicAuthenticationMethod: { apiKey },
          anthropicClientKwargs: { baseUrl, defaultHeaders: headers },
        },
      };
    case "AWS_BEDROCK":
      return {
        awsBedrock: {
          awsBedrockAuthenticationMethod: bedrockMethodOf(values),
          awsBedrockClientKwargs: { regionName: values.region, endpointUrl: baseUrl },
        },
      };
    case "GOOGLE_GENAI":
      return {
        googleGenai: {
          googleGenaiAuthenticationMethod: { apiKey },
          googleGenaiClientKwargs: { httpOptions: { baseUrl, headers } },
        },
      };
  }
}

function azureMethodOf({ method, apiKey, tenantId, clientId, clientSecret, scope }: ProviderValues) {
  if (method === "server") return { defaultCredentials: true };
  if (method === "key") return { apiKey };
  return {
    azureAdTokenProvider: {
      azureTenantId: tenantId,
      azureClientId: clientId,
      azureClientSecret: clientSecret,
      scope: textOrNull(scope),
    },
  };
}

function bedrockMethodOf({ method, accessKeyId, secretAccessKey, sessionToken }: ProviderValues) {
  if (method === "server") return { defaultCredentials: true };
  return {
    accessKeys: {
      awsAccessKeyId: accessKeyId,
      awsSecretAccessKey: secretAccessKey,
      awsSessionToken: textOrNull(sessionToken),
    },
  };
}

/** Null keeps a stored value. */
function headersOf(rows: readonly HeaderRow[]): Record<string, string | null> | null {
  const named = rows.filter(({ name }) => name.trim() !== "");
  if (named.length === 0) return null;
  return Object.fromEntries(
    named.map(({ name, value, isStored }) => [name.trim(), value === "" && isStored ? null : value]),
  );
}

/** The provider in spans; without one the word of the kind. */
export const spanProviderOf = ({ provider, sdk }: ProviderValues) => provider.trim() || sdk.toLowerCase();

/** Names of the API, by which refusals name what is wrong, and their labels here. */
const labels: readonly (readonly [RegExp, string])[] = [
  [/\b(apiKey)\b/, text("providers.key")],
  [/\b(baseUrl|azureEndpoint|endpointUrl)\b/, text("providers.address")],
  [/\bazureTenantId\b/, text("providers.tenant")],
  [/\bazureClientId\b/, text("providers.client")],
  [/\bazureClientSecret\b/, text("providers.client.secret")],
  [/\bawsAccessKeyId\b/, text("providers.access.id")],
  [/\bawsSecretAccessKey\b/, text("providers.access.secret")],
  [/\bregionName\b/, text("providers.region")],
  [/\b(defaultHeaders|headers)\b/, text("providers.headers")],
];

/** A refusal of the server in the words of the form. */
export function refusalText(message: string): string {
  const plain = message.replace(/^Invalid client config: /, "");
  if (plain === message) return message;
  return labels.reduce((shown, [name, label]) => shown.replace(name, label), plain);
}
