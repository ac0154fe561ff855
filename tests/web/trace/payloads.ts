// Payloads for the tests of the cards.
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { type Payload, readPayload } from "../../../src/web/domain/trace/payload/payload.ts";

export function payload(
  attributes: Json,
  events: Json = [],
  cut: readonly (readonly [string, number])[] = [],
): Payload {
  return readPayload({
    attributes: JSON.stringify(attributes),
    events: JSON.stringify(events),
    cut: cut.map(([path, bytes]) => ({ path, bytes, items: null })),
  });
}

/** Attributes of a model call with these input messages, each the inside of `message`. */
export function call(...messages: readonly JsonObject[]): JsonObject {
  return { llm: { input_messages: messages.map((message) => ({ message })) } };
}
