// What a span did, read from its payload: the arguments, messages and answer that tell whether it repeats another.
import { digestOf } from "../../../analysis/digest.ts";
import { readSpanFailure } from "../../../analysis/failures/read-failure.ts";
import { callKey } from "../../../analysis/loops/call-key.ts";
import type { WorkSpan } from "../../../analysis/loops/waste.ts";
import { valueAt } from "../../../ingest/span-columns.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../kernel/json.ts";
import type { AnalysedSpan } from "./analysed-spans.schema.ts";

type Work = Pick<WorkSpan, "arguments" | "messages" | "output" | "failure">;

interface Payload {
  readonly attributes: JsonObject;
  readonly events: readonly Json[];
}

export const NO_WORK: Work = { arguments: null, messages: null, output: null, failure: null };

/** Digests: values may be large, and only whether they are equal matters. */
export function workOf(span: AnalysedSpan, { attributes, events }: Payload): Work {
  const failure = readSpanFailure(span, attributes, [...events])?.fingerprint ?? null;
  if (span.kind === "TOOL")
    return { ...NO_WORK, arguments: argumentsOf(attributes), output: answerOf(attributes), failure };
  return { ...NO_WORK, messages: messagesOf(attributes), output: answerOf(attributes), failure };
}

/** Those that can repeat another: tools that are called more than once, and models where they are. */
export function mayRepeat(spans: readonly AnalysedSpan[]): readonly AnalysedSpan[] {
  const counts = new Map<string, number>();
  const keyOf = ({ kind, name }: AnalysedSpan) => (kind === "LLM" ? "LLM" : `${kind}:${name}`);
  for (const span of spans) counts.set(keyOf(span), (counts.get(keyOf(span)) ?? 0) + 1);
  return spans.filter((span) => (span.kind === "TOOL" || span.kind === "LLM") && counts.get(keyOf(span))! > 1);
}

/** A digest that is no JSON, so that it is read as a text; null without arguments. */
function argumentsOf(attributes: JsonObject): string | null {
  const given = valueAt(attributes, "input", "value") ?? valueAt(attributes, "tool_call", "function", "arguments");
  const key = callKey("", given);
  return key === null ? null : `#${digestOf([key])}`;
}

function messagesOf(attributes: JsonObject): readonly string[] | null {
  const messages = valueAt(attributes, "llm", "input_messages");
  if (Array.isArray(messages) && messages.length > 0) return messages.map(messageDigest);
  const input = digestIn(valueAt(attributes, "input", "value"));
  return input === null ? null : [input];
}

function answerOf(attributes: JsonObject): string | null {
  const messages = valueAt(attributes, "llm", "output_messages");
  if (Array.isArray(messages) && messages.length > 0) return digestOf(messages.map(messageDigest));
  return digestIn(valueAt(attributes, "output", "value"));
}

function digestIn(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return digestOf([typeof value === "string" ? value : stringifyJson(value)]);
}

/** Without the ids of calls, which differ each time. */
function messageDigest(each: Json): string {
  const message = isJsonObject(each) ? each.message : each;
  if (!isJsonObject(message)) return digestOf([stringifyJson(each)]);
  const { tool_call_id: _id, tool_calls: calls, ...rest } = message;
  const functions = Array.isArray(calls)
    ? calls.map((call) => valueAt(isJsonObject(call) ? call : {}, "tool_call", "function") ?? null)
    : [];
  return digestOf([stringifyJson(rest), stringifyJson(functions)]);
}
