// The providers that clients know, as spans and prices write them.
import { type ModelProvider, modelProviders } from "../../../model/prompt.ts";

const others: Readonly<Record<string, ModelProvider>> = {
  azure: "AZURE_OPENAI",
  bedrock: "AWS",
  gemini: "GOOGLE",
  vertexai: "GOOGLE",
  grok: "XAI",
};

/** Null for a provider that clients do not know. */
export function providerKeyOf(provider: string | null): ModelProvider | null {
  if (provider === null) return null;
  const word = provider.toUpperCase();
  return modelProviders.find((known) => known === word) ?? others[provider.toLowerCase()] ?? null;
}
