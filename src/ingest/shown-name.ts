// What the pages call a span whose name is a template: the message that was made of it. The name stays, so that filters find all of a kind.
import type { JsonObject } from "../kernel/json.ts";
import { headOfCharacters } from "../model/attributes/text.ts";
import { SHOWN_NAME_CHARACTERS } from "../model/span.ts";
import { valueAt } from "./span-columns.ts";

/** At most SHOWN_NAME_CHARACTERS; null where the name says it. `attributes` are nested. */
export function shownNameOf(name: string, attributes: JsonObject): string | null {
  const message = valueAt(attributes, "logfire", "msg");
  if (typeof message !== "string" || message.trim() === "" || message === name) return null;
  // Elsewhere the message says less than the name: "weather_agent run".
  if (valueAt(attributes, "logfire", "msg_template") !== name) return null;
  return headOfCharacters(message, SHOWN_NAME_CHARACTERS);
}
