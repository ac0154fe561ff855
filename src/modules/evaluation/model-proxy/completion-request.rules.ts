// From a chat completion as OpenAI's clients send it to a call of any provider.
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { type ModelProvider, parameterFamily } from "../../../model/prompt.ts";
import type {
  CallMessage,
  CallParameters,
  CallPart,
  CallResponseFormat,
  CallTool,
  CallToolChoice,
  CallTools,
  ModelCall,
} from "../../../providers/model-call.ts";
import type { SentChatCompletion, SentMessage } from "./chat-completions.schema.ts";
import { bodyRefused, notSupported } from "./model-proxy.errors.ts";

/** Of a call that says nothing of it: Anthropic demands a limit. */
const ANTHROPIC_MAX_TOKENS = 32_000;

/** All of it that does not depend on the provider. Throws kind `malformed` for what this endpoint cannot do, `invalid` that names the
 *  place for what is wrong in the body. */
export function requestedCall(
  sent: SentChatCompletion,
): Pick<ModelCall, "messages" | "tools" | "responseFormat" | "streaming"> {
  if (sent.stream !== true && sent.stream_options != null)
    throw notSupported("stream_options is only allowed when stream is true.");
  if (sent.n != null && sent.n !== 1) throw notSupported("Only n=1 is supported.");
  return {
    messages: sent.messages.map(messageOf),
    tools: toolsOf(sent),
    responseFormat: responseFormatOf(sent.response_format ?? null),
    streaming: sent.stream === true,
  };
}

/** In the words of the provider; what it does not know is left out. */
export function requestedParameters(sent: SentChatCompletion, provider: ModelProvider): CallParameters {
  const most = sent.max_completion_tokens ?? sent.max_tokens ?? null;
  const stop = typeof sent.stop === "string" ? [sent.stop] : (sent.stop ?? null);
  const { temperature, top_p, frequency_penalty, presence_penalty, seed, reasoning_effort } = sent;
  const sampling = given({ temperature, top_p });
  const penalties = given({ frequency_penalty, presence_penalty });
  const family = parameterFamily(provider);
  switch (family) {
    case "openai": {
      const own = given({ max_completion_tokens: most, seed, stop, reasoning_effort });
      return { type: family, openai: { ...sampling, ...penalties, ...own } };
    }
    case "anthropic": {
      const own = given({ stop_sequences: stop });
      return { type: family, anthropic: { max_tokens: most ?? ANTHROPIC_MAX_TOKENS, ...sampling, ...own } };
    }
    case "google": {
      const own = given({ max_output_tokens: most, stop_sequences: stop });
      return { type: family, google: { ...sampling, ...penalties, ...own } };
    }
    case "aws":
      return { type: family, aws: { ...sampling, ...given({ max_tokens: most, stop_sequences: stop }) } };
  }
}

/** The members that are there. */
function given<Members extends Readonly<Record<string, unknown>>>(members: Members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as {
    readonly [Name in keyof Members]?: NonNullable<Members[Name]>;
  };
}

function messageOf({ role, content, tool_calls: calls, tool_call_id: callId }: SentMessage, at: number): CallMessage {
  const place = `messages.${at}`;
  if (role === "tool") {
    if (callId == null) throw bodyRefused(`${place}.role`, "a message of the role tool needs tool_call_id");
    const result = textsOf(partsOf(content, place));
    return { role, content: [{ type: "tool_result", tool_call_id: callId, tool_result: result }] };
  }
  const parts = partsOf(content, place);
  if (role === "assistant") {
    const text = textsOf(parts);
    const made = (calls ?? []).map((call, position) => toolCallOf(call, `${place}.tool_calls.${position}`));
    if (content == null && made.length === 0)
      throw bodyRefused(`${place}.content`, "content or tool_calls must be given");
    return { role, content: made.length === 0 ? text : [...(text === "" ? [] : [textPart(text)]), ...made] };
  }
  if (content == null) throw bodyRefused(`${place}.content`, "Field required");
  if (role === "user" && parts.some(({ type }) => type === "image")) return { role, content: parts };
  // Providers know one word for who leads the conversation.
  return { role: role === "developer" ? "system" : role, content: textsOf(parts) };
}

const textPart = (text: string): CallPart => ({ type: "text", text });

function textsOf(parts: readonly CallPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function partsOf(content: SentMessage["content"], place: string): readonly CallPart[] {
  if (content == null) return [];
  if (typeof content === "string") return [textPart(content)];
  return content.map((part, position) => partOf(part, `${place}.content.${position}`));
}

function partOf(part: JsonObject, place: string): CallPart {
  if (part.type === "text") return textPart(textIn(part, "text", place));
  if (part.type === "refusal") return textPart(textIn(part, "refusal", place));
  if (part.type === "image_url") {
    return { type: "image", url: textIn(objectIn(part, "image_url", place), "url", `${place}.image_url`) };
  }
  throw notSupported(`${place}.type: only parts of type text and image_url are supported.`);
}

function toolCallOf(call: JsonObject, place: string): CallPart {
  const called = objectIn(call, "function", place);
  return {
    type: "tool_call",
    tool_call_id: textIn(call, "id", place),
    tool_call: {
      type: "function",
      name: textIn(called, "name", `${place}.function`),
      arguments: textIn(called, "arguments", `${place}.function`),
    },
  };
}

function toolsOf({ tools, tool_choice: choice, parallel_tool_calls: parallel }: SentChatCompletion): CallTools | null {
  if (tools == null || tools.length === 0) {
    if (choice != null && choice !== "none" && choice !== "auto")
      throw bodyRefused("tool_choice", "there are no tools");
    return null;
  }
  return {
    tools: tools.map((tool, position) => toolOf(tool, `tools.${position}`)),
    ...(choice == null ? {} : { tool_choice: choiceOf(choice) }),
    ...(parallel === false ? { disable_parallel_tool_calls: true } : {}),
  };
}

function toolOf(tool: JsonObject, place: string): CallTool {
  if (tool.type !== "function")
    throw notSupported(`Tool calling is not supported for other tools than functions: ${place}.type`);
  const declared = objectIn(tool, "function", place);
  const { description, parameters, strict } = declared;
  if (parameters != null && !isObject(parameters))
    throw bodyRefused(`${place}.function.parameters`, "must be an object");
  return {
    type: "function",
    function: {
      name: textIn(declared, "name", `${place}.function`),
      ...(typeof description === "string" ? { description } : {}),
      ...(parameters == null ? {} : { parameters: parameters as JsonObject }),
      ...(typeof strict === "boolean" ? { strict } : {}),
    },
  };
}

const choices: Readonly<Record<string, CallToolChoice>> = {
  none: { type: "none" },
  auto: { type: "zero_or_more" },
  required: { type: "one_or_more" },
};

function choiceOf(choice: string | JsonObject): CallToolChoice {
  if (typeof choice !== "string" && choice.type === "function") {
    const name = textIn(objectIn(choice, "function", "tool_choice"), "name", "tool_choice.function");
    return { type: "specific_function", function_name: name };
  }
  const known = typeof choice === "string" ? choices[choice] : undefined;
  if (known === undefined) throw notSupported("tool_choice must be none, auto, required, or a function.");
  return known;
}

function responseFormatOf(format: JsonObject | null): CallResponseFormat | null {
  if (format === null || format.type === "text") return null;
  if (format.type !== "json_schema")
    throw notSupported("Only response_format of type 'text' or 'json_schema' is supported.");
  const declared = objectIn(format, "json_schema", "response_format");
  const { description, schema, strict } = declared;
  if (schema != null && !isObject(schema)) throw bodyRefused("response_format.json_schema.schema", "must be an object");
  return {
    type: "json_schema",
    json_schema: {
      name: textIn(declared, "name", "response_format.json_schema"),
      ...(typeof description === "string" ? { description } : {}),
      ...(schema == null ? {} : { schema: schema as JsonObject }),
      ...(typeof strict === "boolean" ? { strict } : {}),
    },
  };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectIn(object: JsonObject, name: string, place: string): JsonObject {
  const value = object[name];
  if (!isObject(value)) throw bodyRefused(`${place}.${name}`, "must be an object");
  return value;
}

function textIn(object: JsonObject, name: string, place: string): string {
  const value = object[name];
  if (typeof value !== "string") throw bodyRefused(`${place}.${name}`, "must be a text");
  return value;
}
