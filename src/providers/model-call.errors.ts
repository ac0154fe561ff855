// Refusals of invalid calls; each message names the member.
import { fail } from "../kernel/failure.ts";
import type { ModelProvider } from "../model/prompt.ts";

export const rawToolsNeedResponses = () =>
  fail("providers.raw_tools", "invalid", "tools: raw tools need the Responses API; this call speaks Chat Completions");

export const rawToolsNotTaken = (provider: string) =>
  fail("providers.raw_tools", "invalid", `tools: ${provider} takes no raw tools`);

export const otherFamily = (variant: string, provider: ModelProvider, expected: string) =>
  fail(
    "providers.parameters_of_other",
    "invalid",
    `Invocation parameters variant '${variant}' does not match model provider '${provider}' (expected '${expected}').`,
  );

export const noModelName = (modelsName: string) =>
  fail("providers.no_model_name", "invalid", `A model name is required for ${modelsName} models`);

export const noTools = () => fail("providers.no_tools", "invalid", "tools.tools must have at least one tool");

export const extraBodyNoObject = () => fail("providers.extra_body", "invalid", "extra_body must be a JSON object");

export const thinkingBudgetTooLarge = () =>
  fail("providers.thinking_budget", "invalid", "thinking.budget_tokens must be below max_tokens");

export const imageNotInline = (provider: string) =>
  fail(
    "providers.image",
    "invalid",
    `messages: ${provider} takes images inside the message alone, as data: URLs with base64`,
  );
