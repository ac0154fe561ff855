// What a span looks like as an example: for model calls the conversation, for retrievers the documents, else its input and output.
import { emptyObject, isJsonObject, type Json, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import type { SpanKind } from "../../../../model/span.ts";

/** An annotation of the span. */
interface SpanExampleAnnotation {
  readonly name: string;
  readonly annotatorKind: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
}

export interface SpanExample {
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly metadata: JsonObject;
}

export function exampleOfSpan(
  kind: SpanKind,
  attributes: JsonObject,
  annotations: readonly SpanExampleAnnotation[],
): SpanExample {
  return {
    input: (kind === "LLM" ? modelInput(attributes) : null) ?? plainValue(attributes, "input"),
    output: outputOf(kind, attributes),
    metadata: {
      ...otherAttributes(attributes),
      ...ownMetadata(attributes),
      span_kind: kind,
      ...annotationsOf(annotations),
    },
  };
}

function outputOf(kind: SpanKind, attributes: JsonObject): JsonObject {
  if (kind === "LLM") {
    const messages = messagesIn(attributes, "output_messages");
    if (messages.length > 0) return { messages };
  }
  if (kind === "RETRIEVER") {
    const documents = listAt(attributes, "retrieval", "documents").map((each) => memberOf(each, "document") ?? each);
    if (documents.length > 0) return { documents };
  }
  return plainValue(attributes, "output");
}

/** Messages, the variables of the prompt beside them, and the tools; null where there are no messages. */
function modelInput(attributes: JsonObject): JsonObject | null {
  const messages = messagesIn(attributes, "input_messages");
  if (messages.length === 0) return null;
  const variables = objectOf(memberOf(memberOf(attributes.llm, "prompt_template"), "variables"));
  const tools = listAt(attributes, "llm", "tools").map(
    (each) => parsed(memberOf(memberOf(each, "tool"), "json_schema")) ?? each,
  );
  return { ...variables, messages, ...(tools.length === 0 ? {} : { tools }) };
}

function messagesIn(attributes: JsonObject, list: "input_messages" | "output_messages"): JsonObject[] {
  return listAt(attributes, "llm", list).flatMap((each) => {
    const message = memberOf(each, "message");
    return isJsonObject(message) ? [plainMessage(message)] : [];
  });
}

/** A message without the wrappers of its attributes. */
function plainMessage({ role, content, contents, tool_calls, ...others }: JsonObject): JsonObject {
  const parts = Array.isArray(contents) ? contents.map((each) => memberOf(each, "message_content") ?? each) : null;
  const calls = Array.isArray(tool_calls) ? tool_calls.map((each) => memberOf(each, "tool_call") ?? each) : null;
  return {
    ...(role === undefined ? {} : { role }),
    content: content ?? parts ?? null,
    ...(calls === null ? {} : { tool_calls: calls }),
    ...others,
  };
}

/** Input or output as it was sent: an object as it is, anything else under its name. */
function plainValue(attributes: JsonObject, side: "input" | "output"): JsonObject {
  const value = memberOf(attributes[side], "value");
  if (value === undefined || value === null) return emptyObject();
  const isJson = memberOf(attributes[side], "mime_type") === "application/json";
  const found = isJson ? (parsed(value) ?? value) : value;
  return isJsonObject(found) ? found : { [side]: found };
}

function ownMetadata(attributes: JsonObject): JsonObject {
  const { metadata } = attributes;
  if (metadata === undefined || metadata === null) return emptyObject();
  const found = parsed(metadata) ?? metadata;
  return isJsonObject(found) ? found : { metadata: found };
}

/** What is not shown elsewhere in the example. */
function otherAttributes({ input: _input, output: _output, metadata: _metadata, ...others }: JsonObject): JsonObject {
  const { llm, retrieval } = others;
  if (isJsonObject(llm)) {
    const { input_messages: _sent, output_messages: _answered, tools: _tools, prompt_template: _prompt, ...rest } = llm;
    others.llm = rest;
  }
  if (isJsonObject(retrieval)) {
    const { documents: _documents, ...rest } = retrieval;
    others.retrieval = rest;
  }
  for (const key of ["llm", "retrieval"]) {
    const value = others[key];
    if (isJsonObject(value) && Object.keys(value).length === 0) delete others[key];
  }
  return others;
}

function annotationsOf(annotations: readonly SpanExampleAnnotation[]): JsonObject {
  if (annotations.length === 0) return emptyObject();
  const byName = Map.groupBy(annotations, ({ name }) => name);
  return {
    annotations: Object.fromEntries(
      [...byName].map(([name, list]) => [
        name,
        list.map(({ annotatorKind, label, score, explanation, metadata }) => ({
          annotator_kind: annotatorKind,
          label,
          score,
          explanation,
          metadata: parseJson(metadata),
        })),
      ]),
    ),
  };
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function listAt(attributes: JsonObject, group: string, name: string): Json[] {
  const list = memberOf(attributes[group], name);
  return Array.isArray(list) ? list : [];
}

/** The JSON in a text; undefined if the text is not JSON. */
function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value;
  try {
    return parseJson(value);
  } catch {
    return undefined;
  }
}

function objectOf(value: Json | undefined): JsonObject {
  const found = parsed(value);
  return isJsonObject(found) ? found : emptyObject();
}
