// Reads the signature of a failure from the attributes and events of a span. Spans without a failure are not read.
import { isJsonObject, type Json, type JsonObject, numberOf, stringifyJson } from "../../kernel/json.ts";
import type { SpanKind, SpanStatus } from "../../model/span.ts";
import type { FailureEvidence, RecordedException } from "./failure-evidence.ts";
import { silentFailureOf } from "./silent-failures.ts";
import { type SpanFailure, spanFailureOf } from "./span-failure.ts";

interface EndedSpan {
  readonly kind: SpanKind;
  readonly name: string;
  readonly status: SpanStatus;
  readonly statusMessage: string;
}

/** The failure of a span with its nested attributes and the list of its events; null of one that did not fail. */
export function readSpanFailure(span: EndedSpan, attributes: JsonObject, events: Json): SpanFailure | null {
  if (span.status === "ERROR") return spanFailureOf({ ...evidenceOfError(span, attributes, events), ...span });
  const { kind } = span;
  if (kind !== "LLM" && !isAnswering(kind)) return null;
  return spanFailureOf({ ...noEvidence, ...(kind === "LLM" ? answerOf(attributes) : resultOf(attributes)), ...span });
}

/** Whether a span of that kind fails though its status may not tell. */
export function failsSilently(kind: SpanKind, attributes: JsonObject): boolean {
  const evidence = kind === "LLM" ? answerOf(attributes) : isAnswering(kind) ? resultOf(attributes) : null;
  return evidence !== null && silentFailureOf({ ...noEvidence, ...evidence, kind }) !== null;
}

/** Kinds whose results tell, besides calls of models. */
function isAnswering(kind: SpanKind): boolean {
  return kind === "TOOL" || kind === "GUARDRAIL";
}

type Evidence = Omit<FailureEvidence, keyof EndedSpan>;

/** Of a span that says nothing about a failure. */
export const noEvidence: Evidence = {
  exceptions: [],
  errorType: null,
  httpStatus: null,
  toolName: null,
  finishReasons: [],
  output: null,
  toolArguments: [],
  callsTools: false,
  asksForJson: false,
};

function evidenceOfError({ kind }: EndedSpan, attributes: JsonObject, events: Json): Evidence {
  const status =
    numberOf(at(attributes, "http", "response", "status_code")) ?? numberOf(at(attributes, "http", "status_code"));
  return {
    ...noEvidence,
    exceptions: exceptionsIn(events),
    errorType: textAt(attributes, "error", "type"),
    httpStatus: status !== null && status >= 400 && status <= 599 ? status : null,
    toolName: kind === "TOOL" ? textAt(attributes, "tool", "name") : null,
  };
}

function exceptionsIn(events: Json): readonly RecordedException[] {
  if (!Array.isArray(events)) return [];
  return events.flatMap((event) => {
    if (!isJsonObject(event) || event.name !== "exception") return [];
    const attributes = event.attributes;
    const member = (name: string) => textAt(attributes, `exception.${name}`) ?? textAt(attributes, "exception", name);
    return [{ type: member("type"), message: member("message") ?? "", stackTrace: member("stacktrace") }];
  });
}

function resultOf(attributes: JsonObject): Partial<Evidence> {
  return { output: textAt(attributes, "output", "value"), toolName: textAt(attributes, "tool", "name") };
}

function answerOf(attributes: JsonObject): Partial<Evidence> {
  const messages = at(attributes, "llm", "output_messages");
  const calls: Json[] = [];
  const texts: string[] = [];
  let finishReasons = textsOf(at(attributes, "llm", "finish_reason"));
  for (const each of Array.isArray(messages) ? messages : []) {
    const message = at(each, "message");
    const list = at(message, "tool_calls");
    if (Array.isArray(list)) calls.push(...list);
    if (textAt(message, "function_call_name") !== null) calls.push(message!);
    texts.push(...contentOf(message));
    if (finishReasons.length === 0) finishReasons = textsOf(at(message, "finish_reason"));
  }
  const recorded = Array.isArray(messages) && messages.length > 0;
  return {
    finishReasons,
    output: recorded ? texts.join("\n") : at(attributes, "output", "value") === "" ? "" : null,
    toolArguments: calls.flatMap((call) => textAt(call, "tool_call", "function", "arguments") ?? []),
    callsTools: calls.length > 0,
    asksForJson: asksForJson(attributes),
  };
}

/** What a message holds besides calls of tools. A picture or another part without a text counts as an answer. */
function contentOf(message: Json | undefined): readonly string[] {
  const content = at(message, "content");
  if (typeof content === "string") return [content];
  const parts = at(message, "contents");
  if (!Array.isArray(parts)) return [];
  return parts.map((part) => textAt(part, "message_content", "text") ?? stringifyJson(part));
}

/** Of OpenAI and those who took over its interface, of Google, and of Ollama. */
function asksForJson(attributes: JsonObject): boolean {
  const written = at(attributes, "llm", "invocation_parameters");
  const parameters = typeof written === "string" ? parametersIn(written) : written;
  if (!isJsonObject(parameters)) return false;
  const formats = [at(parameters, "response_format"), at(parameters, "text", "format"), at(parameters, "format")];
  if (formats.some((format) => /^json/.test(textOf(at(format, "type")) ?? textOf(format) ?? ""))) return true;
  const type =
    textAt(parameters, "response_mime_type") ??
    textAt(parameters, "responseMimeType") ??
    textAt(parameters, "generation_config", "response_mime_type");
  return type === "application/json";
}

/** Hardly any call asks for JSON: its parameters are read only where they name it. */
function parametersIn(text: string): Json {
  if (!text.includes("json")) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let found = value;
  for (const key of keys) {
    if (typeof found !== "object" || found === null || Array.isArray(found) || !Object.hasOwn(found, key))
      return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

function textAt(value: Json | undefined, ...keys: readonly string[]): string | null {
  return textOf(at(value, ...keys));
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function textsOf(value: Json | undefined): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => textOf(each) ?? []);
}
