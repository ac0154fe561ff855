// What messages that came as log records add to a span that is stored: what they would have added as its own events, and nothing else.
import { columnsOf } from "../../ingest/incoming-span.ts";
import { spanKindOf, valueAt } from "../../ingest/span-columns.ts";
import { isJsonObject, type JsonObject } from "../../kernel/json.ts";
import { flatten } from "../../model/attributes/flatten.ts";
import { separateLargeValues } from "../../model/attributes/large-values.ts";
import { AttributeTree } from "../../model/attributes/unflatten.ts";
import type { LargeValue, SpanColumns } from "../../model/span.ts";
import { coercedValue } from "../decoded/coerced-value.ts";
import type { DecodedAttributes, DecodedEvent } from "../decoded/decoded.ts";
import { convertGenAi } from "../genai/genai.ts";

/** Names of members from the top. */
export type FilledPath = readonly string[];

interface MessageFill {
  readonly attributes: JsonObject;
  /** Where values were added. */
  readonly paths: readonly FilledPath[];
  /** Those of them that were cut out of the attributes. */
  readonly largeValues: readonly LargeValue[];
  readonly columns: SpanColumns;
}

/** The span with all of its messages. Takes the stored attributes over, of which `filled` came from messages before. `previewsBefore` is what
 *  is returned where messages add nothing: attributes without their large values may lack it. */
export function fillWithMessages(
  attributes: JsonObject,
  filled: readonly FilledPath[],
  messages: readonly DecodedEvent[],
  previewsBefore: Pick<SpanColumns, "inputPreview" | "outputPreview">,
): MessageFill {
  const before = { input: spokenOf(attributes, "input"), output: spokenOf(attributes, "output") };
  for (const path of filled) removeAt(attributes, path);
  const paths: FilledPath[] = [];
  addAbsent(attributes, addedBy(attributes, messages), [], paths);
  const columns = columnsOf(attributes, spanKindOf(valueAt(attributes, "openinference", "span", "kind")));
  const isChanged = (side: "input" | "output") =>
    spokenOf(attributes, side).some((value, position) => value !== before[side][position]);
  return {
    columns: {
      ...columns,
      inputPreview: isChanged("input") ? columns.inputPreview : previewsBefore.inputPreview,
      outputPreview: isChanged("output") ? columns.outputPreview : previewsBefore.outputPreview,
    },
    largeValues: separateLargeValues(attributes),
    attributes,
    paths,
  };
}

/** Nested, as the attributes are. */
function addedBy(attributes: JsonObject, messages: readonly DecodedEvent[]): JsonObject {
  const own = Object.entries(flatten(attributes));
  const converted: DecodedAttributes = new Map(own);
  convertGenAi(converted, messages, true);
  for (const [key] of own) converted.delete(key);
  const tree = new AttributeTree();
  for (const [key, value] of converted) tree.add(key, coercedValue(key, value));
  return tree.toObject();
}

function addAbsent(target: JsonObject, added: JsonObject, path: FilledPath, paths: FilledPath[]): void {
  for (const [name, value] of Object.entries(added)) {
    const place = [...path, name];
    const present = target[name] ?? null;
    if (present === null) {
      target[name] = value;
      paths.push(place);
    } else if (isJsonObject(present) && isJsonObject(value)) addAbsent(present, value, place, paths);
  }
}

function removeAt(attributes: JsonObject, path: FilledPath): void {
  const container = path.length === 1 ? attributes : valueAt(attributes, ...path.slice(0, -1));
  if (isJsonObject(container)) delete container[path.at(-1)!];
}

/** The attributes that hold one side of a span; the same values until they are replaced. */
function spokenOf(attributes: JsonObject, side: "input" | "output") {
  return [valueAt(attributes, "llm", `${side}_messages`), valueAt(attributes, side, "value")];
}

/** Whether a large value, by its path, lies in one of these places. */
export function liesIn(largePath: string, places: readonly FilledPath[]): boolean {
  const path = JSON.parse(largePath) as (string | number)[];
  return places.some((place) => place.every((name, step) => path[step] === name));
}
