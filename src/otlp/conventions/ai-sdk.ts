// Spans of the Vercel AI SDK's own telemetry, versions 3 to 6 and the legacy integration of 7.
import { emptyObject, type Json } from "../../kernel/json.ts";
import { writeChatMessages } from "../genai/chat-message.ts";
import { INPUT_MESSAGES, OUTPUT_MESSAGES } from "../genai/messages.ts";
import { providerNames } from "../genai/providers.ts";
import { type Converted, present, scalarText } from "../genai/values.ts";
import { answerMessage, promptMessages } from "./ai-sdk-messages.ts";
import { setAssociations, setParameters, setSide, setText, setTokens, setTools } from "./converted.ts";
import { below, firstOf, objectsIn, type Source, structured } from "./source.ts";

const METADATA = "ai.telemetry.metadata.";
const SETTINGS = "ai.settings.";
/** Settings that are not sent to the model. */
const OWN_SETTINGS = /^(?:maxRetries|output|maxSteps|context\..*)$/;

const USAGE = [
  ["prompt", ["ai.usage.inputTokens", "ai.usage.promptTokens", "ai.usage.tokens"]],
  ["completion", ["ai.usage.outputTokens", "ai.usage.completionTokens"]],
  ["total", ["ai.usage.totalTokens"]],
  ["prompt_details.cache_read", ["ai.usage.inputTokenDetails.cacheReadTokens", "ai.usage.cachedInputTokens"]],
  ["prompt_details.cache_write", ["ai.usage.inputTokenDetails.cacheWriteTokens"]],
  ["completion_details.reasoning", ["ai.usage.outputTokenDetails.reasoningTokens", "ai.usage.reasoningTokens"]],
] as const;

export function convertAiSdk(source: Source, converted: Converted): void {
  const kind = kindOf(source);
  if (kind !== null) converted.set("openinference.span.kind", kind);
  if (kind === "TOOL") convertToolCall(source, converted);
  else if (kind === "EMBEDDING" || isEmbedding(source)) convertEmbedding(source, kind, converted);
  else convertModelCall(source, converted);
  convertModel(source, kind, converted);
  for (const [count, keys] of USAGE) setTokens(converted, count, firstOf(source, ...keys));
  setAssociations(converted, below(source, METADATA));
  if (kind === "AGENT") setText(converted, "agent.name", present(source, "ai.telemetry.functionId"));
}

/** A call of a program is an agent with its steps, the call of a model below it is named `.do…`. */
function kindOf(source: Source): string | null {
  const operation = scalarText(present(source, "ai.operationId"));
  if (operation === "ai.toolCall" || present(source, "ai.toolCall.name") !== undefined) return "TOOL";
  if (operation === undefined) return present(source, "ai.prompt.messages") === undefined ? null : "LLM";
  if (/\.do(?:Generate|Stream)$/.test(operation)) return "LLM";
  if (operation.endsWith(".doEmbed")) return "EMBEDDING";
  if (operation.endsWith(".doRerank")) return "RERANKER";
  if (/^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation)) return "AGENT";
  return /^ai\.(?:embed|embedMany|rerank)$/.test(operation) ? "CHAIN" : null;
}

function isEmbedding(source: Source): boolean {
  return firstOf(source, "ai.value", "ai.values") !== undefined;
}

function convertModel(source: Source, kind: string | null, converted: Converted): void {
  const isEmbedded = kind === "EMBEDDING" || isEmbedding(source);
  setText(converted, isEmbedded ? "embedding.model_name" : "llm.model_name", present(source, "ai.model.id"));
  // `openai.chat`: the provider, and which of its interfaces.
  const names = providerNames(scalarText(present(source, "ai.model.provider"))?.split(".")[0]);
  setText(converted, "llm.provider", names.provider);
  setText(converted, "llm.system", names.system);
  const parameters = emptyObject();
  for (const [name, value] of Object.entries(below(source, SETTINGS)))
    if (!OWN_SETTINGS.test(name)) parameters[name] = value;
  setParameters(converted, isEmbedded ? "embedding.invocation_parameters" : "llm.invocation_parameters", parameters);
  setText(converted, "llm.finish_reason", firstOf(source, "ai.response.finishReason", "ai.finishReason"));
}

function convertModelCall(source: Source, converted: Converted): void {
  const prompt = firstOf(source, "ai.prompt.messages", "ai.prompt", "ai.documents");
  setSide(converted, "input", prompt);
  writeChatMessages(converted, INPUT_MESSAGES, promptMessages(prompt));
  const text = firstOf(source, "ai.response.text", "ai.result.text");
  const object = firstOf(source, "ai.response.object", "ai.result.object");
  const calls = firstOf(source, "ai.response.toolCalls", "ai.result.toolCalls");
  setSide(converted, "output", text ?? object ?? calls ?? firstOf(source, "ai.ranking"));
  const answer = answerMessage(
    text ?? object,
    objectsIn(calls),
    present(source, "ai.response.reasoning"),
    firstOf(source, "ai.response.finishReason", "ai.finishReason"),
  );
  if (answer !== null) writeChatMessages(converted, OUTPUT_MESSAGES, [answer]);
  setTools(converted, objectsIn(present(source, "ai.prompt.tools")));
}

function convertToolCall(source: Source, converted: Converted): void {
  const args = present(source, "ai.toolCall.args");
  setText(converted, "tool.name", present(source, "ai.toolCall.name"));
  setText(converted, "tool.id", present(source, "ai.toolCall.id"));
  if (args !== undefined) converted.set("tool.parameters", args);
  setSide(converted, "input", args);
  setSide(converted, "output", present(source, "ai.toolCall.result"));
}

/** Texts and vectors come as JSON texts. The vectors stay with the span that asked the model for them. */
function convertEmbedding(source: Source, kind: string | null, converted: Converted): void {
  const texts = listOf(present(source, "ai.value"), present(source, "ai.values"));
  const vectors = listOf(present(source, "ai.embedding"), present(source, "ai.embeddings"));
  setSide(converted, "input", texts.length === 1 ? texts[0] : texts.length > 1 ? texts : undefined);
  if (kind !== "EMBEDDING") return;
  texts.forEach((text, i) => {
    const base = `embedding.embeddings.${i}.embedding`;
    setText(converted, `${base}.text`, text);
    if (Array.isArray(vectors[i])) converted.set(`${base}.vector`, vectors[i]);
  });
}

function listOf(one: Json | undefined, several: Json | undefined): Json[] {
  const list = one === undefined ? several : [one];
  return Array.isArray(list) ? list.map((text) => structured(text) ?? text) : [];
}
