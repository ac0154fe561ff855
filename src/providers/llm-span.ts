// Turns a call and one of its attempts into the attributes of an LLM span, in the OpenInference conventions. Pure functions.
import type { Json, JsonObject } from "../kernel/json.ts";
import { builtInProviders } from "./built-in-providers.ts";
import type { CallMessage, ModelCall } from "./model-call.ts";
import type { ModelAttempt, ModelToolCall, TokenUsage } from "./model-event.ts";
import { redactorOf } from "./redaction.ts";
import { type WireMessage, wireMessages } from "./wire-messages.ts";
import { wireRequest } from "./wires/wires.ts";

/** Flat attributes, with dotted keys. */
type Attributes = Record<string, string | number | boolean>;

export interface LlmSpan {
  readonly name: "ChatCompletion";
  readonly kind: "LLM";
  readonly status: "OK" | "ERROR";
  /** Why it failed; empty for OK. */
  readonly statusMessage: string;
  /** Microseconds UTC. */
  readonly startUs: number;
  readonly endUs: number;
  readonly attributes: Readonly<Attributes>;
  /** The failure as an event `exception`. */
  readonly events: readonly {
    readonly name: string;
    readonly timeUs: number;
    readonly attributes: Readonly<Attributes>;
  }[];
}

interface LlmSpanOptions {
  /** Adds the body as response (`http.response.body`) if `output.value` differs from it. A stream is about ten times the size of its text. */
  readonly includeResponseBody: boolean;
}

export function llmSpan(call: ModelCall, attempt: ModelAttempt, { includeResponseBody }: LlmSpanOptions): LlmSpan {
  const { failure, startUs, endUs } = attempt;
  const attributes: Attributes = {
    "openinference.span.kind": "LLM",
    ...requestAttributes(call, attempt),
    ...answerAttributes(attempt, includeResponseBody),
  };
  const exception: Attributes =
    failure === null ? {} : { "exception.type": failure.kind, "exception.message": failure.message };
  return {
    name: "ChatCompletion",
    kind: "LLM",
    status: failure === null ? "OK" : "ERROR",
    statusMessage: failure?.message ?? "",
    startUs,
    endUs,
    attributes,
    events: failure === null ? [] : [{ name: "exception", timeUs: endUs, attributes: exception }],
  };
}

/** The output of an experiment run. `available_tools` are the tool definitions of the span. */
export function runOutput(call: ModelCall, attempt: ModelAttempt): JsonObject {
  const request = wireRequest(call);
  return { messages: [answerMessage(attempt, "object")], available_tools: [...request.tools] };
}

function requestAttributes(call: ModelCall, { request: sent }: ModelAttempt): Attributes {
  const { endpoint, model } = call;
  const request = wireRequest(call);
  const redact = redactorOf(endpoint).text;
  const tools = request.tools.map((tool, position) => [
    `llm.tools.${position}.tool.json_schema`,
    redact(JSON.stringify(tool)),
  ]);
  return {
    "llm.model_name": model,
    "llm.system": builtInProviders.get(endpoint.provider)!.llmSystem,
    "llm.provider": endpoint.llmProvider,
    "llm.invocation_parameters": redact(JSON.stringify(request.parameters)),
    ...messageAttributes(call.messages, redact),
    ...Object.fromEntries(tools),
    "input.value": sent.body,
    "input.mime_type": "application/json",
    "url.full": sent.url,
    ...(sent.path === null ? {} : { "url.path": sent.path }),
  };
}

const spanRoles: Readonly<Record<WireMessage["role"], string>> = {
  user: "user",
  system: "system",
  assistant: "ai",
  tool: "tool",
};

function messageAttributes(messages: readonly CallMessage[], redact: (text: string) => string): Attributes {
  const attributes: Attributes = {};
  for (const [position, message] of wireMessages(messages).entries()) {
    const prefix = `llm.input_messages.${position}.message`;
    attributes[`${prefix}.role`] = spanRoles[message.role];
    if (message.role === "tool") {
      attributes[`${prefix}.content`] = redact(message.text);
      if (message.toolCallId !== "") attributes[`${prefix}.tool_call_id`] = message.toolCallId;
      continue;
    }
    if (!message.hasImages) attributes[`${prefix}.content`] = redact(message.text);
    else {
      for (const [place, part] of message.parts.entries()) {
        const content = `${prefix}.contents.${place}.message_content`;
        attributes[`${content}.type`] = part.type;
        if (part.type === "text") attributes[`${content}.text`] = redact(part.text);
        else attributes[`${content}.image.image.url`] = redact(part.url);
      }
    }
    if (message.role === "assistant") Object.assign(attributes, callAttributes(prefix, message.toolCalls, redact));
  }
  return attributes;
}

function callAttributes(
  prefix: string,
  calls: readonly ModelToolCall[],
  redact: (text: string) => string = (text) => text,
): Attributes {
  return Object.fromEntries(
    calls.flatMap(({ id, name, arguments: text }, position) => {
      const call = `${prefix}.tool_calls.${position}.tool_call`;
      return [
        [`${call}.id`, id],
        [`${call}.function.name`, name],
        [`${call}.function.arguments`, redact(text)],
      ];
    }),
  );
}

function answerAttributes(attempt: ModelAttempt, includeResponseBody: boolean): Attributes {
  const { usage, providerFinishReason, firstTokenUs, startUs, response } = attempt;
  const output = outputOf(attempt);
  const isBodyShown = response !== null && response.body !== "" && response.body !== output["output.value"];
  return {
    ...outputMessage(attempt),
    ...output,
    ...(usage === null ? {} : tokenAttributes(usage)),
    ...(providerFinishReason === null ? {} : { "llm.finish_reason": providerFinishReason }),
    ...(firstTokenUs === null ? {} : { "gen_ai.server.time_to_first_token": (firstTokenUs - startUs) / 1e6 }),
    ...(response === null ? {} : { "http.response.status_code": response.status }),
    ...(includeResponseBody && isBodyShown ? { "http.response.body": response.body } : {}),
  };
}

/** Empty if the model wrote nothing, e.g. because the provider refused. */
function outputMessage({ wire, text, toolCalls, finishReason }: ModelAttempt): Attributes {
  if (text === "" && toolCalls.length === 0 && finishReason === null) return {};
  const prefix = "llm.output_messages.0.message";
  const content: Attributes =
    wire === "openai_responses"
      ? {
          [`${prefix}.contents.0.message_content.type`]: "text",
          [`${prefix}.contents.0.message_content.text`]: text,
        }
      : { [`${prefix}.content`]: text };
  return {
    [`${prefix}.role`]: "assistant",
    ...(text === "" && toolCalls.length > 0 ? {} : content),
    ...callAttributes(prefix, toolCalls),
  };
}

/** The provider's JSON answer if there is one, else the text, or a message with the tool calls. */
function outputOf(attempt: ModelAttempt): Attributes {
  if (attempt.responseJson !== null)
    return { "output.value": attempt.responseJson, "output.mime_type": "application/json" };
  if (attempt.toolCalls.length > 0) {
    const messages = { messages: [answerMessage(attempt, "text")] };
    return { "output.value": JSON.stringify(messages), "output.mime_type": "application/json" };
  }
  if (attempt.text === "" && attempt.finishReason === null) return {};
  return { "output.value": attempt.text, "output.mime_type": "text/plain" };
}

/** Arguments as the model wrote them, or parsed if they are JSON. */
function answerMessage({ text, toolCalls }: ModelAttempt, form: "text" | "object"): JsonObject {
  const calls = toolCalls.map(({ id, name, arguments: written }) => ({
    id,
    function: { name, arguments: form === "text" ? written : readArguments(written) },
  }));
  return {
    role: "assistant",
    ...(text === "" && calls.length > 0 ? {} : { content: text }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function readArguments(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function tokenAttributes(usage: TokenUsage): Attributes {
  const counts: readonly (readonly [string, number | null])[] = [
    ["prompt", usage.prompt],
    ["completion", usage.completion],
    ["total", usage.total],
    ["prompt_details.cache_read", usage.cacheRead],
    ["prompt_details.cache_write", usage.cacheWrite],
    ["prompt_details.audio", usage.promptAudio],
    ["completion_details.reasoning", usage.reasoning],
    ["completion_details.audio", usage.completionAudio],
  ];
  return Object.fromEntries(
    counts.flatMap(([name, count]) => (count === null ? [] : [[`llm.token_count.${name}`, count] as const])),
  );
}
