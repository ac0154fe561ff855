// What a coding agent that sends logs is to the service: one of its events becomes a turn, a model call, a tool, or nothing.
import { setSide } from "../../conventions/converted.ts";
import { addTotal } from "../../genai/genai.ts";
import type { Converted } from "../../genai/values.ts";
import { type AgentEvent, attributeText, countAt } from "./agent-event.ts";

/** What is added to the attributes of the event, which are kept as they were sent. */
export interface AgentStep {
  /** AGENT is the turn itself. */
  readonly kind: "AGENT" | "LLM" | "TOOL";
  readonly name: string;
  readonly startUs: number;
  readonly endUs: number;
  /** Why it failed, or null; empty where the reason is unknown. */
  readonly error: string | null;
  readonly added: Converted;
}

/** Reads the events of one session in one export, in their order. */
export type AgentReader = (event: AgentEvent) => AgentStep | null;

export interface Agent {
  /** What names of its events begin with, the dot included. */
  readonly prefix: string;
  /** Attributes with the id of a session, and with that of a turn: null where only time tells which turn an event belongs to. */
  readonly sessionAttribute: string;
  readonly turnAttribute: string | null;
  readonly userAttribute: string;
  createReader(): AgentReader;
}

const US_A_MILLISECOND = 1000;
/** What programs write in the place of a prompt that they keep to themselves. */
const WITHHELD = new Set(["<REDACTED>", "[REDACTED]"]);

/** A prompt of the user, which begins a turn. */
export function turnOf(event: AgentEvent, name: string): AgentStep {
  const added: Converted = new Map();
  const prompt = attributeText(event, "prompt");
  if (prompt !== undefined && !WITHHELD.has(prompt)) setSide(added, "input", prompt);
  return { kind: "AGENT", name, startUs: event.timeUs, endUs: event.timeUs, error: null, added };
}

interface ModelCall {
  readonly provider: string;
  /** Tokens with those that were read from a cache and written to it. */
  readonly prompt?: number;
  readonly completion?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/** A model call that ended with the event. */
export function modelCallOf(event: AgentEvent, name: string, call: ModelCall, error: string | null): AgentStep {
  const added: Converted = new Map();
  added.set("llm.provider", call.provider);
  added.set("llm.system", call.provider);
  const model = attributeText(event, "model");
  if (model !== undefined) added.set("llm.model_name", model);
  const counts = {
    prompt: call.prompt,
    completion: call.completion,
    "prompt_details.cache_read": call.cacheRead,
    "prompt_details.cache_write": call.cacheWrite,
    "completion_details.reasoning": call.reasoning,
  };
  for (const [count, tokens] of Object.entries(counts)) {
    const isDetail = count.includes("details");
    if (tokens !== undefined && (tokens > 0 || !isDetail)) added.set(`llm.token_count.${count}`, tokens);
  }
  addTotal(added);
  return { kind: "LLM", name, startUs: startOf(event), endUs: event.timeUs, error, added };
}

interface ToolCall {
  readonly name: string;
  readonly id?: string | undefined;
  /** Arguments, as JSON text or as text. */
  readonly input?: string | undefined;
  readonly output?: string | undefined;
}

/** A call of a tool that ended with the event. */
export function toolCallOf(event: AgentEvent, call: ToolCall, error: string | null): AgentStep {
  const added: Converted = new Map();
  added.set("tool.name", call.name);
  if (call.id !== undefined) added.set("tool.id", call.id);
  if (call.input !== undefined) {
    added.set("tool.parameters", call.input);
    setSide(added, "input", call.input);
  }
  setSide(added, "output", call.output);
  return { kind: "TOOL", name: call.name, startUs: startOf(event), endUs: event.timeUs, error, added };
}

function startOf(event: AgentEvent): number {
  return event.timeUs - countAt(event, "duration_ms") * US_A_MILLISECOND;
}
