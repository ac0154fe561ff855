// Configurations of custom providers as clients send them, in one common shape behind.
import { argumentRefused } from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { openAiApiType } from "./custom-provider-types.graphql.ts";
import type { GivenAuthentication, GivenConfig } from "./custom-providers.schema.ts";

type Builder = GraphqlTypes["builder"];

const KEPT = "Empty for a stored provider to keep its secret, as long as the address stays.";
const HEADERS = "Names and texts. Null for a stored provider keeps the value of a name.";

/** Exactly one member. */
export function configInput(types: GraphqlTypes) {
  const { builder } = types;
  return builder.inputType("GenerativeModelCustomerProviderConfigInput", {
    isOneOf: true,
    fields: (t) => ({
      openai: t.field({ type: openAiInput(types) }),
      azureOpenai: t.field({ type: azureInput(types) }),
      anthropic: t.field({ type: anthropicInput(builder) }),
      awsBedrock: t.field({ type: bedrockInput(builder) }),
      googleGenai: t.field({ type: googleInput(builder) }),
    }),
  });
}

type GivenConfigInput = ReturnType<typeof configInput>["$inferInput"];

function keyInput(builder: Builder, name: string) {
  return builder.inputType(name, {
    fields: (t) => ({ apiKey: t.field({ type: "RedactedString", required: true, description: KEPT }) }),
  });
}

function openAiInput(types: GraphqlTypes) {
  const { builder } = types;
  const Key = keyInput(builder, "OpenAIAuthenticationMethodInput");
  const Client = builder.inputType("OpenAIClientKwargsInput", {
    fields: (t) => ({
      baseUrl: t.string(),
      organization: t.string(),
      project: t.string(),
      defaultHeaders: t.field({ type: "JSON", description: HEADERS }),
    }),
  });
  return builder.inputType("OpenAICustomProviderConfigInput", {
    fields: (t) => ({
      openaiAuthenticationMethod: t.field({ type: Key, required: true }),
      openaiClientKwargs: t.field({ type: Client }),
      openaiApiType: t.field({ type: openAiApiType(types), defaultValue: "RESPONSES" }),
    }),
  });
}

function azureInput(types: GraphqlTypes) {
  const { builder } = types;
  const Application = builder.inputType("AzureOpenAIADTokenProviderInput", {
    fields: (t) => ({
      azureTenantId: t.string({ required: true }),
      azureClientId: t.string({ required: true }),
      azureClientSecret: t.field({ type: "RedactedString", required: true, description: KEPT }),
      scope: t.string(),
    }),
  });
  const Method = builder.inputType("AzureOpenAIAuthenticationMethodInput", {
    isOneOf: true,
    fields: (t) => ({
      apiKey: t.field({ type: "RedactedString", description: KEPT }),
      azureAdTokenProvider: t.field({ type: Application }),
      defaultCredentials: t.boolean({ description: "The identity of the server, from its environment." }),
    }),
  });
  const Client = builder.inputType("AzureOpenAIClientKwargsInput", {
    fields: (t) => ({
      azureEndpoint: t.string({ required: true }),
      defaultHeaders: t.field({ type: "JSON", description: HEADERS }),
    }),
  });
  return builder.inputType("AzureOpenAICustomProviderConfigInput", {
    fields: (t) => ({
      azureOpenaiAuthenticationMethod: t.field({ type: Method, required: true }),
      azureOpenaiClientKwargs: t.field({ type: Client, required: true }),
      openaiApiType: t.field({ type: openAiApiType(types), defaultValue: "RESPONSES" }),
    }),
  });
}

function anthropicInput(builder: Builder) {
  const Key = keyInput(builder, "AnthropicAuthenticationMethodInput");
  const Client = builder.inputType("AnthropicClientKwargsInput", {
    fields: (t) => ({ baseUrl: t.string(), defaultHeaders: t.field({ type: "JSON", description: HEADERS }) }),
  });
  return builder.inputType("AnthropicCustomProviderConfigInput", {
    fields: (t) => ({
      anthropicAuthenticationMethod: t.field({ type: Key, required: true }),
      anthropicClientKwargs: t.field({ type: Client }),
    }),
  });
}

function bedrockInput(builder: Builder) {
  const Keys = builder.inputType("AWSBedrockAccessKeysInput", {
    fields: (t) => ({
      awsAccessKeyId: t.string({ required: true }),
      awsSecretAccessKey: t.field({ type: "RedactedString", required: true, description: KEPT }),
      awsSessionToken: t.field({
        type: "RedactedString",
        description: "Stays with the secret key that it belongs to.",
      }),
    }),
  });
  const Method = builder.inputType("AWSBedrockAuthenticationMethodInput", {
    isOneOf: true,
    fields: (t) => ({
      accessKeys: t.field({ type: Keys }),
      defaultCredentials: t.boolean({ description: "The keys of the server, from its environment." }),
    }),
  });
  const Client = builder.inputType("AWSBedrockClientKwargsInput", {
    fields: (t) => ({ regionName: t.string({ required: true }), endpointUrl: t.string() }),
  });
  return builder.inputType("AWSBedrockCustomProviderConfigInput", {
    fields: (t) => ({
      awsBedrockAuthenticationMethod: t.field({ type: Method, required: true }),
      awsBedrockClientKwargs: t.field({ type: Client, required: true }),
    }),
  });
}

function googleInput(builder: Builder) {
  const Key = keyInput(builder, "GoogleGenAIAuthenticationMethodInput");
  const Http = builder.inputType("GoogleGenAIHttpOptionsInput", {
    fields: (t) => ({ baseUrl: t.string(), headers: t.field({ type: "JSON", description: HEADERS }) }),
  });
  const Client = builder.inputType("GoogleGenAIClientKwargsInput", {
    fields: (t) => ({ httpOptions: t.field({ type: Http }) }),
  });
  return builder.inputType("GoogleGenAICustomProviderConfigInput", {
    fields: (t) => ({
      googleGenaiAuthenticationMethod: t.field({ type: Key, required: true }),
      googleGenaiClientKwargs: t.field({ type: Client }),
    }),
  });
}

/** What a kind does not have. */
const absent = { region: null, organization: null, project: null, apiType: null, headers: null } as const;
const keyMethod = ({ apiKey }: { readonly apiKey: string }): GivenAuthentication => ({ type: "api_key", apiKey });

export function givenConfigOf({
  openai,
  azureOpenai,
  anthropic,
  awsBedrock,
  googleGenai,
}: GivenConfigInput): GivenConfig {
  if (openai) {
    const { openaiAuthenticationMethod: method, openaiClientKwargs: client, openaiApiType: apiType } = openai;
    return {
      sdk: "OPENAI",
      authentication: keyMethod(method),
      baseUrl: client?.baseUrl ?? null,
      region: null,
      organization: client?.organization ?? null,
      project: client?.project ?? null,
      apiType: apiType ?? null,
      headers: client?.defaultHeaders ?? null,
    };
  }
  if (azureOpenai) {
    const { azureOpenaiAuthenticationMethod: method, azureOpenaiClientKwargs: client, openaiApiType } = azureOpenai;
    return {
      ...absent,
      sdk: "AZURE_OPENAI",
      authentication: azureMethod(method),
      baseUrl: client.azureEndpoint,
      apiType: openaiApiType ?? null,
      headers: client.defaultHeaders ?? null,
    };
  }
  if (anthropic) {
    const { anthropicAuthenticationMethod: method, anthropicClientKwargs: client } = anthropic;
    const headers = client?.defaultHeaders ?? null;
    return {
      ...absent,
      sdk: "ANTHROPIC",
      authentication: keyMethod(method),
      baseUrl: client?.baseUrl ?? null,
      headers,
    };
  }
  if (awsBedrock) {
    const { awsBedrockAuthenticationMethod: method, awsBedrockClientKwargs: client } = awsBedrock;
    const { regionName: region, endpointUrl: baseUrl = null } = client;
    return { ...absent, sdk: "AWS_BEDROCK", authentication: bedrockMethod(method), baseUrl, region };
  }
  if (googleGenai) {
    const { googleGenaiAuthenticationMethod: method, googleGenaiClientKwargs: client } = googleGenai;
    const { baseUrl = null, headers = null } = client?.httpOptions ?? {};
    return { ...absent, sdk: "GOOGLE_GENAI", authentication: keyMethod(method), baseUrl, headers };
  }
  throw argumentRefused("clientConfig", "exactly one kind must be given");
}

type AzureMethod = NonNullable<GivenConfigInput["azureOpenai"]>["azureOpenaiAuthenticationMethod"];

function azureMethod({
  apiKey,
  azureAdTokenProvider: application,
  defaultCredentials,
}: AzureMethod): GivenAuthentication {
  if (application) {
    const { azureTenantId: tenantId, azureClientId: clientId, azureClientSecret: clientSecret, scope } = application;
    return { type: "azure_ad", tenantId, clientId, clientSecret, scope: scope ?? null };
  }
  if (typeof apiKey === "string") return { type: "api_key", apiKey };
  return { type: "default_credentials", isChosen: defaultCredentials === true };
}

type BedrockMethod = NonNullable<GivenConfigInput["awsBedrock"]>["awsBedrockAuthenticationMethod"];

function bedrockMethod({ accessKeys, defaultCredentials }: BedrockMethod): GivenAuthentication {
  if (!accessKeys) return { type: "default_credentials", isChosen: defaultCredentials === true };
  const { awsAccessKeyId: accessKeyId, awsSecretAccessKey: secretAccessKey, awsSessionToken } = accessKeys;
  return { type: "access_keys", accessKeyId, secretAccessKey, sessionToken: awsSessionToken ?? null };
}
