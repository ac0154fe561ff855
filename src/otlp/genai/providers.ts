// What providers of models are called in OpenTelemetry and in OpenInference.

interface ProviderNames {
  readonly provider?: string;
  readonly system?: string;
}

const names = new Map<string, ProviderNames>([
  ["openai", { provider: "openai", system: "openai" }],
  ["anthropic", { provider: "anthropic", system: "anthropic" }],
  ["cohere", { provider: "cohere", system: "cohere" }],
  ["mistral_ai", { provider: "mistralai", system: "mistralai" }],
  ["deepseek", { provider: "deepseek" }],
  ["groq", { provider: "groq" }],
  ["perplexity", { provider: "perplexity" }],
  ["x_ai", { provider: "xai" }],
  ["azure.ai.openai", { provider: "azure", system: "openai" }],
  ["azure.ai.inference", { provider: "azure" }],
  ["aws.bedrock", { provider: "aws" }],
  ["gcp.vertex_ai", { provider: "google", system: "vertexai" }],
  ["gcp.gen_ai", { provider: "google" }],
  ["gcp.gemini", { provider: "google" }],
]);

/** The OpenInference names; a provider that is not known is its own system. */
export function providerNames(name: string | undefined): ProviderNames {
  return name === undefined ? {} : (names.get(name) ?? { system: name });
}
