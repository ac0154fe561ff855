// What a version says, as `generateText` of the Vercel AI SDK takes it, and the model with the package that it comes from.
import type { ModelProvider } from "../../../../model/prompt.ts";
import type {
  MessagePart,
  PromptMessage,
  Tool,
  ToolChoice,
  Tools,
} from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { messagesOf, partsOf } from "../../../domain/prompts/version-parts.ts";
import { type Code, expression, jsonOf, listOf, objectOf, quoted, textOf, written } from "./code-values.ts";
import {
  argumentsOf,
  commonParameters,
  type Filling,
  familyOf,
  filledText,
  isSystem,
  openAiChoices,
  type Request,
  resultText,
  roleOf,
  textBlock,
  textsOf,
  type VersionContent,
} from "./provider-requests.ts";

interface VercelModel {
  /** An import. */
  readonly from: string;
  /** The function that makes the model of a name. */
  readonly maker: string;
}

/** The package for the provider. Those compatible with OpenAI are recognised by their address. */
export function vercelModel(provider: string): VercelModel {
  switch (provider as ModelProvider) {
    case "OPENAI":
      return { from: 'import { openai } from "@ai-sdk/openai";', maker: "openai.chat" };
    case "AZURE_OPENAI":
      return { from: 'import { azure } from "@ai-sdk/azure";', maker: "azure.chat" };
    case "ANTHROPIC":
      return { from: 'import { anthropic } from "@ai-sdk/anthropic";', maker: "anthropic" };
    case "GOOGLE":
      return { from: 'import { google } from "@ai-sdk/google";', maker: "google" };
    case "AWS":
      return { from: 'import { bedrock } from "@ai-sdk/amazon-bedrock";', maker: "bedrock" };
    default:
      return {
        from: 'import { createOpenAI } from "@ai-sdk/openai";',
        maker: `createOpenAI({ baseURL: process.env.${provider}_BASE_URL, apiKey: process.env.${provider}_API_KEY }).chat`,
      };
  }
}

/** Which options of `providerOptions` the provider reads. */
function optionsName(provider: string): string {
  switch (provider as ModelProvider) {
    case "ANTHROPIC":
      return "anthropic";
    case "GOOGLE":
      return "google";
    case "AWS":
      return "bedrock";
    default:
      return "openai";
  }
}

export function vercelRequest(filling: Filling): Request {
  const { content } = filling;
  const { settings, leftOut } = vercelSettings(content);
  const messages = messagesOf(content);
  return {
    leftOut,
    undeclared: {},
    members: {
      model: expression(`${vercelModel(content.model_provider).maker}(${quoted(content.model_name)})`),
      allowSystemInMessages: messages.some(isSystem) ? jsonOf(true) : undefined,
      messages: listOf(messages.flatMap((message) => vercelMessages(message, filling))),
      ...settings,
      ...vercelTools(content.tools),
    },
  };
}

interface VercelSettings {
  readonly settings: Readonly<Record<string, Code | undefined>>;
  readonly leftOut: readonly string[];
}

/** Everything but the messages and the tools. */
export function vercelSettings(content: VersionContent): VercelSettings {
  const { temperature, top_p, topK, maxTokens, stop, other } = commonParameters(content);
  const {
    frequency_penalty,
    presence_penalty,
    seed,
    reasoning_effort: effort,
    thinking,
    output_config: output,
    ...rest
  } = other as Record<string, unknown>;
  const set = (value: unknown) => (value === undefined ? undefined : jsonOf(value));
  return {
    leftOut: [
      ...Object.keys(rest),
      ...(content.tools?.tools ?? [])
        .filter((tool) => tool.type === "raw")
        .map(() => "tools in the provider's own words"),
    ],
    settings: {
      temperature: set(temperature),
      topP: set(top_p),
      topK: set(topK),
      maxOutputTokens: set(maxTokens),
      stopSequences: set(stop),
      frequencyPenalty: set(frequency_penalty),
      presencePenalty: set(presence_penalty),
      seed: set(seed),
      output: outputOf(content),
      providerOptions: optionsOf(content, { effort, thinking, output }),
    },
  };
}

interface OwnParameters {
  readonly effort: unknown;
  readonly thinking: unknown;
  readonly output: unknown;
}

function optionsOf(content: VersionContent, { effort, thinking, output }: OwnParameters): Code | undefined {
  const anthropic = familyOf(content) === "anthropic";
  const oneAtATime = content.tools?.disable_parallel_tool_calls ?? false;
  const options: Record<string, unknown> = {
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(thinking !== undefined && { thinking: inCamelCase(thinking as Record<string, unknown>) }),
    ...((output as Record<string, unknown>)?.effort !== undefined && {
      effort: (output as Record<string, unknown>).effort,
    }),
    ...(oneAtATime && (anthropic ? { disableParallelToolUse: true } : { parallelToolCalls: false })),
    // A schema is kept as it was written, strict or not.
    ...(!anthropic && strictnessOf(content)),
  };
  return Object.keys(options).length === 0 ? undefined : jsonOf({ [optionsName(content.model_provider)]: options });
}

function strictnessOf({ response_format: format }: VersionContent): Record<string, boolean> {
  if (format === undefined) return {};
  return { strictJsonSchema: (format.json_schema as { readonly strict?: boolean }).strict ?? false };
}

function inCamelCase(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  );
}

function outputOf({ response_format: format }: VersionContent): Code | undefined {
  if (format === undefined) return undefined;
  const { name, description, schema } = format.json_schema as {
    readonly name: string;
    readonly description?: string;
    readonly schema?: object;
  };
  const described = objectOf({
    name: textOf(name),
    description: description === undefined ? undefined : textOf(description),
    schema: schemaOf(schema ?? {}),
  });
  return expression(`Output.object(${written(described, "typescript", "    ")})`);
}

function schemaOf(schema: object): Code {
  return expression(`jsonSchema(${written(jsonOf(schema), "typescript", "        ")})`);
}

export function vercelTools(tools: Tools | undefined): Record<string, Code | undefined> {
  const functions = tools?.tools.filter((each) => each.type === "function") ?? [];
  if (functions.length === 0) return {};
  return {
    tools: {
      kind: "object",
      members: functions.map((each) => [each.function.name, vercelTool(each)] as const),
    },
    toolChoice: tools?.tool_choice && jsonOf(vercelChoice(tools.tool_choice)),
  };
}

function vercelTool({
  function: { description, parameters, strict },
}: Extract<Tool, { readonly type: "function" }>): Code {
  const described = objectOf({
    description: description === undefined ? undefined : textOf(description),
    inputSchema: schemaOf(parameters ?? { type: "object" }),
    strict: strict === undefined ? undefined : jsonOf(strict),
  });
  return expression(`tool(${written(described, "typescript", "      ")})`);
}

function vercelChoice(choice: ToolChoice): unknown {
  return choice.type === "specific_function"
    ? { type: "tool", toolName: choice.function_name }
    : openAiChoices[choice.type];
}

function vercelMessages(message: PromptMessage, filling: Filling): Code[] {
  const results = partsOf(message).filter((part) => part.type === "tool_result");
  const answers = results.map((part) =>
    objectOf({ role: textOf("tool"), content: listOf([jsonOf(vercelResult(part, filling.content))]) }),
  );
  const others = partsOf(message).filter((part) => part.type !== "tool_result");
  if (others.length === 0) return answers;
  if (isSystem(message)) {
    return textsOf(message).map((each) => objectOf({ role: textOf("system"), content: filledText(each, filling) }));
  }
  const content =
    typeof message.content === "string"
      ? filledText(message.content, filling)
      : listOf(others.map((part) => (part.type === "text" ? textBlock(part.text, filling) : jsonOf(vercelCall(part)))));
  return [...answers, objectOf({ role: textOf(roleOf(message) === "assistant" ? "assistant" : "user"), content })];
}

type CallPart = Extract<MessagePart, { readonly type: "tool_call" }>;

function vercelCall({ tool_call_id: id, tool_call: call }: CallPart): object {
  return { type: "tool-call", toolCallId: id, toolName: call.name, input: argumentsOf(call.arguments) };
}

function vercelResult(part: Extract<MessagePart, { readonly type: "tool_result" }>, content: VersionContent): object {
  const call = messagesOf(content)
    .flatMap(partsOf)
    .find((each): each is CallPart => each.type === "tool_call" && each.tool_call_id === part.tool_call_id);
  return {
    type: "tool-result",
    toolCallId: part.tool_call_id,
    toolName: call?.tool_call.name ?? "",
    output: { type: "text", value: resultText(part) },
  };
}
