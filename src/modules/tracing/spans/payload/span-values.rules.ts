// What is shown of the attributes of a span: input and output as text, metadata, token details, documents, and the whole
// without the vectors of embeddings.
import { valueAt } from "../../../../ingest/span-columns.ts";
import { isJsonObject, type Json, type JsonObject, numberOf, stringifyJson } from "../../../../kernel/json.ts";
import { pythonText } from "../../../../model/attributes/python-text.ts";
import { headOfCharacters } from "../../../../model/attributes/text.ts";
import type { SpanKind } from "../../../../model/span.ts";

/** Characters of a preview at most, those of `CUT` included. */
const PREVIEW_CHARACTERS = 100;
const CUT = "...";

/** The preview of a text of which the first HEAD_CHARACTERS are known. */
export function previewOf(head: string): string {
  const whole = headOfCharacters(head, PREVIEW_CHARACTERS);
  return whole === head ? head : headOfCharacters(head, PREVIEW_CHARACTERS - CUT.length) + CUT;
}

interface ShownValue {
  readonly text: string;
  readonly mimeType: "text" | "json";
}

export function shownValue(attributes: JsonObject, side: "input" | "output"): ShownValue {
  const value = valueAt(attributes, side, "value") ?? "";
  const mimeType = valueAt(attributes, side, "mime_type") === "application/json" ? "json" : "text";
  // Clients know them as 1 and 0, not in Python's spelling.
  if (typeof value === "boolean") return { text: value ? "1" : "0", mimeType };
  return { text: pythonText(value), mimeType };
}

/** JSON text of the attributes, every vector of an embedding replaced by its size. */
export function attributesText(attributes: JsonObject): string {
  return stringifyJson(withoutVectors(attributes));
}

export function withoutVectors(attributes: JsonObject): JsonObject {
  const embeddings = valueAt(attributes, "embedding", "embeddings");
  if (!Array.isArray(embeddings)) return attributes;
  const shown = embeddings.map((embedding) => {
    if (!isJsonObject(embedding) || !isJsonObject(embedding.embedding)) return embedding;
    const { vector } = embedding.embedding;
    if (!Array.isArray(vector) || vector.length === 0) return embedding;
    return { ...embedding, embedding: { ...embedding.embedding, vector: `<${vector.length} dimensional vector>` } };
  });
  return { ...attributes, embedding: { ...(attributes.embedding as JsonObject), embeddings: shown } };
}

/** The value at `metadata`: a text as it is, else JSON text. */
export function metadataText(attributes: JsonObject): string | null {
  const { metadata } = attributes;
  if (metadata === undefined || metadata === null) return null;
  return typeof metadata === "string" ? metadata : stringifyJson(metadata);
}

export function documentCount(attributes: JsonObject, kind: SpanKind): number {
  const documents =
    kind === "RERANKER"
      ? valueAt(attributes, "reranker", "output_documents")
      : valueAt(attributes, "retrieval", "documents");
  return Array.isArray(documents) ? documents.length : 0;
}

/** One of the parts of the prompt count; null where it was not sent as a number. */
export function promptDetail(attributes: JsonObject, name: "cache_read" | "cache_write" | "audio"): number | null {
  const count = numberOf(valueAt(attributes, "llm", "token_count", "prompt_details", name));
  if (count === null || !Number.isFinite(count)) return null;
  // An attribute may hold any number, an answer only what a double counts exactly.
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(count)));
}

/** The message of a stored event: that of the exception, empty for any other. */
export function eventMessage(attributes: JsonObject): string {
  const message: Json | undefined = attributes["exception.message"];
  return typeof message === "string" ? message : "";
}
