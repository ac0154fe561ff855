// Attributes of instrumentations that do not write OpenInference are read as OpenInference (docs/conventions.md). One family after the
// other adds what neither the span itself nor a family before it says; what was sent is never changed.

import type { DecodedAttributes, DecodedEvent } from "../decoded/decoded.ts";
import { addTotal, convertGenAi, convertResponseIdentity, isGenAi } from "../genai/genai.ts";
import { hasMessages, INPUT_MESSAGES, OUTPUT_MESSAGES } from "../genai/messages.ts";
import type { Converted } from "../genai/values.ts";
import { convertAiSdk } from "./ai-sdk.ts";
import { convertClaudeCode } from "./claude-code.ts";
import { convertGenAiVariants } from "./gen-ai-variants.ts";
import { convertGoogleAdk } from "./google-adk.ts";
import { convertLangfuse } from "./langfuse.ts";
import { convertLangsmith } from "./langsmith.ts";
import { convertLogfire } from "./logfire.ts";
import type { Source } from "./source.ts";
import { convertTraceloop } from "./traceloop.ts";

const GEN_AI = 1;
const AI_SDK = 2;
const TRACELOOP = 4;
/** Names beside those of the conventions. */
const VARIANT = 8;
const LANGFUSE = 16;
const LANGSMITH = 32;
const LOGFIRE = 64;
const GOOGLE_ADK = 128;
const CLAUDE_CODE = 256;

/** Lists that are added whole or not at all, never between elements that are there. */
const LISTS = [INPUT_MESSAGES, OUTPUT_MESSAGES, "llm.tools", "embedding.embeddings", "retrieval.documents"];

/** The families that a key belongs to; 0 for most keys. */
function familiesOf(key: string): number {
  switch (key.charCodeAt(0)) {
    case 97: // a
      if (key.startsWith("ai.")) return AI_SDK;
      return key === "all_messages_events" ? LOGFIRE : 0;
    case 103: // g
      if (key.startsWith("gcp.vertex.agent.")) return GOOGLE_ADK;
      if (!isGenAi(key)) return 0;
      return key.startsWith("gen_ai.task.") ? GEN_AI | TRACELOOP : GEN_AI;
    case 108: // l
      if (key.startsWith("langfuse.")) return LANGFUSE;
      if (key.startsWith("langsmith.")) return LANGSMITH;
      return key.startsWith("logfire.") ? LOGFIRE : 0;
    case 111: // o
      return key === "operation.cost" ? VARIANT : 0;
    case 112: // p
      return key.startsWith("pydantic_ai.") ? LOGFIRE : 0;
    case 115: // s
      return key === "span.type" ? CLAUDE_CODE : 0;
    case 116: // t
      return key.startsWith("traceloop.") ? TRACELOOP : 0;
    default:
      return 0;
  }
}

/** Whether what becomes of a span with such a key depends on more than the key. */
export function isForeign(key: string): boolean {
  return familiesOf(key) !== 0;
}

/** Adds what the families that the span uses say in their words. */
export function convertConventions(attributes: DecodedAttributes, events: readonly DecodedEvent[]): void {
  let families = 0;
  for (const key of attributes.keys()) families |= familiesOf(key);
  for (const event of events) if (isGenAi(event.name)) families |= GEN_AI;
  if (families === 0) return;
  const uses = (family: number) => (families & family) !== 0;
  const hasOthers = (families & ~(GEN_AI | VARIANT)) !== 0;
  if (uses(LANGSMITH)) fill(attributes, convertLangsmith);
  if (uses(GEN_AI)) convertGenAi(attributes, events, !hasOthers);
  if (uses(GEN_AI | VARIANT)) fill(attributes, convertGenAiVariants);
  if (uses(AI_SDK)) fill(attributes, convertAiSdk);
  if (uses(GOOGLE_ADK)) fill(attributes, convertGoogleAdk);
  if (uses(CLAUDE_CODE)) fill(attributes, convertClaudeCode);
  if (uses(TRACELOOP)) fill(attributes, convertTraceloop);
  if (uses(LANGFUSE)) fill(attributes, convertLangfuse);
  if (uses(LOGFIRE)) fill(attributes, convertLogfire);
  if (uses(GEN_AI) && hasOthers) fill(attributes, convertResponseIdentity);
}

/** Adds what is absent: lists whole, a type only with its value, a sum only where its parts come from here. */
function fill(attributes: DecodedAttributes, convert: (source: Source, converted: Converted) => void): void {
  const converted: Converted = new Map();
  convert(attributes, converted);
  if (!converted.has("llm.token_count.total")) addTotal(converted);
  const keys = [...attributes.keys()];
  const has = (key: string) => (attributes.get(key) ?? null) !== null;
  const closed = LISTS.filter((list) => hasMessages(keys, list));
  for (const side of ["input", "output"]) if (has(`${side}.value`)) closed.push(`${side}`);
  if (has("llm.token_count.prompt") || has("llm.token_count.completion")) converted.delete("llm.token_count.total");
  if (hasMessages(keys, "metadata")) converted.delete("metadata");
  for (const [key, value] of converted) {
    if (!has(key) && !closed.some((namespace) => key.startsWith(namespace) && key.charAt(namespace.length) === "."))
      attributes.set(key, value);
  }
}
