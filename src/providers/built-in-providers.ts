// The built-in providers: their environment variables and addresses. A provider with OpenAI's chat completions is one row here.
import { type ModelProvider, modelProviderNames, parameterFamily } from "../model/prompt.ts";

export interface BuiltInProvider {
  readonly provider: ModelProvider;
  readonly name: string;
  /** In the message about a missing key: `An API key is required for … models.` */
  readonly modelsName: string;
  /** Variables that may hold the key, in order of precedence; messages name the first. */
  readonly keyVariables: readonly string[];
  /** Variables that must all be set; secrets are stored under the same names. */
  readonly requiredVariables: readonly string[];
  /** Null: the address must be configured. */
  readonly defaultAddress: string | null;
  /** Variable that overrides the address; null if there is none. */
  readonly addressVariable: string | null;
  /** `llm.provider` and `llm.system` of spans. */
  readonly llmProvider: string;
  readonly llmSystem: "openai" | "anthropic" | "vertexai" | "aws";
}

const llmSystems = { openai: "openai", anthropic: "anthropic", google: "vertexai", aws: "aws" } as const;

type Facts = Partial<
  Pick<BuiltInProvider, "modelsName" | "keyVariables" | "requiredVariables" | "addressVariable" | "llmProvider">
>;

/** Defaults follow from the key: `XAI` has XAI_API_KEY, XAI_BASE_URL and `xai`. */
function builtIn(provider: ModelProvider, defaultAddress: string | null, facts: Facts = {}): BuiltInProvider {
  const keyVariables = facts.keyVariables ?? [`${provider}_API_KEY`];
  return {
    provider,
    name: modelProviderNames[provider],
    modelsName: modelProviderNames[provider],
    keyVariables,
    requiredVariables: keyVariables.slice(0, 1),
    defaultAddress,
    addressVariable: `${provider}_BASE_URL`,
    llmProvider: provider.toLowerCase(),
    llmSystem: llmSystems[parameterFamily(provider)],
    ...facts,
  };
}

const list: readonly BuiltInProvider[] = [
  builtIn("OPENAI", "https://api.openai.com/v1"),
  builtIn("AZURE_OPENAI", null, { addressVariable: "AZURE_OPENAI_ENDPOINT", llmProvider: "azure" }),
  builtIn("ANTHROPIC", "https://api.anthropic.com"),
  builtIn("GOOGLE", "https://generativelanguage.googleapis.com", {
    modelsName: "Google GenAI",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    addressVariable: null,
  }),
  builtIn("DEEPSEEK", "https://api.deepseek.com"),
  builtIn("XAI", "https://api.x.ai/v1"),
  builtIn("OLLAMA", null, { keyVariables: [] }),
  // The address depends on the region; AWS_SESSION_TOKEN is optional.
  builtIn("AWS", null, {
    keyVariables: ["AWS_ACCESS_KEY_ID"],
    requiredVariables: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    addressVariable: null,
  }),
  builtIn("CEREBRAS", "https://api.cerebras.ai/v1"),
  builtIn("FIREWORKS", "https://api.fireworks.ai/inference/v1"),
  builtIn("GROQ", "https://api.groq.com/openai/v1"),
  builtIn("MOONSHOT", "https://api.moonshot.ai/v1"),
  builtIn("MINIMAX", "https://api.minimax.io/v1"),
  builtIn("PERPLEXITY", "https://api.perplexity.ai"),
  builtIn("TOGETHER", "https://api.together.xyz/v1", { modelsName: "Together AI" }),
  builtIn("ZAI", "https://api.z.ai/api/paas/v4"),
  builtIn("META", "https://api.meta.ai/v1"),
];

/** Every provider, by its key. */
export const builtInProviders: ReadonlyMap<ModelProvider, BuiltInProvider> = new Map(
  list.map((each) => [each.provider, each]),
);

/** Every variable of the environment that says how a provider is called: keys, addresses, and what stands beside keys. */
export const providerVariables: readonly string[] = [
  ...new Set([
    ...list.flatMap(({ keyVariables, requiredVariables, addressVariable }) => [
      ...keyVariables,
      ...requiredVariables,
      ...(addressVariable === null ? [] : [addressVariable]),
    ]),
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_PROFILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_CONFIG_FILE",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "AZURE_TENANT_ID",
    "AZURE_CLIENT_ID",
    "AZURE_CLIENT_SECRET",
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_AUTHORITY_HOST",
    "IDENTITY_ENDPOINT",
    "IDENTITY_HEADER",
    // Where the files of AWS are, unless they are named.
    "HOME",
  ]),
];
