// Kinds of custom providers of models, by the interface that they have.
import type { ModelProvider } from "./prompt.ts";

export const customProviderSdks = ["OPENAI", "AZURE_OPENAI", "ANTHROPIC", "AWS_BEDROCK", "GOOGLE_GENAI"] as const;
export type CustomProviderSdk = (typeof customProviderSdks)[number];

/** The built-in provider with the same interface. */
export const providerOfSdk: Readonly<Record<CustomProviderSdk, ModelProvider>> = {
  OPENAI: "OPENAI",
  AZURE_OPENAI: "AZURE_OPENAI",
  ANTHROPIC: "ANTHROPIC",
  AWS_BEDROCK: "AWS",
  GOOGLE_GENAI: "GOOGLE",
};
