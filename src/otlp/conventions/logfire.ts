// Spans of logfire and of pydantic-ai, which is instrumented by it: the run of an agent, the calls of a model's own client.
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../kernel/json.ts";
import { type ChatMessage, chatMessage, writeChatMessages } from "../genai/chat-message.ts";
import { convertMessages, INPUT_MESSAGES, OUTPUT_MESSAGES } from "../genai/messages.ts";
import { type Converted, present, scalarText } from "../genai/values.ts";
import { setSide, setText, setTokens } from "./converted.ts";
import { objectIn, objectsIn, type Source } from "./source.ts";

/** The templates of logfire's instrumentation of OpenAI's Agents SDK, whose spans say nowhere else what they are. */
const KIND_BY_TEMPLATE: readonly (readonly [RegExp, string])[] = [
  [/^Function: /, "TOOL"],
  [/^Agent run: /, "AGENT"],
  [/^(?:OpenAI Agents trace: |Task: |Turn \{turn\} )/, "CHAIN"],
];

export function convertLogfire(source: Source, converted: Converted): void {
  const template = scalarText(present(source, "logfire.msg_template")) ?? "";
  const kind = KIND_BY_TEMPLATE.find(([begin]) => begin.test(template))?.[1];
  const hasAgentsSpan = source.has("sdk_span_type") || source.has("agent_trace_id") || source.has("mcp_data");
  if (kind !== undefined && (hasAgentsSpan || kind === "AGENT")) {
    converted.set("openinference.span.kind", kind);
    if (kind === "TOOL") setText(converted, "tool.name", present(source, "name"));
    if (kind === "AGENT") setText(converted, "agent.name", present(source, "name"));
  }
  setSide(converted, "output", present(source, "final_result"));
  setText(converted, "agent.name", present(source, "agent_name"));
  const tags = present(source, "logfire.tags");
  if (tags !== undefined) converted.set("tag.tags", tags);
  convertRun(source, converted);
  convertCall(source, converted);
}

/** All messages of a run: the last answer is its output, the last question before it its input. */
function convertRun(source: Source, converted: Converted): void {
  const all = objectsIn(present(source, "pydantic_ai.all_messages") ?? present(source, "all_messages_events"));
  if (all.length === 0) return;
  const last = all.at(-1)!;
  const isAnswered = last.role === "assistant";
  const asked = isAnswered ? all.slice(0, -1) : all;
  if (source.has("pydantic_ai.all_messages")) {
    const answer = { finish_reason: "stop", ...last };
    const messages = new Map<string, Json>([["gen_ai.input.messages", stringifyJson(asked.map(withResponses))]]);
    if (isAnswered) messages.set("gen_ai.output.messages", stringifyJson([answer]));
    convertMessages(messages, converted);
  } else {
    writeChatMessages(converted, INPUT_MESSAGES, asked.map(eventMessage));
    if (isAnswered) writeChatMessages(converted, OUTPUT_MESSAGES, [eventMessage(last)]);
  }
  const questions = asked.filter(({ role }) => role === "user").map(questionOf);
  setSide(
    converted,
    "input",
    questions.findLast((each) => each !== undefined),
  );
}

/** What a tool gave back is called `result` here, `response` by the conventions. */
function withResponses(message: JsonObject): JsonObject {
  const parts = objectsIn(message.parts).map((part) =>
    part.type === "tool_call_response" ? { response: part.result ?? null, ...part } : part,
  );
  return { ...message, parts };
}

/** A message that was written as an event in a list. */
function eventMessage(event: JsonObject): ChatMessage {
  const inner = isJsonObject(event.message) ? { ...event, ...event.message } : event;
  const name = scalarText(event["event.name"]) ?? "";
  return chatMessage(inner, /^gen_ai\.(\w+)\.message$/.exec(name)?.[1] ?? "assistant");
}

function questionOf(message: JsonObject): Json | undefined {
  if (typeof message.content === "string") return message.content;
  const texts = objectsIn(message.parts).filter(({ type, content }) => type === "text" && typeof content === "string");
  return texts.length === 0 ? undefined : texts.map(({ content }) => content as string).join("\n");
}

/** A call through a client of OpenAI or Anthropic, an agent's call of a model, or the events of a call. */
function convertCall(source: Source, converted: Converted): void {
  const request = objectIn(present(source, "request_data"));
  const response = objectIn(present(source, "response_data"));
  const events = objectsIn(present(source, "events"));
  const isModel = source.has("gen_ai.request.model");
  const own = (key: string) => (isModel ? objectsIn(present(source, key)) : []);
  const asked = [own("input"), objectsIn(request.messages)].find((each) => each.length > 0) ?? [];
  const answer = isJsonObject(response.message) ? [response.message] : own("output");
  const isAnswer = (event: JsonObject) => event["event.name"] === "gen_ai.choice";
  const inputs =
    asked.length > 0
      ? asked.map((each) => chatMessage(each, "user"))
      : events.filter((each) => !isAnswer(each)).map(eventMessage);
  const outputs =
    answer.length > 0
      ? answer.map((each) => chatMessage(each, "assistant"))
      : events.filter(isAnswer).map(eventMessage);
  if (!converted.has(`${INPUT_MESSAGES}.0.message.role`)) writeChatMessages(converted, INPUT_MESSAGES, inputs);
  if (!converted.has(`${OUTPUT_MESSAGES}.0.message.role`)) writeChatMessages(converted, OUTPUT_MESSAGES, outputs);
  const usage = objectIn(isModel ? present(source, "usage") : undefined);
  const input = objectIn(usage.input_tokens_details);
  setTokens(converted, "prompt_details.cache_read", input.cached_tokens);
  setTokens(converted, "completion_details.reasoning", objectIn(usage.output_tokens_details).reasoning_tokens);
}
