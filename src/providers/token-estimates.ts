// The most tokens that a call can take, estimated from its request before it is sent: for limits and estimates, never for a bill.
import { isJsonObject, type Json, type JsonObject, numberOf } from "../kernel/json.ts";
import { MAX_TOKENS_PER_SPAN } from "../model/span.ts";
import type { CallPart, ModelCall } from "./model-call.ts";
import { wireRequest } from "./wires/wires.ts";

/** Tokenizers make fewer tokens of almost every text: about four bytes each of English, three of Chinese. */
const BYTES_PER_TOKEN = 3;
/** Of the largest images that models look at in detail. */
const TOKENS_PER_IMAGE = 2000;
/** Where a call states no maximum. Answers of most models are shorter; a longer one counts when it is there. */
const UNSTATED_OUTPUT_TOKENS = 8192;
/** Where the protocols state the maximum, from the top of the body. */
const MAXIMA: readonly (readonly string[])[] = [
  ["max_completion_tokens"],
  ["max_tokens"],
  ["max_output_tokens"],
  ["generationConfig", "maxOutputTokens"],
  ["inferenceConfig", "maxTokens"],
];
const ANSWERS: readonly (readonly string[])[] = [["n"], ["generationConfig", "candidateCount"]];

interface EstimatedTokens {
  readonly prompt: number;
  /** Of all answers that the call asks for. */
  readonly completion: number;
}

/** Throws kind `invalid` for a call that cannot be put into the wire. */
export function estimateTokens(call: ModelCall): EstimatedTokens {
  const { body } = wireRequest(call);
  const images = call.messages.flatMap(({ content }) => (typeof content === "string" ? [] : content.filter(isImage)));
  const imageBytes = images.reduce((sum, { url }) => sum + url.length, 0);
  const bytes = Math.max(0, Buffer.byteLength(JSON.stringify(body)) - imageBytes);
  return {
    prompt: tokensOfBytes(bytes) + images.length * TOKENS_PER_IMAGE,
    completion: Math.min(
      MAX_TOKENS_PER_SPAN,
      (highest(body, MAXIMA) ?? UNSTATED_OUTPUT_TOKENS) * Math.max(1, highest(body, ANSWERS) ?? 1),
    ),
  };
}

/** Of a text that a model wrote. */
export function estimateTextTokens(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}

function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function isImage(part: CallPart): part is Extract<CallPart, { readonly type: "image" }> {
  return part.type === "image";
}

/** The highest of the numbers at these places; null where there is none. */
function highest(body: JsonObject, places: readonly (readonly string[])[]): number | null {
  const found = places.flatMap((place) => {
    const value = place.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), body);
    const number = numberOf(value) ?? 0;
    return number > 0 ? [Math.min(number, MAX_TOKENS_PER_SPAN)] : [];
  });
  return found.length === 0 ? null : Math.ceil(Math.max(...found));
}
