// Observations of Langfuse's SDKs, which send them over OTLP.
import { isJsonObject, type Json, type JsonObject, numberOf } from "../../kernel/json.ts";
import { chatMessage, writeChatMessages } from "../genai/chat-message.ts";
import { INPUT_MESSAGES, OUTPUT_MESSAGES } from "../genai/messages.ts";
import { type Converted, present, scalarText } from "../genai/values.ts";
import { setAssociations, setDocuments, setParameters, setSide, setText, setTokens } from "./converted.ts";
import { below, firstOf, objectIn, objectsIn, type Source, structured } from "./source.ts";

const OBSERVATION = "langfuse.observation.";

const KINDS = new Map([
  ["generation", "LLM"],
  ["embedding", "EMBEDDING"],
  ["agent", "AGENT"],
  ["tool", "TOOL"],
  ["chain", "CHAIN"],
  ["span", "CHAIN"],
  ["retriever", "RETRIEVER"],
  ["evaluator", "EVALUATOR"],
  ["guardrail", "GUARDRAIL"],
]);

const USAGE = [
  ["prompt", ["input", "input_tokens", "prompt_tokens", "promptTokens"]],
  ["completion", ["output", "output_tokens", "completion_tokens", "completionTokens"]],
  ["total", ["total", "total_tokens", "totalTokens"]],
  ["prompt_details.cache_read", ["cache_read_input_tokens", "input_cached_tokens", "input_cache_read"]],
  ["prompt_details.cache_write", ["cache_creation_input_tokens", "input_cache_creation", "input_cache_write"]],
  ["completion_details.reasoning", ["output_reasoning_tokens", "output_reasoning", "reasoning_tokens"]],
] as const;

export function convertLangfuse(source: Source, converted: Converted): void {
  const kind = KINDS.get(scalarText(present(source, `${OBSERVATION}type`))?.toLowerCase() ?? "");
  if (kind !== undefined) converted.set("openinference.span.kind", kind);
  const input = firstOf(source, `${OBSERVATION}input`, "langfuse.trace.input");
  const output = firstOf(source, `${OBSERVATION}output`, "langfuse.trace.output");
  setSide(converted, "input", input);
  setSide(converted, "output", output);
  if (kind === "LLM") {
    writeChatMessages(
      converted,
      INPUT_MESSAGES,
      messagesOf(input).map((each) => chatMessage(each, "user")),
    );
    writeChatMessages(
      converted,
      OUTPUT_MESSAGES,
      messagesOf(output).map((each) => chatMessage(each, "assistant")),
    );
  }
  if (kind === "RETRIEVER") setDocuments(converted, objectsIn(output));
  convertModel(source, kind, converted);
  convertTrace(source, converted);
}

/** A list of messages, an object that holds one, or one message. */
function messagesOf(value: Json | undefined): JsonObject[] {
  const content = structured(value);
  if (Array.isArray(content)) return objectsIn(content).filter(isMessage);
  if (!isJsonObject(content)) return [];
  return isMessage(content) ? [content] : objectsIn(content.messages).filter(isMessage);
}

function isMessage({ role }: JsonObject): boolean {
  return typeof role === "string";
}

function convertModel(source: Source, kind: string | undefined, converted: Converted): void {
  const of = kind === "EMBEDDING" ? "embedding" : "llm";
  setText(converted, `${of}.model_name`, present(source, `${OBSERVATION}model.name`));
  const parameters = objectIn(present(source, `${OBSERVATION}model.parameters`));
  setParameters(converted, `${of}.invocation_parameters`, parameters);
  const usage = objectIn(present(source, `${OBSERVATION}usage_details`));
  for (const [count, names] of USAGE) for (const name of names) setTokens(converted, count, usage[name]);
  const costs = objectIn(present(source, `${OBSERVATION}cost_details`));
  for (const [name, key] of [
    ["input", "prompt"],
    ["output", "completion"],
    ["total", "total"],
  ] as const)
    if (numberOf(costs[name]) !== null) converted.set(`llm.cost.${key}`, costs[name]!);
  setText(converted, "llm.prompt_template.version", present(source, `${OBSERVATION}prompt.version`));
}

function convertTrace(source: Source, converted: Converted): void {
  setText(converted, "session.id", firstOf(source, "langfuse.session.id", "langfuse.trace.session_id"));
  setText(converted, "user.id", firstOf(source, "langfuse.user.id", "langfuse.trace.user_id"));
  const tags = present(source, "langfuse.trace.tags");
  if (tags !== undefined) converted.set("tag.tags", tags);
  setAssociations(
    converted,
    Object.assign(below(source, "langfuse.trace.metadata."), below(source, `${OBSERVATION}metadata.`)),
  );
}
