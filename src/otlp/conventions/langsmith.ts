// Runs of LangSmith's SDK, which sends them over OTLP beside roughly named `gen_ai.*`: a retriever there is an embedding. That is
// why these spans are read before `gen_ai.*`.
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { type ChatMessage, chatMessage, writeChatMessages } from "../genai/chat-message.ts";
import { INPUT_MESSAGES, OUTPUT_MESSAGES } from "../genai/messages.ts";
import { providerNames } from "../genai/providers.ts";
import { type Converted, present, scalarText } from "../genai/values.ts";
import { setAssociations, setDocuments, setParameters, setSide, setText, setTokens } from "./converted.ts";
import { below, objectIn, objectsIn, type Source, structured } from "./source.ts";

const KINDS = new Map([
  ["llm", "LLM"],
  ["chain", "CHAIN"],
  ["tool", "TOOL"],
  ["retriever", "RETRIEVER"],
  ["embedding", "EMBEDDING"],
  ["prompt", "PROMPT"],
  ["parser", "CHAIN"],
]);
/** How messages of LangChain are called by their class or type. */
const ROLES = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
]);
/** What the SDK itself writes among the metadata of a run. */
const OWN = /^(?:ls_|LANGSMITH_|LANGCHAIN_|usage_metadata$)/;

export function convertLangsmith(source: Source, converted: Converted): void {
  const kind = KINDS.get(scalarText(present(source, "langsmith.span.kind"))?.toLowerCase() ?? "");
  if (kind !== undefined) converted.set("openinference.span.kind", kind);
  const input = present(source, "gen_ai.prompt");
  const output = present(source, "gen_ai.completion");
  setSide(converted, "input", input);
  setSide(converted, "output", bareOutput(output));
  if (kind === "LLM") {
    writeChatMessages(converted, INPUT_MESSAGES, messagesIn(objectIn(input).messages, "user"));
    writeChatMessages(converted, OUTPUT_MESSAGES, answersIn(objectIn(output)));
  }
  if (kind === "TOOL") setText(converted, "tool.name", present(source, "langsmith.trace.name"));
  if (kind === "RETRIEVER") setDocuments(converted, objectsIn(objectIn(output).output ?? objectIn(output).documents));
  convertMetadata(below(source, "langsmith.metadata."), converted);
  const tags = scalarText(present(source, "langsmith.span.tags"));
  if (tags)
    converted.set(
      "tag.tags",
      tags.split(",").map((tag) => tag.trim()),
    );
}

/** A result that is no object is wrapped as `output`. */
function bareOutput(value: Json | undefined): Json | undefined {
  const { output, ...rest } = objectIn(value);
  return typeof output === "string" && Object.keys(rest).length === 0 ? output : value;
}

function convertMetadata(metadata: JsonObject, converted: Converted): void {
  const pairs = emptyObject();
  for (const [name, value] of Object.entries(metadata)) if (!OWN.test(name)) pairs[name] = value;
  setAssociations(converted, pairs);
  const provider = scalarText(metadata.ls_provider);
  const names = provider === undefined ? {} : providerNames(provider);
  setText(converted, "llm.provider", names.provider);
  setText(converted, "llm.system", names.system);
  setText(converted, "llm.model_name", metadata.ls_model_name);
  const parameters = objectIn(metadata.ls_invocation_params);
  for (const name of ["temperature", "max_tokens", "stop"]) {
    const value = metadata[`ls_${name}`];
    if (value !== undefined) parameters[name] ??= value;
  }
  setParameters(converted, "llm.invocation_parameters", parameters);
  const usage = objectIn(metadata.usage_metadata);
  const input = objectIn(usage.input_token_details);
  setTokens(converted, "prompt", usage.input_tokens);
  setTokens(converted, "completion", usage.output_tokens);
  setTokens(converted, "total", usage.total_tokens);
  setTokens(converted, "prompt_details.cache_read", input.cache_read);
  setTokens(converted, "prompt_details.cache_write", input.cache_creation);
  setTokens(converted, "completion_details.reasoning", objectIn(usage.output_token_details).reasoning);
}

/** Messages of chat APIs or of LangChain, a list of them or a list in a list. */
function messagesIn(value: Json | undefined, role: string): ChatMessage[] {
  const list = structured(value);
  if (!Array.isArray(list)) return [];
  return list
    .flat()
    .filter(isJsonObject)
    .map((each) => readMessage(each, role));
}

function readMessage(value: JsonObject, role: string): ChatMessage {
  const inner = isJsonObject(value.kwargs) ? value.kwargs : value;
  const type = scalarText(inner.type) ?? className(value.id);
  const message = chatMessage(inner, ROLES.get(type) ?? role);
  return { ...message, toolCallId: message.toolCallId ?? scalarText(inner.tool_call_id), toolCalls: callsOf(inner) };
}

/** `["langchain", "schema", "messages", "HumanMessage"]` is `human`. */
function className(id: Json | undefined): string {
  const last = Array.isArray(id) ? scalarText(id.at(-1)) : undefined;
  return (last ?? "").replace(/Message(?:Chunk)?$/, "").toLowerCase();
}

function callsOf(message: JsonObject): JsonObject[] {
  return objectsIn(message.tool_calls).map((call) => {
    const inner = isJsonObject(call.function) ? call.function : call;
    return { id: call.id ?? null, name: inner.name ?? null, arguments: inner.arguments ?? inner.args ?? null };
  });
}

/** The answers of a completion of a chat API, or of LangChain's generations. */
function answersIn(output: JsonObject): ChatMessage[] {
  const generations = structured(output.generations);
  const answers = Array.isArray(generations) ? generations.flat().filter(isJsonObject) : objectsIn(output.choices);
  return answers.flatMap((each) => {
    if (!isJsonObject(each.message)) return [];
    return [{ ...readMessage(each.message, "assistant"), finishReason: scalarText(each.finish_reason) }];
  });
}
