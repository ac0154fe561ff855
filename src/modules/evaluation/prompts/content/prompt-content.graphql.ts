// What a version of a prompt says, in GraphQL: template, tools, form of the answer and parameters, each stored as JSON in the shapes
// of prompt-content.schema.ts.
import type { BuilderTypes } from "../../../../graphql/builder.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { parseJson } from "../../../../kernel/json.ts";
import type {
  AnthropicParameters,
  AwsParameters,
  GoogleParameters,
  InvocationParameters,
  MessagePart,
  MessageRole,
  OpenAiParameters,
  PromptMessage,
  ResponseFormat,
  Template,
  Thinking,
  Tool,
  ToolChoice,
  Tools,
} from "../prompt-content.schema.ts";
import type { VersionContent } from "../prompts.schema.ts";
import {
  efforts,
  promptMessageRole,
  reasoningEfforts,
  templateFormatType,
  thinkingDisplays,
  thinkingLevels,
  toolChoiceTypes,
} from "./prompt-enums.graphql.ts";

/** The types of what a version says. */
const contentTypes = (types: GraphqlTypes) =>
  types.once("content of prompts", () => ({
    TemplateType: types.builder.enumType("PromptTemplateType", { values: ["STRING", "CHAT"] as const }),
    Template: templateType(types),
    Tools: toolsType(types),
    ResponseFormat: responseFormatType(types),
    InvocationParameters: parametersType(types),
  }));

type ContentTexts = Pick<
  VersionContent,
  "templateType" | "templateFormat" | "template" | "invocationParameters" | "tools" | "responseFormat" | "modelName"
>;

/** What is stored as JSON, in the shape that it was checked against when it came. */
const kept = <Shape>(text: string) => parseJson(text) as Shape;

/** The fields of what a version says; also of what was a version once. */
export function contentFields<Row extends ContentTexts>(
  types: GraphqlTypes,
  t: PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Row>,
) {
  const content = contentTypes(types);
  return {
    templateType: t.field({
      type: content.TemplateType,
      resolve: ({ templateType }) => (templateType === "CHAT" ? "CHAT" : "STRING"),
    }),
    templateFormat: t.field({ type: templateFormatType(types), resolve: ({ templateFormat }) => templateFormat }),
    template: t.field({ type: content.Template, resolve: ({ template }) => kept<Template>(template) }),
    invocationParameters: t.field({
      type: content.InvocationParameters,
      resolve: ({ invocationParameters }) => kept<InvocationParameters>(invocationParameters),
    }),
    tools: t.field({
      type: content.Tools,
      nullable: true,
      resolve: ({ tools }) => (tools === null ? null : kept<Tools>(tools)),
    }),
    responseFormat: t.field({
      type: content.ResponseFormat,
      nullable: true,
      resolve: ({ responseFormat }) => (responseFormat === null ? null : kept<ResponseFormat>(responseFormat)),
    }),
    modelName: t.string({ resolve: ({ modelName }) => modelName }),
  };
}

type TemplateOf<Type extends Template["type"]> = Extract<Template, { readonly type: Type }>;

export const promptMessageType = (types: GraphqlTypes) =>
  types.once("PromptMessage", () => {
    const Part = contentPartType(types);
    const Role = promptMessageRole(types);
    return types.builder.objectRef<PromptMessage>("PromptMessage").implement({
      fields: (t) => ({
        role: t.field({ type: Role, resolve: ({ role }) => shownRoles[role] }),
        content: t.field({
          type: [Part],
          resolve: ({ content }): MessagePart[] =>
            typeof content === "string" ? [{ type: "text", text: content }] : content,
        }),
      }),
    });
  });

/** Also what a filled template is answered as. */
export const chatTemplateType = (types: GraphqlTypes) =>
  types.once("PromptChatTemplate", () =>
    types.builder.objectRef<TemplateOf<"chat">>("PromptChatTemplate").implement({
      fields: (t) => ({ messages: t.field({ type: [promptMessageType(types)], resolve: ({ messages }) => messages }) }),
    }),
  );

const shownRoles: Readonly<Record<MessageRole, "USER" | "SYSTEM" | "AI" | "TOOL">> = {
  user: "USER",
  system: "SYSTEM",
  developer: "SYSTEM",
  assistant: "AI",
  model: "AI",
  ai: "AI",
  tool: "TOOL",
};

function templateType(types: GraphqlTypes) {
  const Chat = chatTemplateType(types);
  const Text = types.builder.objectRef<TemplateOf<"string">>("PromptStringTemplate").implement({
    fields: (t) => ({ template: t.exposeString("template") }),
  });
  return types.builder.unionType("PromptTemplate", {
    types: [Text, Chat],
    resolveType: ({ type }) => (type === "chat" ? Chat : Text),
  });
}

type PartOf<Type extends MessagePart["type"]> = Extract<MessagePart, { readonly type: Type }>;
type CalledFunction = PartOf<"tool_call">["tool_call"];

function contentPartType(types: GraphqlTypes) {
  const { builder } = types;
  const TextValue = builder.objectRef<PartOf<"text">>("TextContentValue").implement({
    fields: (t) => ({ text: t.exposeString("text") }),
  });
  const Text = builder.objectRef<PartOf<"text">>("TextContentPart").implement({
    fields: (t) => ({ text: t.field({ type: TextValue, resolve: (part) => part }) }),
  });
  const Called = builder.objectRef<CalledFunction>("ToolCallFunction").implement({
    fields: (t) => ({ name: t.exposeString("name"), arguments: t.exposeString("arguments") }),
  });
  const CallValue = builder.objectRef<PartOf<"tool_call">>("ToolCallContentValue").implement({
    fields: (t) => ({
      toolCallId: t.exposeString("tool_call_id"),
      toolCall: t.field({ type: Called, resolve: ({ tool_call }) => tool_call }),
    }),
  });
  const ToolCall = builder.objectRef<PartOf<"tool_call">>("ToolCallContentPart").implement({
    fields: (t) => ({ toolCall: t.field({ type: CallValue, resolve: (part) => part }) }),
  });
  const ResultValue = builder.objectRef<PartOf<"tool_result">>("ToolResultContentValue").implement({
    fields: (t) => ({
      toolCallId: t.exposeString("tool_call_id"),
      result: t.field({ type: "JSON", nullable: true, resolve: ({ tool_result }) => tool_result }),
    }),
  });
  const ToolResult = builder.objectRef<PartOf<"tool_result">>("ToolResultContentPart").implement({
    fields: (t) => ({ toolResult: t.field({ type: ResultValue, resolve: (part) => part }) }),
  });
  const refs = { text: Text, tool_call: ToolCall, tool_result: ToolResult };
  return builder.unionType("ContentPart", {
    types: [Text, ToolCall, ToolResult],
    resolveType: ({ type }: MessagePart) => refs[type],
  });
}

type ToolOf<Type extends Tool["type"]> = Extract<Tool, { readonly type: Type }>;
type ToolDefinition = ToolOf<"function">["function"];

function toolsType(types: GraphqlTypes) {
  const { builder } = types;
  const Definition = builder.objectRef<ToolDefinition>("PromptToolFunctionDefinition").implement({
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      parameters: t.field({ type: "JSON", resolve: ({ parameters }) => parameters ?? {} }),
      strict: t.exposeBoolean("strict", { nullable: true }),
    }),
  });
  const FunctionTool = builder.objectRef<ToolOf<"function">>("PromptToolFunction").implement({
    fields: (t) => ({ function: t.field({ type: Definition, resolve: (tool) => tool.function }) }),
  });
  const Raw = builder.objectRef<ToolOf<"raw">>("PromptToolRaw").implement({
    fields: (t) => ({ raw: t.field({ type: "JSON", resolve: ({ raw }) => raw }) }),
  });
  const AnyTool = builder.unionType("PromptToolFunctionPromptToolRaw", {
    types: [FunctionTool, Raw],
    resolveType: ({ type }: Tool) => (type === "function" ? FunctionTool : Raw),
  });
  const Choice = builder.objectRef<ToolChoice>("PromptToolChoice").implement({
    fields: (t) => ({
      type: t.field({ type: toolChoiceTypes(types), resolve: ({ type }) => type }),
      functionName: t.string({
        nullable: true,
        resolve: (choice) => (choice.type === "specific_function" ? choice.function_name : null),
      }),
    }),
  });
  return builder.objectRef<Tools>("PromptTools").implement({
    fields: (t) => ({
      tools: t.field({ type: [AnyTool], resolve: ({ tools }) => tools }),
      toolChoice: t.field({ type: Choice, nullable: true, resolve: ({ tool_choice }) => tool_choice }),
      disableParallelToolCalls: t.exposeBoolean("disable_parallel_tool_calls", { nullable: true }),
    }),
  });
}

function responseFormatType({ builder }: GraphqlTypes) {
  const Definition = builder
    .objectRef<ResponseFormat["json_schema"]>("PromptResponseFormatJSONSchemaDefinition")
    .implement({
      fields: (t) => ({
        name: t.exposeString("name"),
        description: t.exposeString("description", { nullable: true }),
        schema: t.field({ type: "JSON", nullable: true, resolve: ({ schema }) => schema }),
        strict: t.exposeBoolean("strict", { nullable: true }),
      }),
    });
  return builder.objectRef<ResponseFormat>("PromptResponseFormatJSONSchema").implement({
    fields: (t) => ({ jsonSchema: t.field({ type: Definition, resolve: ({ json_schema }) => json_schema }) }),
  });
}

type ParametersOf<Type extends InvocationParameters["type"]> = Extract<InvocationParameters, { readonly type: Type }>;

function parametersType(types: GraphqlTypes) {
  const { builder } = types;
  const OpenAi = builder.objectRef<ParametersOf<"openai">>("PromptOpenAIInvocationParameters").implement({
    fields: (t) => {
      const own = ({ openai }: ParametersOf<"openai">): OpenAiParameters => openai;
      return {
        temperature: t.float({ nullable: true, resolve: (all) => own(all).temperature }),
        maxTokens: t.int({ nullable: true, resolve: (all) => own(all).max_tokens }),
        maxCompletionTokens: t.int({ nullable: true, resolve: (all) => own(all).max_completion_tokens }),
        frequencyPenalty: t.float({ nullable: true, resolve: (all) => own(all).frequency_penalty }),
        presencePenalty: t.float({ nullable: true, resolve: (all) => own(all).presence_penalty }),
        topP: t.float({ nullable: true, resolve: (all) => own(all).top_p }),
        seed: t.int({ nullable: true, resolve: (all) => own(all).seed }),
        stop: t.stringList({ nullable: true, resolve: (all) => own(all).stop }),
        reasoningEffort: t.field({
          type: reasoningEfforts(types),
          nullable: true,
          resolve: (all) => own(all).reasoning_effort,
        }),
        extraBody: t.field({ type: "JSON", nullable: true, resolve: (all) => own(all).extra_body }),
      };
    },
  });
  const Anthropic = anthropicType(types);
  const Google = googleType(types);
  const Aws = builder.objectRef<ParametersOf<"aws">>("PromptAwsInvocationParameters").implement({
    fields: (t) => {
      const own = ({ aws }: ParametersOf<"aws">): AwsParameters => aws;
      return {
        maxTokens: t.int({ nullable: true, resolve: (all) => own(all).max_tokens }),
        temperature: t.float({ nullable: true, resolve: (all) => own(all).temperature }),
        topP: t.float({ nullable: true, resolve: (all) => own(all).top_p }),
        stopSequences: t.stringList({ nullable: true, resolve: (all) => own(all).stop_sequences }),
      };
    },
  });
  const refs = { openai: OpenAi, anthropic: Anthropic, google: Google, aws: Aws };
  return builder.unionType("PromptInvocationParameters", {
    types: [OpenAi, Anthropic, Google, Aws],
    resolveType: ({ type }: InvocationParameters) => refs[type],
  });
}

function anthropicType(types: GraphqlTypes) {
  const { builder } = types;
  const OutputConfig = builder
    .objectRef<NonNullable<AnthropicParameters["output_config"]>>("PromptAnthropicOutputConfig")
    .implement({
      fields: (t) => ({
        effort: t.field({ type: efforts(types), nullable: true, resolve: ({ effort }) => effort }),
      }),
    });
  const ThinkingConfig = thinkingType(types);
  return builder.objectRef<ParametersOf<"anthropic">>("PromptAnthropicInvocationParameters").implement({
    fields: (t) => {
      const own = ({ anthropic }: ParametersOf<"anthropic">): AnthropicParameters => anthropic;
      return {
        maxTokens: t.int({ resolve: (all) => own(all).max_tokens }),
        temperature: t.float({ nullable: true, resolve: (all) => own(all).temperature }),
        topP: t.float({ nullable: true, resolve: (all) => own(all).top_p }),
        stopSequences: t.stringList({ nullable: true, resolve: (all) => own(all).stop_sequences }),
        outputConfig: t.field({ type: OutputConfig, nullable: true, resolve: (all) => own(all).output_config }),
        thinking: t.field({ type: ThinkingConfig, nullable: true, resolve: (all) => own(all).thinking }),
        extraBody: t.field({ type: "JSON", nullable: true, resolve: (all) => own(all).extra_body }),
      };
    },
  });
}

type ThinkingOf<Type extends Thinking["type"]> = Extract<Thinking, { readonly type: Type }>;

function thinkingType(types: GraphqlTypes) {
  const { builder } = types;
  const Display = thinkingDisplays(types);
  const Disabled = builder.objectRef<ThinkingOf<"disabled">>("PromptAnthropicThinkingDisabled").implement({
    fields: (t) => ({ disabled: t.boolean({ resolve: () => true }) }),
  });
  const Enabled = builder.objectRef<ThinkingOf<"enabled">>("PromptAnthropicThinkingEnabled").implement({
    fields: (t) => ({
      budgetTokens: t.exposeInt("budget_tokens"),
      display: t.field({ type: Display, nullable: true, resolve: ({ display }) => display }),
    }),
  });
  const Adaptive = builder.objectRef<ThinkingOf<"adaptive">>("PromptAnthropicThinkingAdaptive").implement({
    fields: (t) => ({ display: t.field({ type: Display, nullable: true, resolve: ({ display }) => display }) }),
  });
  const refs = { disabled: Disabled, enabled: Enabled, adaptive: Adaptive };
  return builder.unionType("PromptAnthropicThinkingConfig", {
    types: [Disabled, Enabled, Adaptive],
    resolveType: ({ type }: Thinking) => refs[type],
  });
}

function googleType(types: GraphqlTypes) {
  const { builder } = types;
  const ThinkingConfig = builder
    .objectRef<NonNullable<GoogleParameters["thinking_config"]>>("PromptGoogleThinkingConfig")
    .implement({
      fields: (t) => ({
        thinkingBudget: t.exposeInt("thinking_budget", { nullable: true }),
        thinkingLevel: t.field({
          type: thinkingLevels(types),
          nullable: true,
          resolve: ({ thinking_level }) => thinking_level,
        }),
        includeThoughts: t.exposeBoolean("include_thoughts", { nullable: true }),
      }),
    });
  return builder.objectRef<ParametersOf<"google">>("PromptGoogleInvocationParameters").implement({
    fields: (t) => {
      const own = ({ google }: ParametersOf<"google">): GoogleParameters => google;
      return {
        temperature: t.float({ nullable: true, resolve: (all) => own(all).temperature }),
        maxOutputTokens: t.int({ nullable: true, resolve: (all) => own(all).max_output_tokens }),
        stopSequences: t.stringList({ nullable: true, resolve: (all) => own(all).stop_sequences }),
        presencePenalty: t.float({ nullable: true, resolve: (all) => own(all).presence_penalty }),
        frequencyPenalty: t.float({ nullable: true, resolve: (all) => own(all).frequency_penalty }),
        topP: t.float({ nullable: true, resolve: (all) => own(all).top_p }),
        topK: t.int({ nullable: true, resolve: (all) => own(all).top_k }),
        thinkingConfig: t.field({ type: ThinkingConfig, nullable: true, resolve: (all) => own(all).thinking_config }),
      };
    },
  });
}
