// Configurations of custom providers in GraphQL, as clients know them: secrets are masks.
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { maskOf } from "../../../accounts/secrets/secret-change.rules.ts";
import type { Authentication, CustomProviderConfig } from "./custom-provider-config.schema.ts";
import type { FoundConfig } from "./custom-provider-configs.service.ts";

/** A configuration as it is shown; `revealsEnds`: masks of long secrets show their last characters. */
interface ShownConfig {
  readonly found: FoundConfig;
  readonly revealsEnds: boolean;
}

/** A readable one. */
interface Shown {
  readonly config: CustomProviderConfig;
  readonly mask: (value: string) => string;
}

type Builder = GraphqlTypes["builder"];

export const openAiApiType = ({ once, builder }: GraphqlTypes) =>
  once("OpenAIApiType", () =>
    builder.enumType("OpenAIApiType", { values: ["CHAT_COMPLETIONS", "RESPONSES"] as const }),
  );

/** The union `CustomProviderConfig`. */
export function customProviderConfigType(types: GraphqlTypes) {
  const { builder } = types;
  const members = {
    OPENAI: openAiConfig(types),
    AZURE_OPENAI: azureConfig(types),
    ANTHROPIC: anthropicConfig(builder),
    AWS_BEDROCK: bedrockConfig(builder),
    GOOGLE_GENAI: googleConfig(builder),
  };
  const Unparsable = builder.objectRef<Extract<FoundConfig, { readonly config: null }>>("UnparsableConfig").implement({
    fields: (t) => ({
      parseError: t.string({
        resolve: ({ problem }) =>
          problem === "undecryptable"
            ? "Config cannot be decrypted: it was stored with another SERVICE_SECRET. Enter the credentials again."
            : "Config cannot be parsed",
      }),
    }),
  });
  return builder.unionType("CustomProviderConfig", {
    types: [...Object.values(members), Unparsable],
    resolveType: (value) => ("mask" in value ? members[value.config.sdk] : Unparsable),
  });
}

/** The value of the union. */
export function shownConfig({ found, revealsEnds }: ShownConfig) {
  if (found.config === null) return found;
  const mask = revealsEnds ? maskOf : () => maskOf("");
  return { config: found.config, mask };
}

const keyOf = ({ config, mask }: Shown) =>
  config.authentication.type === "api_key" ? mask(config.authentication.api_key) : null;

/** Values of headers are secrets, too. */
const headersOf = ({ config, mask }: Shown) =>
  config.headers.length === 0 ? null : Object.fromEntries(config.headers.map(({ name, value }) => [name, mask(value)]));

function keyType(builder: Builder, name: string) {
  return builder.objectRef<Shown>(name).implement({
    fields: (t) => ({ apiKey: t.field({ type: "RedactedString", nullable: true, resolve: keyOf }) }),
  });
}

/** What the client of a kind with an address and headers is made with. */
function addressedType(builder: Builder, name: string) {
  return builder.objectRef<Shown>(name).implement({
    fields: (t) => ({
      baseUrl: t.string({ nullable: true, resolve: ({ config }) => config.base_url }),
      defaultHeaders: t.field({ type: "JSON", nullable: true, resolve: headersOf }),
    }),
  });
}

function openAiConfig(types: GraphqlTypes) {
  const { builder } = types;
  const Key = keyType(builder, "OpenAIAuthenticationMethod");
  const Client = addressedType(builder, "OpenAIClientKwargs");
  builder.objectFields(Client, (t) => ({
    organization: t.string({ nullable: true, resolve: ({ config }) => config.organization }),
    project: t.string({ nullable: true, resolve: ({ config }) => config.project }),
  }));
  return builder.objectRef<Shown>("OpenAICustomProviderConfig").implement({
    fields: (t) => ({
      openaiAuthenticationMethod: t.field({ type: Key, resolve: (shown) => shown }),
      openaiClientKwargs: t.field({ type: Client, nullable: true, resolve: (shown) => shown }),
      openaiApiType: t.field({ type: openAiApiType(types), resolve: apiTypeOf }),
    }),
  });
}

const apiTypeOf = ({ config }: Shown) => config.api_type ?? "RESPONSES";

function azureConfig(types: GraphqlTypes) {
  const { builder } = types;
  const Application = builder.objectRef<WithMethod<"azure_ad">>("AzureADTokenProvider").implement({
    fields: (t) => ({
      azureTenantId: t.string({ resolve: ({ method }) => method.tenant_id }),
      azureClientId: t.string({ resolve: ({ method }) => method.client_id }),
      azureClientSecret: t.field({
        type: "RedactedString",
        resolve: ({ method, mask }) => mask(method.client_secret),
      }),
      scope: t.string({ resolve: ({ method }) => method.scope }),
    }),
  });
  const Method = keyType(builder, "AzureOpenAIAuthenticationMethod");
  builder.objectFields(Method, (t) => ({
    azureAdTokenProvider: t.field({
      type: Application,
      nullable: true,
      resolve: (shown) => withMethod(shown, "azure_ad"),
    }),
    defaultCredentials: t.boolean({ nullable: true, resolve: hasDefaultCredentials }),
  }));
  const Client = builder.objectRef<Shown>("AzureOpenAIClientKwargs").implement({
    fields: (t) => ({
      azureEndpoint: t.string({ resolve: ({ config }) => config.base_url ?? "" }),
      defaultHeaders: t.field({ type: "JSON", nullable: true, resolve: headersOf }),
    }),
  });
  return builder.objectRef<Shown>("AzureOpenAICustomProviderConfig").implement({
    fields: (t) => ({
      azureOpenaiAuthenticationMethod: t.field({ type: Method, resolve: (shown) => shown }),
      azureOpenaiClientKwargs: t.field({ type: Client, resolve: (shown) => shown }),
      openaiApiType: t.field({ type: openAiApiType(types), resolve: apiTypeOf }),
    }),
  });
}

function anthropicConfig(builder: Builder) {
  const Key = keyType(builder, "AnthropicAuthenticationMethod");
  const Client = addressedType(builder, "AnthropicClientKwargs");
  return builder.objectRef<Shown>("AnthropicCustomProviderConfig").implement({
    fields: (t) => ({
      anthropicAuthenticationMethod: t.field({ type: Key, resolve: (shown) => shown }),
      anthropicClientKwargs: t.field({ type: Client, nullable: true, resolve: (shown) => shown }),
    }),
  });
}

function bedrockConfig(builder: Builder) {
  const Keys = builder.objectRef<WithMethod<"access_keys">>("AWSBedrockAccessKeys").implement({
    fields: (t) => ({
      awsAccessKeyId: t.string({ resolve: ({ method }) => method.access_key_id }),
      awsSecretAccessKey: t.field({
        type: "RedactedString",
        resolve: ({ method, mask }) => mask(method.secret_access_key),
      }),
      awsSessionToken: t.field({
        type: "RedactedString",
        nullable: true,
        resolve: ({ method, mask }) => (method.session_token === null ? null : mask(method.session_token)),
      }),
    }),
  });
  const Method = builder.objectRef<Shown>("AWSBedrockAuthenticationMethod").implement({
    fields: (t) => ({
      accessKeys: t.field({ type: Keys, nullable: true, resolve: (shown) => withMethod(shown, "access_keys") }),
      defaultCredentials: t.boolean({ nullable: true, resolve: hasDefaultCredentials }),
    }),
  });
  const Client = builder.objectRef<Shown>("AWSBedrockClientKwargs").implement({
    fields: (t) => ({
      regionName: t.string({ resolve: ({ config }) => config.region ?? "" }),
      endpointUrl: t.string({ nullable: true, resolve: ({ config }) => config.base_url }),
    }),
  });
  return builder.objectRef<Shown>("AWSBedrockCustomProviderConfig").implement({
    fields: (t) => ({
      awsBedrockAuthenticationMethod: t.field({ type: Method, resolve: (shown) => shown }),
      awsBedrockClientKwargs: t.field({ type: Client, resolve: (shown) => shown }),
    }),
  });
}

function googleConfig(builder: Builder) {
  const Key = keyType(builder, "GoogleGenAIAuthenticationMethod");
  const Http = builder.objectRef<Shown>("GoogleGenAIHttpOptions").implement({
    fields: (t) => ({
      baseUrl: t.string({ nullable: true, resolve: ({ config }) => config.base_url }),
      headers: t.field({ type: "JSON", nullable: true, resolve: headersOf }),
    }),
  });
  const Client = builder.objectRef<Shown>("GoogleGenAIClientKwargs").implement({
    fields: (t) => ({ httpOptions: t.field({ type: Http, nullable: true, resolve: (shown) => shown }) }),
  });
  return builder.objectRef<Shown>("GoogleGenAICustomProviderConfig").implement({
    fields: (t) => ({
      googleGenaiAuthenticationMethod: t.field({ type: Key, resolve: (shown) => shown }),
      googleGenaiClientKwargs: t.field({ type: Client, nullable: true, resolve: (shown) => shown }),
    }),
  });
}

type Method<Type> = Extract<Authentication, { readonly type: Type }>;

interface WithMethod<Type> {
  readonly method: Method<Type>;
  readonly mask: Shown["mask"];
}

/** Null where the configuration has another method. */
function withMethod<Type extends Authentication["type"]>({ config, mask }: Shown, type: Type): WithMethod<Type> | null {
  const { authentication } = config;
  return authentication.type === type ? { method: authentication as Method<Type>, mask } : null;
}

const hasDefaultCredentials = ({ config }: Shown) =>
  config.authentication.type === "default_credentials" ? true : null;
