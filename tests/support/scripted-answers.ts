// Answers of models in the formats of the providers, whole and as streams, with the members of recorded answers.
import { EventStreamCodec } from "@smithy/eventstream-codec";

/** The content of an answer, independent of the format. */
export interface ScriptedAnswer {
  readonly texts: readonly string[];
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish: "stop" | "length";
  /** Text in the chunk with the finish reason. */
  readonly lastText?: string;
  /** Anthropic's alone: what was thought before, with `SIGNATURE`, and an encrypted part of it. */
  readonly thinking?: string;
}

export const SIGNATURE = "c2lnbmVk";
export const ENCRYPTED = "ZW5jcnlwdGVk";

export interface ScriptedWire {
  /** The answer as JSON. */
  whole(answer: ScriptedAnswer, model: string): string;
  /** The events of the stream. */
  stream(answer: ScriptedAnswer, model: string): Uint8Array[];
  /** An error event. */
  error(message: string): Uint8Array;
  /** An event with invalid JSON. */
  unreadable(): Uint8Array;
  /** The body of an error response. */
  refusal(status: number, message: string): string;
  readonly streamType: string;
}

const utf8 = new TextEncoder();
const dataEvent = (data: unknown) => utf8.encode(`data: ${JSON.stringify(data)}\n\n`);
const namedEvent = (data: { readonly type: string } & Record<string, unknown>) =>
  utf8.encode(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
const callId = (position: number) => `call_${position}`;
const SSE = "text/event-stream; charset=utf-8";

const chatUsage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 0, accepted_prediction_tokens: 0 },
};

export const scriptedChat: ScriptedWire = {
  streamType: SSE,
  whole(answer, model) {
    const text = [...answer.texts, answer.lastText ?? ""].join("");
    const calls = answer.calls.map((call, position) => ({ id: callId(position), type: "function", function: call }));
    const message = {
      role: "assistant",
      content: calls.length > 0 ? null : text,
      refusal: null,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return JSON.stringify({
      id: "chatcmpl-scripted",
      object: "chat.completion",
      created: 1_760_000_000,
      model: `${model}-2026-01-01`,
      choices: [{ index: 0, message, logprobs: null, finish_reason: chatFinish(answer) }],
      usage: chatUsage,
      service_tier: "default",
      system_fingerprint: "fp_1",
    });
  },
  stream(answer, model) {
    const chunk = (delta: object, finish: string | null = null) =>
      dataEvent({
        id: "chatcmpl-scripted",
        object: "chat.completion.chunk",
        created: 1_760_000_000,
        model: `${model}-2026-01-01`,
        service_tier: "default",
        system_fingerprint: "fp_1",
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        usage: null,
        obfuscation: "aB3",
      });
    const calls = answer.calls.flatMap(({ name, arguments: text }, index) => {
      const half = Math.ceil(text.length / 2);
      const piece = (part: string) => chunk({ tool_calls: [{ index, function: { arguments: part } }] });
      return [
        chunk({ tool_calls: [{ index, id: callId(index), type: "function", function: { name, arguments: "" } }] }),
        piece(text.slice(0, half)),
        piece(text.slice(half)),
      ];
    });
    return [
      chunk({ role: "assistant", content: answer.calls.length > 0 ? null : "", refusal: null }),
      ...answer.texts.map((content) => chunk({ content })),
      ...calls,
      chunk(answer.lastText === undefined ? {} : { content: answer.lastText }, chatFinish(answer)),
      dataEvent({
        id: "chatcmpl-scripted",
        object: "chat.completion.chunk",
        created: 1_760_000_000,
        model: `${model}-2026-01-01`,
        choices: [],
        usage: chatUsage,
      }),
      utf8.encode("data: [DONE]\n\n"),
    ];
  },
  error: (message) => dataEvent({ error: { message, type: "server_error", param: null, code: null } }),
  unreadable: () => utf8.encode("data: {no json\n\n"),
  refusal: (status, message) =>
    JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: `scripted_${status}` } }),
};

const chatFinish = ({ calls, finish }: ScriptedAnswer) => (calls.length > 0 ? "tool_calls" : finish);

export const scriptedResponses: ScriptedWire = {
  streamType: SSE,
  whole: (answer, model) => JSON.stringify(responseOf(answer, model)),
  stream(answer, model) {
    const response = responseOf(answer, model);
    const begun = { ...response, status: "in_progress", output: [], usage: null };
    let sequence = 0;
    const event = (type: string, members: object) => namedEvent({ type, sequence_number: sequence++, ...members });
    const texts = [...answer.texts, ...(answer.lastText === undefined ? [] : [answer.lastText])];
    const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const spoken = texts.map((delta) =>
      event("response.output_text.delta", { ...place, delta, logprobs: [], obfuscation: "x" }),
    );
    const items = response.output.map((item, output_index) => {
      return event("response.output_item.done", { output_index, item });
    });
    const pieces = answer.calls.map(({ arguments: delta }, output_index) =>
      event("response.function_call_arguments.delta", { item_id: `fc_${output_index}`, output_index, delta }),
    );
    return [
      event("response.created", { response: begun }),
      event("response.in_progress", { response: begun }),
      event("response.reasoning_summary_text.delta", { item_id: "rs_1", delta: "thinking" }),
      ...spoken,
      ...pieces,
      ...items,
      event(answer.finish === "length" ? "response.incomplete" : "response.completed", { response }),
    ];
  },
  error: (message) => namedEvent({ type: "error", code: null, message, param: null, sequence_number: 9 }),
  unreadable: () => utf8.encode("event: response.output_text.delta\ndata: {no json\n\n"),
  refusal: scriptedChat.refusal,
};

function responseOf(answer: ScriptedAnswer, model: string) {
  const text = [...answer.texts, answer.lastText ?? ""].join("");
  const calls = answer.calls.map(({ name, arguments: written }, position) => ({
    id: `fc_${position}`,
    type: "function_call",
    status: "completed",
    arguments: written,
    call_id: callId(position),
    name,
  }));
  const spoken = {
    id: "msg_1",
    type: "message",
    status: "completed",
    content: [{ type: "output_text", annotations: [], logprobs: [], text }],
    role: "assistant",
  };
  return {
    id: "resp_scripted",
    object: "response",
    created_at: 1_760_000_000,
    status: answer.finish === "length" ? "incomplete" : "completed",
    error: null,
    incomplete_details: answer.finish === "length" ? { reason: "max_output_tokens" } : null,
    model: `${model}-2026-01-01`,
    output: calls.length > 0 ? calls : [spoken],
    usage: {
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 18,
    },
  };
}

/** A Responses stream that fails after its text. */
export function failedResponse(answer: ScriptedAnswer, model: string, message: string, code: string): Uint8Array[] {
  const failed = { ...responseOf(answer, model), status: "failed", error: { code, message }, output: [], usage: null };
  const stream = scriptedResponses.stream(answer, model);
  return [...stream.slice(0, 3 + answer.texts.length), namedEvent({ type: "response.failed", response: failed })];
}

const anthropicUsage = {
  input_tokens: 11,
  cache_creation_input_tokens: 4,
  cache_read_input_tokens: 3,
  output_tokens: 1,
};

export const scriptedAnthropic: ScriptedWire = {
  streamType: SSE,
  whole: (answer, model) =>
    JSON.stringify({
      ...anthropicMessage(model),
      content: anthropicBlocks(answer),
      stop_reason: anthropicStop(answer),
      usage: { ...anthropicUsage, output_tokens: 7 },
    }),
  stream(answer, model) {
    const blocks = anthropicBlocks(answer).flatMap((block, index) => [
      namedEvent({ type: "content_block_start", index, content_block: emptied(block) }),
      ...anthropicDeltas(block, answer).map((delta) => namedEvent({ type: "content_block_delta", index, delta })),
      namedEvent({ type: "content_block_stop", index }),
    ]);
    return [
      namedEvent({ type: "message_start", message: { ...anthropicMessage(model), usage: anthropicUsage } }),
      namedEvent({ type: "ping" }),
      ...blocks,
      namedEvent({
        type: "message_delta",
        delta: { stop_reason: anthropicStop(answer), stop_sequence: null },
        usage: { output_tokens: 7 },
      }),
      namedEvent({ type: "message_stop" }),
    ];
  },
  error: (message) => namedEvent({ type: "error", error: { type: "api_error", message } }),
  unreadable: () => utf8.encode("event: content_block_delta\ndata: {no json\n\n"),
  refusal: (status, message) =>
    JSON.stringify({ type: "error", error: { type: `scripted_${status}`, message }, request_id: "req_1" }),
};

const anthropicMessage = (model: string) => ({
  id: "msg_scripted",
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
});

type Block =
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted_thinking"; data: string }
  | { readonly type: "text"; text: string }
  | { readonly type: "tool_use"; id: string; name: string; input: object };

function anthropicBlocks({ texts, calls, lastText, thinking }: ScriptedAnswer): Block[] {
  const text = [...texts, lastText ?? ""].join("");
  const thoughts: Block[] =
    thinking === undefined
      ? []
      : [
          { type: "thinking", thinking, signature: SIGNATURE },
          { type: "redacted_thinking", data: ENCRYPTED },
        ];
  return [
    ...thoughts,
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ name, arguments: written }, position) => {
      return { type: "tool_use" as const, id: callId(position), name, input: JSON.parse(written) as object };
    }),
  ];
}

function emptied(block: Block): Block {
  switch (block.type) {
    case "text":
      return { ...block, text: "" };
    case "thinking":
      return { ...block, thinking: "", signature: "" };
    case "tool_use":
      return { ...block, input: {} };
    case "redacted_thinking":
      return block;
  }
}

function anthropicDeltas(block: Block, { texts, lastText }: ScriptedAnswer): object[] {
  if (block.type === "redacted_thinking") return [];
  if (block.type === "thinking") {
    const pieces = block.thinking.match(/.{1,4}/gs) ?? [];
    return [
      ...pieces.map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: block.signature },
    ];
  }
  if (block.type === "text") {
    return [...texts, ...(lastText === undefined ? [] : [lastText])].map((text) => ({ type: "text_delta", text }));
  }
  const text = JSON.stringify(block.input);
  const half = Math.ceil(text.length / 2);
  return ["", text.slice(0, half), text.slice(half)].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
}

function anthropicStop({ calls, finish }: ScriptedAnswer): string {
  if (calls.length > 0) return "tool_use";
  return finish === "length" ? "max_tokens" : "end_turn";
}

export const scriptedGoogle: ScriptedWire = {
  streamType: "text/event-stream",
  whole: (answer, model) => JSON.stringify(googlePiece(googleParts(answer), answer, model, true)),
  stream(answer, model) {
    const parts = googleParts(answer);
    if (parts.length === 0) return [dataEvent(googlePiece([{ text: "" }], answer, model, true))];
    return parts.map((part, position) => dataEvent(googlePiece([part], answer, model, position === parts.length - 1)));
  },
  error: (message) => dataEvent({ error: { code: 500, message, status: "INTERNAL" } }),
  unreadable: () => utf8.encode("data: {no json\n\n"),
  refusal: (status, message) => JSON.stringify({ error: { code: status, message, status: "FAKE" } }),
};

function googleParts({ texts, calls, lastText }: ScriptedAnswer): object[] {
  const spoken = [...texts, ...(lastText === undefined ? [] : [lastText])].map((text) => ({ text }));
  const called = calls.map(({ name, arguments: written }) => ({
    functionCall: { name, args: JSON.parse(written) as object },
    thoughtSignature: "c2lnbmF0dXJl",
  }));
  return [...spoken, ...called];
}

function googlePiece(parts: object[], { finish }: ScriptedAnswer, model: string, isLast: boolean): object {
  const reason = finish === "length" ? "MAX_TOKENS" : "STOP";
  return {
    candidates: [{ content: { parts, role: "model" }, ...(isLast ? { finishReason: reason } : {}), index: 0 }],
    usageMetadata: {
      promptTokenCount: 11,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 2,
      totalTokenCount: 20,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 11 }],
    },
    modelVersion: model,
    responseId: "gemini-scripted",
  };
}

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)),
  (text) => utf8.encode(text),
);

function frame(type: "event" | "exception", name: string, data: string): Uint8Array {
  const header = (value: string) => ({ type: "string" as const, value });
  return codec.encode({
    headers: {
      [type === "event" ? ":event-type" : ":exception-type"]: header(name),
      ":content-type": header("application/json"),
      ":message-type": header(type),
    },
    body: utf8.encode(data),
  });
}

const bedrockUsage = {
  inputTokens: 11,
  outputTokens: 7,
  totalTokens: 25,
  cacheReadInputTokens: 3,
  cacheWriteInputTokens: 4,
};

export const scriptedBedrock: ScriptedWire = {
  streamType: "application/vnd.amazon.eventstream",
  whole: (answer) =>
    JSON.stringify({
      output: { message: { role: "assistant", content: bedrockContent(answer) } },
      stopReason: anthropicStop(answer),
      usage: bedrockUsage,
      metrics: { latencyMs: 120 },
    }),
  stream(answer) {
    const event = (name: string, data: object) => frame("event", name, JSON.stringify({ ...data, p: "abcdefgh" }));
    const texts = [...answer.texts, ...(answer.lastText === undefined ? [] : [answer.lastText])];
    const calls = answer.calls.flatMap(({ name, arguments: written }, position) => {
      const contentBlockIndex = position + 1;
      const half = Math.ceil(written.length / 2);
      const piece = (input: string) => event("contentBlockDelta", { contentBlockIndex, delta: { toolUse: { input } } });
      return [
        event("contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId: callId(position), name } } }),
        piece(written.slice(0, half)),
        piece(written.slice(half)),
        event("contentBlockStop", { contentBlockIndex }),
      ];
    });
    return [
      event("messageStart", { role: "assistant" }),
      ...texts.map((text) => event("contentBlockDelta", { contentBlockIndex: 0, delta: { text } })),
      event("contentBlockStop", { contentBlockIndex: 0 }),
      ...calls,
      event("messageStop", { stopReason: anthropicStop(answer) }),
      event("metadata", { usage: bedrockUsage, metrics: { latencyMs: 120 } }),
    ];
  },
  error: (message) => frame("exception", "modelStreamErrorException", JSON.stringify({ message })),
  unreadable: () => frame("event", "contentBlockDelta", "{no json"),
  refusal: (_status, message) => JSON.stringify({ message }),
};

function bedrockContent({ texts, calls, lastText }: ScriptedAnswer): object[] {
  const text = [...texts, lastText ?? ""].join("");
  return [
    ...(text === "" ? [] : [{ text }]),
    ...calls.map(({ name, arguments: written }, position) => ({
      toolUse: { toolUseId: callId(position), name, input: JSON.parse(written) as object },
    })),
  ];
}
