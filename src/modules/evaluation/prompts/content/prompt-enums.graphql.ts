// The enums of prompts in GraphQL, which answers and inputs share. A value means what the shapes of prompt-content.schema.ts call it.
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { modelProviders, templateFormats } from "../../../../model/prompt.ts";

/** Upper case in GraphQL, lower case where it is stored. */
const lowered = <const Word extends string>(types: GraphqlTypes, name: string, words: readonly Word[]) =>
  types.once(name, () =>
    types.builder.enumType(name, {
      values: Object.fromEntries(words.map((word) => [word.toUpperCase(), { value: word }])) as Record<
        string,
        { value: Word }
      >,
    }),
  );

export const toolChoiceTypes = (types: GraphqlTypes) =>
  lowered(types, "PromptToolChoiceType", ["none", "zero_or_more", "one_or_more", "specific_function"]);
export const reasoningEfforts = (types: GraphqlTypes) =>
  lowered(types, "OpenAIReasoningEffort", ["none", "minimal", "low", "medium", "high", "xhigh"]);
export const efforts = (types: GraphqlTypes) =>
  lowered(types, "AnthropicOutputConfigEffort", ["low", "medium", "high", "xhigh", "max"]);
export const thinkingDisplays = (types: GraphqlTypes) =>
  lowered(types, "AnthropicThinkingDisplay", ["summarized", "omitted"]);
export const thinkingLevels = (types: GraphqlTypes) =>
  lowered(types, "GoogleThinkingLevel", ["minimal", "low", "medium", "high"]);

export const promptMessageRole = (types: GraphqlTypes) =>
  types.once("PromptMessageRole", () =>
    types.builder.enumType("PromptMessageRole", { values: ["USER", "SYSTEM", "AI", "TOOL"] as const }),
  );
export const templateFormatType = (types: GraphqlTypes) =>
  types.once("PromptTemplateFormat", () =>
    types.builder.enumType("PromptTemplateFormat", {
      description: "How variables are written: `{{name}}`, `{name}`, not at all.",
      values: templateFormats,
    }),
  );
/** The provider of a version. */
export const modelProviderType = (types: GraphqlTypes) =>
  types.once("ModelProvider", () => types.builder.enumType("ModelProvider", { values: modelProviders }));
