// What GraphQL sends of a version, written in the shapes that REST sends: so both are checked and stored in one way.
import { argumentRefused } from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { Json } from "../../../../kernel/json.ts";
import { readValue } from "../../../../kernel/validation.ts";
import { Violations } from "../../../../kernel/violations.ts";
import { providerKeyType } from "../../../tracing/models/model-provider.graphql.ts";
import type { MessagePart, Template } from "../prompt-content.schema.ts";
import { VersionBody } from "../prompts.schema.ts";
import {
  efforts,
  promptMessageRole,
  reasoningEfforts,
  templateFormatType,
  thinkingDisplays,
  thinkingLevels,
} from "./prompt-enums.graphql.ts";

type ChatTemplateInputRef = ReturnType<typeof chatTemplateInput>;

/** The template of a chat. */
export const chatTemplateInput = (types: GraphqlTypes) =>
  types.once("PromptChatTemplateInput", () => {
    const { builder } = types;
    const Text = builder.inputType("TextContentValueInput", {
      fields: (t) => ({ text: t.string({ required: true }) }),
    });
    const Called = builder.inputType("ToolCallFunctionInput", {
      fields: (t) => ({
        type: t.string({ defaultValue: "function" }),
        name: t.string({ required: true }),
        arguments: t.string({ required: true, description: "JSON text." }),
      }),
    });
    const ToolCall = builder.inputType("ToolCallContentValueInput", {
      fields: (t) => ({
        toolCallId: t.string({ required: true }),
        toolCall: t.field({ type: Called, required: true }),
      }),
    });
    const ToolResult = builder.inputType("ToolResultContentValueInput", {
      fields: (t) => ({ toolCallId: t.string({ required: true }), result: t.field({ type: "JSON", required: true }) }),
    });
    const Part = builder.inputType("ContentPartInput", {
      isOneOf: true,
      fields: (t) => ({
        text: t.field({ type: Text }),
        toolCall: t.field({ type: ToolCall }),
        toolResult: t.field({ type: ToolResult }),
      }),
    });
    const Message = builder.inputType("PromptMessageInput", {
      fields: (t) => ({
        role: t.field({ type: promptMessageRole(types), required: true }),
        content: t.field({ type: [Part], required: true }),
      }),
    });
    return builder.inputType("PromptChatTemplateInput", {
      fields: (t) => ({ messages: t.field({ type: [Message], required: true }) }),
    });
  });

export type VersionInputRef = ReturnType<typeof versionInput>;
type GivenVersion = VersionInputRef["$inferInput"];
type GivenTemplate = ChatTemplateInputRef["$inferInput"];

export const versionInput = (types: GraphqlTypes) =>
  types.once("ChatPromptVersionInput", () =>
    types.builder.inputType("ChatPromptVersionInput", {
      fields: (t) => ({
        description: t.string(),
        templateFormat: t.field({ type: templateFormatType(types), required: true }),
        template: t.field({ type: chatTemplateInput(types), required: true }),
        invocationParameters: t.field({ type: parametersInput(types), required: true }),
        tools: t.field({ type: toolsInput(types) }),
        responseFormat: t.field({ type: responseFormatInput(types) }),
        modelProvider: t.field({ type: providerKeyType(types), required: true }),
        modelName: t.string({ required: true }),
        metadata: t.field({ type: "JSON", description: "A JSON object." }),
        customProviderId: t.id({ description: "A custom provider that speaks the protocol of `modelProvider`." }),
      }),
    }),
  );

function toolsInput({ builder }: GraphqlTypes) {
  const Definition = builder.inputType("PromptToolFunctionDefinitionInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      parameters: t.field({ type: "JSON" }),
      strict: t.boolean(),
    }),
  });
  const Tool = builder.inputType("PromptToolInput", {
    isOneOf: true,
    fields: (t) => ({ function: t.field({ type: Definition }), raw: t.field({ type: "JSON" }) }),
  });
  const Choice = builder.inputType("PromptToolChoiceInput", {
    isOneOf: true,
    fields: (t) => ({
      none: t.boolean(),
      zeroOrMore: t.boolean(),
      oneOrMore: t.boolean(),
      functionName: t.string(),
    }),
  });
  return builder.inputType("PromptToolsInput", {
    fields: (t) => ({
      tools: t.field({ type: [Tool], required: true }),
      toolChoice: t.field({ type: Choice }),
      disableParallelToolCalls: t.boolean(),
    }),
  });
}

function responseFormatInput({ builder }: GraphqlTypes) {
  const Definition = builder.inputType("PromptResponseFormatJSONSchemaDefinitionInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      schema: t.field({ type: "JSON" }),
      strict: t.boolean(),
    }),
  });
  return builder.inputType("PromptResponseFormatJSONSchemaInput", {
    fields: (t) => ({
      type: t.string({ required: true }),
      jsonSchema: t.field({ type: Definition, required: true }),
    }),
  });
}

function parametersInput(types: GraphqlTypes) {
  const { builder } = types;
  const OpenAi = builder.inputType("PromptOpenAIInvocationParametersInput", {
    fields: (t) => ({
      temperature: t.float(),
      maxTokens: t.int(),
      maxCompletionTokens: t.int(),
      frequencyPenalty: t.float(),
      presencePenalty: t.float(),
      topP: t.float(),
      seed: t.int(),
      stop: t.stringList(),
      reasoningEffort: t.field({ type: reasoningEfforts(types) }),
      extraBody: t.field({ type: "JSON" }),
    }),
  });
  const Google = builder.inputType("PromptGoogleInvocationParametersInput", {
    fields: (t) => ({
      temperature: t.float(),
      maxOutputTokens: t.int(),
      stopSequences: t.stringList(),
      presencePenalty: t.float(),
      frequencyPenalty: t.float(),
      topP: t.float(),
      topK: t.int(),
      thinkingConfig: t.field({ type: googleThinkingInput(types) }),
    }),
  });
  const Aws = builder.inputType("PromptAwsInvocationParametersInput", {
    fields: (t) => ({ maxTokens: t.int(), temperature: t.float(), topP: t.float(), stopSequences: t.stringList() }),
  });
  return builder.inputType("PromptInvocationParametersInput", {
    isOneOf: true,
    fields: (t) => ({
      openai: t.field({ type: OpenAi }),
      anthropic: t.field({ type: anthropicInput(types) }),
      google: t.field({ type: Google }),
      aws: t.field({ type: Aws }),
    }),
  });
}

function googleThinkingInput(types: GraphqlTypes) {
  return types.builder.inputType("PromptGoogleThinkingConfigInput", {
    fields: (t) => ({
      thinkingBudget: t.int(),
      thinkingLevel: t.field({ type: thinkingLevels(types) }),
      includeThoughts: t.boolean(),
    }),
  });
}

function anthropicInput(types: GraphqlTypes) {
  const { builder } = types;
  const display = thinkingDisplays(types);
  const OutputConfig = builder.inputType("PromptAnthropicOutputConfigInput", {
    fields: (t) => ({ effort: t.field({ type: efforts(types) }) }),
  });
  const Disabled = builder.inputType("AnthropicThinkingDisabledMarkerInput", {
    fields: (t) => ({ disabled: t.boolean({ required: true, defaultValue: true }) }),
  });
  const Enabled = builder.inputType("AnthropicThinkingEnabledInput", {
    fields: (t) => ({ budgetTokens: t.int({ required: true }), display: t.field({ type: display }) }),
  });
  const Adaptive = builder.inputType("AnthropicThinkingAdaptiveInput", {
    fields: (t) => ({ display: t.field({ type: display }) }),
  });
  const Thinking = builder.inputType("PromptAnthropicThinkingConfigInput", {
    isOneOf: true,
    fields: (t) => ({
      disabled: t.field({ type: Disabled }),
      enabled: t.field({ type: Enabled }),
      adaptive: t.field({ type: Adaptive }),
    }),
  });
  return builder.inputType("PromptAnthropicInvocationParametersInput", {
    fields: (t) => ({
      maxTokens: t.int({ required: true }),
      temperature: t.float(),
      topP: t.float(),
      stopSequences: t.stringList(),
      outputConfig: t.field({ type: OutputConfig }),
      thinking: t.field({ type: Thinking }),
      extraBody: t.field({ type: "JSON" }),
    }),
  });
}

/** In the shape of REST, checked. Throws kind `invalid` that names the first member that is wrong. */
export function versionBodyOf(given: GivenVersion): VersionBody {
  const { tools, responseFormat } = given;
  const sent = {
    description: given.description ?? null,
    ...(given.metadata == null ? {} : { metadata: given.metadata }),
    model_provider: given.modelProvider,
    model_name: given.modelName,
    template_type: "CHAT",
    template_format: given.templateFormat,
    template: templateOf(given.template),
    invocation_parameters: parametersOf(given.invocationParameters),
    ...(tools == null ? {} : { tools: toolsOf(tools) }),
    ...(responseFormat == null
      ? {}
      : { response_format: { type: responseFormat.type, json_schema: present(responseFormat.jsonSchema) } }),
  };
  const violations = new Violations();
  const body = readValue(VersionBody, sent as unknown as Json, [], violations);
  const [first] = violations.list();
  if (first !== undefined) throw argumentRefused(first.loc.join(".") || "promptVersion", first.msg);
  return body;
}

const keptRoles = { USER: "user", SYSTEM: "system", AI: "ai", TOOL: "tool" } as const;

/** A chat as it is stored. */
export function templateOf({ messages }: GivenTemplate): Extract<Template, { readonly type: "chat" }> {
  return {
    type: "chat",
    messages: messages.map(({ role, content }) => ({ role: keptRoles[role], content: content.map(partOf) })),
  };
}

type GivenPart = GivenTemplate["messages"][number]["content"][number];

function partOf({ text, toolCall, toolResult }: GivenPart): MessagePart {
  if (text) return { type: "text", text: text.text };
  if (toolCall) {
    const { name, arguments: given } = toolCall.toolCall;
    return {
      type: "tool_call",
      tool_call_id: toolCall.toolCallId,
      tool_call: { type: "function", name, arguments: given },
    };
  }
  if (toolResult) return { type: "tool_result", tool_call_id: toolResult.toolCallId, tool_result: toolResult.result };
  throw argumentRefused("content", "exactly one kind must be given");
}

function toolsOf({ tools, toolChoice, disableParallelToolCalls }: NonNullable<GivenVersion["tools"]>) {
  return {
    type: "tools",
    tools: tools.map((tool) =>
      tool.function ? { type: "function", function: present(tool.function) } : { type: "raw", raw: tool.raw },
    ),
    ...(toolChoice == null ? {} : { tool_choice: choiceOf(toolChoice) }),
    ...(disableParallelToolCalls == null ? {} : { disable_parallel_tool_calls: disableParallelToolCalls }),
  };
}

function choiceOf(choice: NonNullable<NonNullable<GivenVersion["tools"]>["toolChoice"]>) {
  if (choice.functionName != null) return { type: "specific_function", function_name: choice.functionName };
  if (choice.oneOrMore != null) return { type: "one_or_more" };
  return { type: choice.none == null ? "zero_or_more" : "none" };
}

function parametersOf({ openai, anthropic, google, aws }: GivenVersion["invocationParameters"]) {
  if (openai) return { type: "openai", openai: present(openai) };
  if (google) return { type: "google", google: present(google) };
  if (aws) return { type: "aws", aws: present(aws) };
  const { thinking, ...rest } = anthropic ?? {};
  const [word] = Object.keys(present(thinking ?? {})) as ("disabled" | "enabled" | "adaptive")[];
  const given =
    word === undefined
      ? {}
      : { thinking: { type: word, ...(word === "disabled" ? {} : present(thinking?.[word] ?? {})) } };
  return { type: "anthropic", anthropic: { ...present(rest), ...given } };
}

/** Without members that are absent or null, named as they are stored. */
function present(given: object): Record<string, unknown> {
  const kept = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [snakeCase(name), nested.has(name) ? present(value) : value]));
}

/** Members that hold members of ours; every other object is the caller's own JSON. */
const nested = new Set(["outputConfig", "thinkingConfig"]);
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
