// The readable text of the input or output of a run: out of messages only what is new in this run, out of JSON the text in its envelope.
import { isJsonObject, type Json } from "../../../../kernel/json.ts";
import { sideCard } from "./cards.ts";
import type { Message, Part, ToolCall } from "./messages.ts";
import { heldExcerpt, type Payload } from "./payload.ts";
import { unfolded } from "./values.ts";

export interface SideText {
  readonly parts: readonly Part[];
  /** Tool calls of the last message. */
  readonly calls: readonly ToolCall[];
}

/** Members that hold the text of an input or an output, most specific first. */
const envelopes: Readonly<Record<"input" | "output", readonly string[]>> = {
  input: ["input", "question", "query", "prompt", "user_input", "user_message", "message", "text", "content", "value"],
  output: ["output", "answer", "response", "result", "completion", "message", "text", "content", "value"],
};
/** Envelopes in envelopes that are opened. */
const MOST_OPENED = 3;

/** Null where nothing was recorded. */
export function sideTextOf(payload: Payload, side: "input" | "output"): SideText | null {
  const card = sideCard(payload, side);
  if (card === null) return null;
  if (card.messages.length > 0) return side === "input" ? lastAsked(card.messages) : lastAnswered(card.messages);
  if (card.prompts.length > 0) return withoutCalls(card.prompts.map(textPart));
  if (typeof card.json === "object" && card.json !== null) {
    const text = textInside(card.json, side, MOST_OPENED);
    return withoutCalls([text === null ? { type: "other", name: "json", value: card.json } : textPart(text)]);
  }
  const quoted = card.value === null || card.value.wholeBytes !== null ? null : unquoted(card.value.text);
  if (quoted !== null) return withoutCalls([textPart(quoted)]);
  return card.value === null ? null : withoutCalls([{ type: "text", excerpt: card.value }]);
}

/** The user's messages after the last answer; the whole conversation is sent along with every turn. */
function lastAsked(messages: readonly Message[]): SideText {
  const isAnswer = ({ role }: Message) => role === "assistant" || role === "tool";
  const fresh = messages.slice(messages.findLastIndex(isAnswer) + 1).filter(({ role }) => role === "user");
  const asked = fresh.length > 0 ? fresh : messages.filter(({ role }) => role === "user").slice(-1);
  return withoutCalls(spoken(asked.length > 0 ? asked : messages.slice(-1)));
}

function lastAnswered(messages: readonly Message[]): SideText {
  const answers = messages.filter(({ role }) => role === "assistant");
  const last = answers.at(-1) ?? messages.at(-1)!;
  return { parts: spoken([last]), calls: last.calls };
}

/** Thoughts are left to the trace. */
function spoken(messages: readonly Message[]): Part[] {
  return messages.flatMap(({ parts }) => parts.filter(({ type }) => type !== "reasoning"));
}

function withoutCalls(parts: readonly Part[]): SideText {
  return { parts, calls: [] };
}

function textPart(text: string): Part {
  return { type: "text", excerpt: heldExcerpt(text) };
}

/** The text of an object that holds one under one of the known names, or that holds nothing but one text. */
function textInside(value: Json, side: "input" | "output", depth: number): string | null {
  if (!isJsonObject(value) || depth === 0) return null;
  const only = Object.keys(value).length === 1 ? Object.values(value)[0] : undefined;
  for (const each of [...envelopes[side].map((name) => value[name]), only]) {
    if (each === undefined) continue;
    const inner = textInside(unfolded(each), side, depth - 1);
    if (inner !== null) return inner;
    if (typeof each === "string" && each !== "") return each;
  }
  return null;
}

/** A text that was sent as a JSON text. */
function unquoted(text: string): string | null {
  if (!/^\s*"[\s\S]*"\s*$/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
