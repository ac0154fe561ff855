// What a configuration must look like, and which stored secrets a change may keep.
import { Failure } from "../../../../kernel/failure.ts";
import type { CustomProviderSdk } from "../../../../model/custom-provider.ts";
import { AZURE_SCOPE } from "../../../../providers/azure-tokens.ts";
import { bedrockBaseUrl, checkedAddress } from "../../../../providers/endpoints.ts";
import { requireSendableHeaders } from "../../../../providers/request-headers.ts";
import { isMask } from "../../../accounts/secrets/secret-change.rules.ts";
import type { Authentication, CustomProviderConfig } from "./custom-provider-config.schema.ts";
import { defaultAddresses } from "./custom-provider-endpoint.rules.ts";
import { clientConfigRefused, sdkChanged } from "./custom-providers.errors.ts";
import { type GivenAuthentication, type GivenConfig, MAX_CONFIG_BYTES } from "./custom-providers.schema.ts";

/** Keys are values of headers. */
const NOT_IN_A_HEADER = /[\u0000-\u001f\u007f]|[^\u0000-\u00ff]/;
/** Hosts of the clouds themselves, to which the identity of the server may be shown: others could use it elsewhere. */
const CLOUD_HOSTS: Readonly<Partial<Record<CustomProviderSdk, RegExp>>> = {
  AZURE_OPENAI: /\.(openai|cognitiveservices|services\.ai)\.azure\.(com|us|cn)$/,
  AWS_BEDROCK: /\.(amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/,
};

/** The provider that is changed; its configuration is null where it cannot be read. */
interface ChangedProvider {
  readonly sdk: CustomProviderSdk;
  readonly config: CustomProviderConfig | null;
}

/** The configuration to store, or to test; `changed` is null for a new provider. Throws kind `invalid` that names the member. */
export function requireConfig(given: GivenConfig, changed: ChangedProvider | null): CustomProviderConfig {
  if (changed !== null) requireSameInterface(changed.sdk, given.sdk);
  const stored = changed?.config ?? null;
  const isOpenAi = given.sdk === "OPENAI";
  const region = given.sdk === "AWS_BEDROCK" ? requireText("regionName", given.region) : null;
  if (region !== null) within("regionName", () => bedrockBaseUrl(region));
  const addressed = { sdk: given.sdk, region, base_url: requireAddress(given) };
  const kept = stored !== null && addressOf(stored) === addressOf(addressed) ? stored : null;
  const changesAddress = stored !== null && kept === null;
  const config: CustomProviderConfig = {
    ...addressed,
    authentication: requireAuthentication(given.authentication, kept, changesAddress),
    organization: isOpenAi ? optionalText("organization", given.organization) : null,
    project: isOpenAi ? optionalText("project", given.project) : null,
    api_type: isOpenAi || given.sdk === "AZURE_OPENAI" ? (given.apiType ?? "RESPONSES") : null,
    headers: requireHeaders(given, kept, changesAddress),
  };
  requireCloudHost(config);
  const bytes = Buffer.byteLength(JSON.stringify(config));
  if (bytes > MAX_CONFIG_BYTES)
    throw clientConfigRefused("the whole of it", `is larger than ${MAX_CONFIG_BYTES} bytes`);
  return config;
}

function requireSameInterface(from: CustomProviderSdk, to: CustomProviderSdk): void {
  const speaksOpenAi = (sdk: CustomProviderSdk) => sdk === "OPENAI" || sdk === "AZURE_OPENAI";
  if (from !== to && !(speaksOpenAi(from) && speaksOpenAi(to))) throw sdkChanged(from, to);
}

const addressMembers: Readonly<Record<CustomProviderSdk, string>> = {
  OPENAI: "baseUrl",
  AZURE_OPENAI: "azureEndpoint",
  ANTHROPIC: "baseUrl",
  AWS_BEDROCK: "endpointUrl",
  GOOGLE_GENAI: "baseUrl",
};

function requireAddress({ sdk, baseUrl }: GivenConfig): string | null {
  const member = addressMembers[sdk];
  const text = sdk === "AZURE_OPENAI" ? requireText(member, baseUrl) : optionalText(member, baseUrl);
  return text === null ? null : within(member, () => checkedAddress(text));
}

/** Scheme, host and port that the secrets are sent to. */
function addressOf({ sdk, region, base_url }: Pick<CustomProviderConfig, "sdk" | "region" | "base_url">): string {
  return new URL(base_url ?? defaultAddresses[sdk] ?? bedrockBaseUrl(region ?? "")).origin;
}

function requireAuthentication(
  given: GivenAuthentication,
  kept: CustomProviderConfig | null,
  changesAddress: boolean,
): Authentication {
  const before = kept?.authentication ?? null;
  const secretOf = (member: string, value: string, stored: string | null) => {
    if (value.trim() !== "") return requireText(member, value);
    if (stored !== null) return stored;
    throw clientConfigRefused(member, changesAddress ? AGAIN : "must not be empty");
  };
  switch (given.type) {
    case "api_key": {
      const apiKey = secretOf("apiKey", given.apiKey, before?.type === "api_key" ? before.api_key : null);
      return { type: "api_key", api_key: apiKey };
    }
    case "access_keys": {
      const accessKeyId = requireText("awsAccessKeyId", given.accessKeyId);
      const same = before?.type === "access_keys" && before.access_key_id === accessKeyId ? before : null;
      const secret = secretOf("awsSecretAccessKey", given.secretAccessKey, same?.secret_access_key ?? null);
      const token = optionalText("awsSessionToken", given.sessionToken);
      // The token belongs to the keys, and stays with them.
      const keepsKeys = given.secretAccessKey.trim() === "";
      return {
        type: "access_keys",
        access_key_id: accessKeyId,
        secret_access_key: secret,
        session_token: token ?? (keepsKeys ? (same?.session_token ?? null) : null),
      };
    }
    case "azure_ad": {
      const tenantId = requireText("azureTenantId", given.tenantId);
      const clientId = requireText("azureClientId", given.clientId);
      const isSame = before?.type === "azure_ad" && before.tenant_id === tenantId && before.client_id === clientId;
      return {
        type: "azure_ad",
        tenant_id: tenantId,
        client_id: clientId,
        client_secret: secretOf("azureClientSecret", given.clientSecret, isSame ? before.client_secret : null),
        scope: optionalText("scope", given.scope) ?? AZURE_SCOPE,
      };
    }
    case "default_credentials":
      if (!given.isChosen) throw clientConfigRefused("defaultCredentials", "must be true where it is given");
      return { type: "default_credentials" };
  }
}

const AGAIN = "must be entered again: the address changes, and stored secrets stay with theirs";

function requireHeaders(
  { sdk, headers }: GivenConfig,
  kept: CustomProviderConfig | null,
  changesAddress: boolean,
): CustomProviderConfig["headers"] {
  const member = sdk === "GOOGLE_GENAI" ? "headers" : "defaultHeaders";
  if (headers === null || headers === undefined) return [];
  if (typeof headers !== "object" || Array.isArray(headers))
    throw clientConfigRefused(member, "must be an object of texts");
  const stored = new Map((kept?.headers ?? []).map(({ name, value }) => [name, value]));
  const given = Object.entries(headers).map(([name, value]): [string, unknown] => {
    if (typeof value === "string") requireNoMask(member, value);
    const before = stored.get(name.toLowerCase());
    if (value !== null) return [name, value];
    if (before !== undefined) return [name, before];
    throw clientConfigRefused(`${member} ${JSON.stringify(name)}`, changesAddress ? AGAIN : "must be a text");
  });
  const sendable = within(member, () => requireSendableHeaders(Object.fromEntries(given), { allowsKeys: true }));
  return Object.entries(sendable).map(([name, value]) => ({ name, value }));
}

/** The identity of the server is shown to its cloud alone. */
function requireCloudHost({ sdk, authentication, base_url }: CustomProviderConfig): void {
  const hosts = CLOUD_HOSTS[sdk];
  if (authentication.type !== "default_credentials" || base_url === null || hosts === undefined) return;
  const { hostname, protocol } = new URL(base_url);
  if (protocol === "https:" && hosts.test(hostname)) return;
  const what = sdk === "AZURE_OPENAI" ? "Azure" : "AWS";
  throw clientConfigRefused(
    addressMembers[sdk],
    `must be an https address of ${what} itself with defaultCredentials: give a key for any other`,
  );
}

function requireText(member: string, value: string | null): string {
  const text = optionalText(member, value);
  if (text === null) throw clientConfigRefused(member, "must not be empty");
  return text;
}

function optionalText(member: string, value: string | null): string | null {
  const text = value?.trim() ?? "";
  if (text === "") return null;
  requireNoMask(member, text);
  if (NOT_IN_A_HEADER.test(text)) throw clientConfigRefused(member, "has a character that cannot be sent");
  return text;
}

function requireNoMask(member: string, text: string): void {
  if (isMask(text))
    throw clientConfigRefused(member, "is a mask, as answers show it: leave it empty to keep what is stored");
}

/** Names the member in what the rules of addresses and headers refuse. */
function within<Value>(member: string, check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    throw error instanceof Failure && error.kind === "invalid"
      ? clientConfigRefused(`${member}:`, error.message)
      : error;
  }
}
