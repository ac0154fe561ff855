// What a version says, as a request to the programming interfaces of OpenAI and of Anthropic. The members are the same in TypeScript and
// in Python.
import { type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { findVariable } from "../../../../model/template-variables.ts";
import type {
  MessagePart,
  PromptMessage,
  ToolChoice,
} from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { messagesOf, type PromptVersionContent, parametersOf, partsOf } from "../../../domain/prompts/version-parts.ts";
import { type Code, type FilledText, jsonOf, listOf, objectOf, type TextPiece, textOf } from "./code-values.ts";

export type VersionContent = Pick<
  PromptVersionContent,
  | "model_provider"
  | "model_name"
  | "template_format"
  | "template"
  | "invocation_parameters"
  | "tools"
  | "response_format"
>;

export interface Request {
  readonly members: Readonly<Record<string, Code | undefined>>;
  /** What the provider takes and the library does not declare. */
  readonly undeclared: JsonObject;
  /** Parameters that this programming interface does not know. */
  readonly leftOut: readonly string[];
}

export interface Filling {
  readonly content: VersionContent;
  /** Parameters of the function by the names of the variables. */
  readonly names: ReadonlyMap<string, string>;
}

export function openAiRequest({ content, names }: Filling): Request {
  const { tools, response_format: format } = content;
  const { known, leftOut } =
    familyOf(content) === "openai"
      ? { known: parametersOf(content), leftOut: [] }
      : renamed(commonParameters(content), { maxTokens: "max_completion_tokens", stop: "stop" });
  const { extra_body: extra, ...parameters } = known;
  return {
    leftOut,
    undeclared: (extra ?? {}) as JsonObject,
    members: {
      model: textOf(content.model_name),
      messages: listOf(messagesOf(content).flatMap((message) => openAiMessages(message, { content, names }))),
      ...jsonMembers(parameters),
      tools: tools && listOf(tools.tools.map((tool) => jsonOf(tool.type === "raw" ? tool.raw : tool))),
      tool_choice: tools?.tool_choice && jsonOf(openAiChoice(tools.tool_choice)),
      parallel_tool_calls: tools?.disable_parallel_tool_calls ? jsonOf(false) : undefined,
      response_format: format && jsonOf(format),
    },
  };
}

function openAiMessages(message: PromptMessage, filling: Filling): Code[] {
  const role = roleOf(message);
  const parts = partsOf(message);
  const results = parts.filter((part) => part.type === "tool_result");
  const calls = parts.filter((part) => part.type === "tool_call");
  const answers = results.map((part) =>
    objectOf({ role: textOf("tool"), tool_call_id: textOf(part.tool_call_id), content: textOf(resultText(part)) }),
  );
  const texts = parts.filter((part) => part.type === "text");
  if (texts.length === 0 && calls.length === 0) return answers;
  const [first] = texts;
  const single = texts.length === 1 && first !== undefined;
  return [
    ...answers,
    objectOf({
      role: textOf(role),
      content: single
        ? filledText(first.text, filling)
        : texts.length === 0
          ? undefined
          : listOf(texts.map(({ text }) => textBlock(text, filling))),
      tool_calls:
        calls.length === 0
          ? undefined
          : jsonOf(
              calls.map(({ tool_call_id: id, tool_call: call }) => ({
                id,
                type: "function",
                function: { name: call.name, arguments: call.arguments },
              })),
            ),
    }),
  ];
}

/** How OpenAI names the choices that name no tool; others took the names over. */
export const openAiChoices = { none: "none", zero_or_more: "auto", one_or_more: "required" } as const;

function openAiChoice(choice: ToolChoice): unknown {
  return choice.type === "specific_function"
    ? { type: "function", function: { name: choice.function_name } }
    : openAiChoices[choice.type];
}

/** Anthropic takes no request without a limit. */
const ENOUGH_TOKENS = 1024;

export function anthropicRequest({ content, names }: Filling): Request {
  const { tools, response_format: format } = content;
  const { known, leftOut } =
    familyOf(content) === "anthropic"
      ? { known: parametersOf(content), leftOut: [] }
      : renamed(commonParameters(content), { maxTokens: "max_tokens", stop: "stop_sequences", topK: "top_k" });
  // Its newest libraries declare no sampling any more.
  const { extra_body: extra, output_config: output, temperature, top_p, top_k, ...parameters } = known;
  const sampling = Object.entries({ temperature, top_p, top_k }).filter(([, value]) => value !== undefined);
  const filling = { content, names };
  const messages = messagesOf(content);
  const system = messages.filter(isSystem).flatMap(textsOf);
  const schema = (format?.json_schema as JsonObject | undefined)?.schema;
  const configured = {
    ...(output as JsonObject | undefined),
    ...(schema && { format: { type: "json_schema", schema } }),
  };
  return {
    leftOut,
    undeclared: { ...Object.fromEntries(sampling), ...(extra as JsonObject | undefined) } as JsonObject,
    members: {
      model: textOf(content.model_name),
      ...jsonMembers({ max_tokens: ENOUGH_TOKENS, ...parameters }),
      system:
        system.length === 0
          ? undefined
          : system.length === 1
            ? filledText(system[0]!, filling)
            : listOf(system.map((text) => textBlock(text, filling))),
      messages: listOf(
        messages
          .filter((message) => !isSystem(message))
          .map((message) =>
            objectOf({
              role: textOf(roleOf(message) === "assistant" ? "assistant" : "user"),
              content:
                typeof message.content === "string"
                  ? filledText(message.content, filling)
                  : listOf(message.content.map((part) => anthropicBlock(part, filling))),
            }),
          ),
      ),
      tools:
        tools &&
        jsonOf(
          tools.tools.map((tool) =>
            tool.type === "raw"
              ? tool.raw
              : {
                  name: tool.function.name,
                  ...(tool.function.description !== undefined && { description: tool.function.description }),
                  input_schema: tool.function.parameters ?? { type: "object" },
                },
          ),
        ),
      tool_choice: anthropicChoice(tools?.tool_choice, tools?.disable_parallel_tool_calls ?? false),
      output_config: Object.keys(configured).length === 0 ? undefined : jsonOf(configured),
    },
  };
}

function anthropicBlock(part: MessagePart, filling: Filling): Code {
  switch (part.type) {
    case "text":
      return textBlock(part.text, filling);
    case "tool_call":
      return jsonOf({
        type: "tool_use",
        id: part.tool_call_id,
        name: part.tool_call.name,
        input: argumentsOf(part.tool_call.arguments),
      });
    case "tool_result":
      return jsonOf({ type: "tool_result", tool_use_id: part.tool_call_id, content: resultText(part) });
  }
}

/** The arguments as JSON; text that is not JSON stays text, so that the provider says what is wrong with it. */
export function argumentsOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const anthropicWords = { none: "none", zero_or_more: "auto", one_or_more: "any" } as const;

function anthropicChoice(choice: ToolChoice | undefined, oneAtATime: boolean): Code | undefined {
  if (choice === undefined && !oneAtATime) return undefined;
  const word =
    choice?.type === "specific_function"
      ? { type: "tool", name: choice.function_name }
      : { type: anthropicWords[choice?.type ?? "zero_or_more"] };
  return jsonOf({ ...word, ...(oneAtATime && word.type !== "none" && { disable_parallel_tool_use: true }) });
}

/** `model` and `ai` are other words for the assistant. */
export function roleOf({ role }: PromptMessage): "system" | "developer" | "user" | "assistant" | "tool" {
  return role === "model" || role === "ai" ? "assistant" : role;
}

export function isSystem({ role }: PromptMessage): boolean {
  return role === "system" || role === "developer";
}

export function textsOf(message: PromptMessage): string[] {
  return partsOf(message).flatMap((part) => (part.type === "text" ? [part.text] : []));
}

export function resultText({ tool_result: result }: Extract<MessagePart, { readonly type: "tool_result" }>): string {
  return typeof result === "string" ? result : JSON.stringify(result);
}

export function textBlock(text: string, filling: Filling): Code {
  return objectOf({ type: textOf("text"), text: filledText(text, filling) });
}

/** A text with the parameters in the places of the variables. What is never closed stays as it stands. */
export function filledText(text: string, { content: { template_format: format }, names }: Filling): FilledText {
  const pieces: TextPiece[] = [];
  let plain = "";
  let position = 0;
  for (;;) {
    const found = findVariable(text, format, position);
    if (found === null || found.kind === "unclosed") break;
    plain += text.slice(position, found.start);
    position = found.end;
    if (found.kind === "brace") {
      plain += found.brace;
      continue;
    }
    pieces.push({ text: plain }, { parameter: names.get(found.name) ?? found.name });
    plain = "";
  }
  pieces.push({ text: plain + text.slice(position) });
  return {
    kind: "text",
    pieces: pieces.length === 1 ? pieces : pieces.filter((piece) => !("text" in piece && piece.text === "")),
  };
}

function jsonMembers(values: JsonObject): Record<string, Code> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, jsonOf(value)]));
}

export function familyOf({ invocation_parameters: sent }: VersionContent): string {
  return String(sent.type);
}

/** Parameters that every provider has, in one set of words; `other` are the rest, by their own names. */
interface CommonParameters {
  readonly temperature?: unknown;
  readonly top_p?: unknown;
  readonly topK?: unknown;
  readonly maxTokens?: unknown;
  readonly stop?: unknown;
  readonly other: JsonObject;
}

export function commonParameters(content: VersionContent): CommonParameters {
  const {
    temperature,
    top_p,
    top_k: topK,
    max_tokens,
    max_completion_tokens,
    max_output_tokens,
    stop,
    stop_sequences,
    ...other
  } = parametersOf(content);
  const maxTokens = max_completion_tokens ?? max_tokens ?? max_output_tokens;
  return { temperature, top_p, topK, maxTokens, stop: stop ?? stop_sequences, other };
}

interface OwnWords {
  readonly maxTokens: string;
  readonly stop: string;
  /** Absent where it is not known. */
  readonly topK?: string;
}

/** The common parameters in the words of another provider. */
function renamed({ other, ...common }: CommonParameters, words: OwnWords): { known: JsonObject; leftOut: string[] } {
  const known: Record<string, unknown> = {
    temperature: common.temperature,
    top_p: common.top_p,
    [words.maxTokens]: common.maxTokens,
    [words.stop]: common.stop,
    ...(words.topK !== undefined && { [words.topK]: common.topK }),
  };
  const leftOut = Object.keys(other);
  if (words.topK === undefined && common.topK !== undefined) leftOut.push("top_k");
  const set = Object.entries(known).filter(([, value]) => value !== undefined);
  return { known: Object.fromEntries(set) as JsonObject, leftOut };
}
