// An endpoint of the scripted provider for every protocol, with parameters of its family.
import type { CallParameters, ModelEndpoint, Wire } from "../../src/providers/model-call.ts";
import { anthropic, aws, google, modelEndpoint, openAi } from "./model-calls.ts";
import type { ScriptedModels } from "./scripted-models.ts";

export const wireNames: readonly Wire[] = ["openai_chat", "openai_responses", "anthropic", "google", "bedrock"];

/** Long enough to be redacted. */
export const TEST_ACCESS_KEYS = {
  type: "access_keys",
  accessKeyId: "AKIAOFTHETESTS0000",
  secretAccessKey: "secret-access-key-of-the-tests",
  sessionToken: null,
} as const;

export function wireEndpoint(
  { address, openAi: base }: ScriptedModels,
  wire: Wire,
  changes: Partial<ModelEndpoint> = {},
): ModelEndpoint {
  const own: Readonly<Record<Wire, Partial<ModelEndpoint>>> = {
    openai_chat: { baseUrl: base },
    openai_responses: { baseUrl: base },
    anthropic: { provider: "ANTHROPIC", llmProvider: "anthropic", displayName: "Anthropic" },
    google: { provider: "GOOGLE", llmProvider: "google", displayName: "Google Gemini" },
    bedrock: {
      provider: "AWS",
      llmProvider: "aws",
      displayName: "AWS Bedrock",
      region: "eu-west-1",
      credentials: TEST_ACCESS_KEYS,
    },
  };
  return modelEndpoint(address, { wire, ...own[wire], ...changes });
}

export const wireParameters: Readonly<Record<Wire, CallParameters>> = {
  openai_chat: openAi({}),
  openai_responses: openAi({}),
  anthropic: anthropic({ max_tokens: 100 }),
  google: google({}),
  bedrock: aws({}),
};
