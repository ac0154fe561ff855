// The data of the built-in providers, and that stored prompt versions can be called without conversion.
import { expect, test } from "bun:test";
import { modelProviders } from "../../src/model/prompt.ts";
import type {
  InvocationParameters,
  PromptMessage,
  ResponseFormat,
  Tools,
} from "../../src/modules/evaluation/prompts/prompt-content.schema.ts";
import { builtInProviders } from "../../src/providers/built-in-providers.ts";
import type { callModel } from "../../src/providers/call-model.ts";
import type { ModelCall, ModelEndpoint } from "../../src/providers/model-call.ts";
import {
  adaptiveThinkingModels,
  modelLists,
  openAiChatModels,
  openAiReasoningModels,
} from "../../src/providers/model-lists.ts";

test("every provider has its variables, address and span attributes", () => {
  const shown = modelProviders.map((key) => {
    const { requiredVariables, defaultAddress, addressVariable, llmProvider, llmSystem } = builtInProviders.get(key)!;
    return [key, requiredVariables.join(" "), defaultAddress, addressVariable, llmProvider, llmSystem];
  });
  const likeOpenAi = (key: string, address: string | null, llmProvider = key.toLowerCase()) => {
    return [key, `${key}_API_KEY`, address, `${key}_BASE_URL`, llmProvider, "openai"];
  };
  expect(shown.sort()).toEqual(
    [
      likeOpenAi("OPENAI", "https://api.openai.com/v1"),
      ["AZURE_OPENAI", "AZURE_OPENAI_API_KEY", null, "AZURE_OPENAI_ENDPOINT", "azure", "openai"],
      ["ANTHROPIC", "ANTHROPIC_API_KEY", "https://api.anthropic.com", "ANTHROPIC_BASE_URL", "anthropic", "anthropic"],
      ["GOOGLE", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com", null, "google", "vertexai"],
      ["AWS", "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY", null, null, "aws", "aws"],
      likeOpenAi("DEEPSEEK", "https://api.deepseek.com"),
      likeOpenAi("XAI", "https://api.x.ai/v1"),
      ["OLLAMA", "", null, "OLLAMA_BASE_URL", "ollama", "openai"],
      likeOpenAi("CEREBRAS", "https://api.cerebras.ai/v1"),
      likeOpenAi("FIREWORKS", "https://api.fireworks.ai/inference/v1"),
      likeOpenAi("GROQ", "https://api.groq.com/openai/v1"),
      likeOpenAi("MOONSHOT", "https://api.moonshot.ai/v1"),
      likeOpenAi("MINIMAX", "https://api.minimax.io/v1"),
      likeOpenAi("PERPLEXITY", "https://api.perplexity.ai"),
      likeOpenAi("TOGETHER", "https://api.together.xyz/v1"),
      likeOpenAi("ZAI", "https://api.z.ai/api/paas/v4"),
      likeOpenAi("META", "https://api.meta.ai/v1"),
    ].sort(),
  );
});

test("names of models in messages", () => {
  const names = ["GOOGLE", "TOGETHER", "XAI"] as const;
  expect(names.map((key) => builtInProviders.get(key)!.modelsName)).toEqual(["Google GenAI", "Together AI", "xAI"]);
});

test("suggested models are unique, and every OpenAI model has a protocol", () => {
  for (const names of Object.values(modelLists)) expect(new Set(names).size).toBe(names.length);
  expect(modelLists.OPENAI).toEqual([...openAiChatModels, ...openAiReasoningModels]);
  expect(modelLists.AZURE_OPENAI).toEqual(openAiReasoningModels);
  expect(modelLists.ANTHROPIC).toEqual(expect.arrayContaining([...adaptiveThinkingModels]));
});

test("a stored prompt version is a valid call", () => {
  const callOf = (
    endpoint: ModelEndpoint,
    messages: readonly PromptMessage[],
    tools: Tools,
    responseFormat: ResponseFormat,
    parameters: InvocationParameters,
  ): ModelCall => ({ endpoint, model: "any", messages, tools, responseFormat, parameters, streaming: true });
  // Checked by the compiler: `bun check` fails if the shapes differ.
  const called = (): Parameters<typeof callModel>[0] =>
    callOf({} as ModelEndpoint, [], {} as Tools, {} as ResponseFormat, { type: "openai", openai: {} });
  expect(called).toBeFunction();
});
