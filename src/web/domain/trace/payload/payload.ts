// The payload of one span as the server shows it: attributes, events, and which values came in part.
import { emptyObject, isJsonObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";

/** Keys and positions from `attributes` or `events` on. */
export type Place = readonly (string | number)[];

export interface Cut {
  /** Of the whole text in UTF-8; null for a list. */
  readonly bytes: number | null;
  /** Of the whole list; null for a text. */
  readonly items: number | null;
}

export interface Payload {
  readonly attributes: JsonObject;
  readonly events: readonly JsonObject[];
  /** By the JSON text of the place. */
  readonly cut: ReadonlyMap<string, Cut>;
}

/** What a request for a payload answers. */
interface PayloadAnswer {
  readonly attributes: string;
  readonly events: string;
  readonly cut: readonly { readonly path: string; readonly bytes: number | null; readonly items: number | null }[];
}

export function readPayload(answer: PayloadAnswer): Payload {
  const attributes = parseJson(answer.attributes);
  const events = parseJson(answer.events);
  return {
    attributes: isJsonObject(attributes) ? attributes : emptyObject(),
    events: Array.isArray(events) ? events.map((event) => (isJsonObject(event) ? event : emptyObject())) : [],
    cut: new Map(answer.cut.map(({ path, bytes, items }) => [path, { bytes, items }])),
  };
}

/** A text of a payload, maybe only its beginning. */
export interface Excerpt {
  readonly text: string;
  /** Where the whole can be read; null for a text that is held inside another one. */
  readonly place: Place | null;
  /** Bytes of the whole where this is its beginning, else null. */
  readonly wholeBytes: number | null;
}

export function excerptOf(payload: Payload, text: string, place: Place): Excerpt {
  const cut = payload.cut.size === 0 ? undefined : payload.cut.get(JSON.stringify(place));
  return { text, place, wholeBytes: cut?.bytes ?? null };
}

export function heldExcerpt(text: string): Excerpt {
  return { text, place: null, wholeBytes: null };
}
