// Resolves a built-in provider to an endpoint: address, protocol and credentials, and which credentials may go to which address.
import type { ModelProvider } from "../model/prompt.ts";
import { type BuiltInProvider, builtInProviders } from "./built-in-providers.ts";
import {
  addressNotTaken,
  foreignAddress,
  noAddress,
  noKey,
  noSuchRegion,
  providerNotAllowed,
} from "./endpoints.errors.ts";
import type { ModelCredentials, ModelEndpoint, Wire } from "./model-call.ts";
import { openAiChatModels, openAiReasoningModels } from "./model-lists.ts";
import { requireSendableHeaders } from "./request-headers.ts";
import { awsIdentityOf, awsRegionOf, azureIdentityOf, type IdentitySources } from "./server-identity.ts";

/** Connection options of a caller; members that do not belong to the provider are ignored. */
export interface ConnectionOptions {
  readonly baseUrl?: string | null;
  readonly azureEndpoint?: string | null;
  readonly regionName?: string | null;
  readonly endpointUrl?: string | null;
  readonly openaiApiType?: "CHAT_COMPLETIONS" | "RESPONSES" | null;
  readonly organization?: string | null;
  readonly project?: string | null;
}

export interface EndpointRequest {
  readonly provider: ModelProvider;
  readonly model: string;
  readonly connection: ConnectionOptions | null;
  /** Keys for this request only, by variable name. The first entry of a name counts; empty values are ignored. */
  readonly credentials: readonly { readonly name: string; readonly value: string }[];
  /** As sent by the caller; validated here. */
  readonly headers: unknown;
}

export interface EndpointSources extends IdentitySources {
  /** A stored secret; rejects where it cannot be decrypted. */
  findSecret(name: string): Promise<string | null>;
  /** Providers that may be called; null for all. */
  readonly allowedProviders: readonly ModelProvider[] | null;
}

interface FoundKey {
  readonly value: string;
  readonly source: "request" | "server";
}

/** Sent if no key is configured: many compatible servers require some value. */
const PLACEHOLDER_KEY = "sk-placeholder";
/** The region becomes part of a host name. */
const REGION = /^[a-z]{2}(-[a-z0-9]+)+$/;

/** The endpoint of a built-in provider. Throws kind `invalid` that names what is missing. A key of the server, stored or from its
 *  environment, is never sent to an address that came with the request. */
export async function resolveEndpoint(wishes: EndpointRequest, sources: EndpointSources): Promise<ModelEndpoint> {
  const provider = builtInProviders.get(wishes.provider)!;
  if (sources.allowedProviders !== null && !sources.allowedProviders.includes(wishes.provider)) {
    throw providerNotAllowed(wishes.provider);
  }
  const { connection } = wishes;
  const keyOf = keyFinder(wishes, sources);
  const way = await resolveTarget(provider, connection ?? {}, keyOf, sources);
  const bringsKey = wishes.credentials.some(({ value }) => value !== "");
  return {
    provider: wishes.provider,
    wire: wireOf(wishes),
    ...way,
    headers: requireSendableHeaders(wishes.headers, { allowsKeys: bringsKey }),
    ...organizationOf(provider, connection ?? {}),
    llmProvider: provider.llmProvider,
    displayName: provider.name,
  };
}

function organizationOf({ llmSystem }: BuiltInProvider, { organization, project }: ConnectionOptions) {
  return llmSystem === "openai"
    ? { organization: textOrNull(organization), project: textOrNull(project) }
    : { organization: null, project: null };
}

/** Whether the server itself has the credentials of a built-in provider; a secret that cannot be decrypted does not count. */
export async function hasServerKeys(
  provider: ModelProvider,
  sources: Pick<EndpointSources, "findSecret" | "findVariable" | "allowsMetadata">,
): Promise<boolean> {
  if (provider === "AWS" && awsIdentityOf(sources) !== null) return true;
  if (provider === "AZURE_OPENAI" && azureIdentityOf(sources) !== null) return true;
  const { requiredVariables, keyVariables } = builtInProviders.get(provider)!;
  const isSet = async (name: string) =>
    sources.findVariable(name) !== null || (await sources.findSecret(name).catch(() => null)) !== null;
  const alternatives = requiredVariables.length > 1 ? [] : keyVariables.slice(1);
  for (const name of alternatives) if (await isSet(name)) return true;
  for (const name of requiredVariables) if (!(await isSet(name))) return false;
  return true;
}

/** The base URL of OpenAI's protocol on an Azure endpoint. */
export function azureBaseUrl(endpoint: string): string {
  const base = withoutSlash(endpoint);
  return base.endsWith("/openai/v1") ? base : `${base}/openai/v1`;
}

/** The address of Bedrock in a region. Throws kind `invalid` for an invalid region name. */
export function bedrockBaseUrl(region: string): string {
  if (!REGION.test(region)) throw noSuchRegion(region);
  return `https://bedrock-runtime.${region}.amazonaws.com`;
}

export function wireOf({
  provider,
  model,
  connection,
}: Pick<EndpointRequest, "provider" | "model" | "connection">): Wire {
  switch (provider) {
    case "ANTHROPIC":
      return "anthropic";
    case "GOOGLE":
      return "google";
    case "AWS":
      return "bedrock";
    case "OPENAI":
    case "AZURE_OPENAI":
      if (connection?.openaiApiType === "RESPONSES") return "openai_responses";
      if (connection?.openaiApiType === "CHAT_COMPLETIONS") return "openai_chat";
      if (provider === "AZURE_OPENAI")
        return openAiReasoningModels.includes(model) ? "openai_responses" : "openai_chat";
      // Compatible servers at another address mostly implement the older protocol only.
      if (textOrNull(connection?.baseUrl) !== null) return "openai_chat";
      return openAiChatModels.includes(model) ? "openai_chat" : "openai_responses";
    default:
      return "openai_chat";
  }
}

type KeyFinder = (names: readonly string[]) => Promise<FoundKey | null>;

/** Order: request, secret store, environment. */
function keyFinder({ credentials }: EndpointRequest, sources: EndpointSources): KeyFinder {
  return async (names) => {
    for (const name of names) {
      const sent = credentials.find((each) => each.name === name)?.value ?? "";
      if (sent !== "") return { value: sent, source: "request" };
    }
    for (const name of names) {
      const own = (await sources.findSecret(name)) || sources.findVariable(name) || "";
      if (own !== "") return { value: own, source: "server" };
    }
    return null;
  };
}

type EndpointTarget = Pick<ModelEndpoint, "baseUrl" | "credentials" | "region">;

async function resolveTarget(
  provider: BuiltInProvider,
  connection: ConnectionOptions,
  keyOf: KeyFinder,
  sources: EndpointSources,
): Promise<EndpointTarget> {
  switch (provider.provider) {
    case "AWS":
      return resolveBedrock(provider, connection, keyOf, sources);
    case "AZURE_OPENAI":
      return resolveAzure(provider, connection, keyOf, sources);
    default:
      return resolveByKey(provider, connection, keyOf, sources);
  }
}

async function resolveByKey(
  provider: BuiltInProvider,
  connection: ConnectionOptions,
  keyOf: KeyFinder,
  { findVariable }: EndpointSources,
): Promise<EndpointTarget> {
  const wished = textOrNull(connection.baseUrl);
  const configured = textOrNull(provider.addressVariable === null ? null : findVariable(provider.addressVariable));
  const address = wished ?? configured ?? provider.defaultAddress;
  if (address === null) throw noAddress(provider);
  const key = await keyOf(provider.keyVariables);
  if (wished !== null && key?.source === "server") throw foreignAddress(provider);
  const baseUrl = checkedAddress(address);
  if (key !== null) return { baseUrl, credentials: { type: "api_key", apiKey: key.value }, region: null };
  if (provider.keyVariables.length === 0) return { baseUrl, credentials: { type: "none" }, region: null };
  const speaksOpenAi = provider.llmSystem === "openai";
  if (!speaksOpenAi || (wished ?? configured) === null) throw noKey(provider);
  return { baseUrl, credentials: { type: "api_key", apiKey: PLACEHOLDER_KEY }, region: null };
}

async function resolveAzure(
  provider: BuiltInProvider,
  connection: ConnectionOptions,
  keyOf: KeyFinder,
  sources: EndpointSources,
): Promise<EndpointTarget> {
  const wished = textOrNull(connection.azureEndpoint);
  const address = wished ?? textOrNull(sources.findVariable("AZURE_OPENAI_ENDPOINT"));
  if (address === null) throw noAddress(provider);
  const key = await keyOf(provider.keyVariables);
  const credentials: ModelCredentials | null =
    key === null ? azureIdentityOf(sources) : { type: "api_key", apiKey: key.value };
  if (credentials === null) throw noKey(provider);
  if (wished !== null && key?.source !== "request") throw foreignAddress(provider);
  return { baseUrl: azureBaseUrl(checkedAddress(address)), credentials, region: null };
}

async function resolveBedrock(
  provider: BuiltInProvider,
  connection: ConnectionOptions,
  keyOf: KeyFinder,
  sources: EndpointSources,
): Promise<EndpointTarget> {
  const region = textOrNull(connection.regionName) ?? awsRegionOf(sources);
  const wished = textOrNull(connection.endpointUrl);
  const id = await keyOf(["AWS_ACCESS_KEY_ID"]);
  const secret = await keyOf(["AWS_SECRET_ACCESS_KEY"]);
  const token = await keyOf(["AWS_SESSION_TOKEN"]);
  const regional = bedrockBaseUrl(region);
  if (id === null || secret === null) {
    const identity = id === null && secret === null ? awsIdentityOf(sources) : null;
    if (identity === null) throw noKey(provider);
    if (wished !== null) throw foreignAddress(provider);
    return { baseUrl: regional, credentials: identity, region };
  }
  const isFromServer = [id, secret, token].some((key) => key?.source === "server");
  if (wished !== null && isFromServer) throw foreignAddress(provider);
  return {
    baseUrl: wished === null ? regional : checkedAddress(wished),
    credentials: {
      type: "access_keys",
      accessKeyId: id.value,
      secretAccessKey: secret.value,
      // A session token of the server does not belong to access keys of the request.
      sessionToken: token !== null && (token.source === "request" || id.source === "server") ? token.value : null,
    },
    region,
  };
}

/** Without a slash at the end. Throws kind `invalid` for anything but http and https, and for a user, query or fragment. */
export function checkedAddress(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw addressNotTaken("must begin with http:// or https://");
  if (url.username !== "" || url.password !== "") throw addressNotTaken("must not contain a user or password");
  if (url.search !== "" || url.hash !== "") throw addressNotTaken("must not have a query or a fragment");
  return withoutSlash(url.href);
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, "");
}

function textOrNull(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
}
