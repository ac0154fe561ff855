// What OpenTelemetry says about a span besides the attributes: kept as JSON in column `extra`, so that nothing that was sent
// is lost. Member names are those of OTLP with underscores.
import { type JsonObject, stringifyJson } from "../../kernel/json.ts";
import type { DecodedLink, DecodedResource, DecodedScope, DecodedSpan } from "./decoded.ts";
import { plainAttributes } from "./events.ts";

/** A resource or scope is repeated in each of its spans. A longer one keeps only the attributes that fit, or a request of
 *  tiny spans under one huge resource would grow without bound. */
const MAX_SHARED_CHARACTERS = 8192;

/** The members that all spans of a scope share, as JSON text without the braces; empty when there is nothing to keep. */
export function sharedExtra(resource: Omit<DecodedResource, "scopes">, scope: Omit<DecodedScope, "spans">): string {
  const members = [
    sharedMember("resource", resource, resource.schemaUrl, {}),
    sharedMember("scope", scope, scope.schemaUrl, { name: scope.name, version: scope.version }),
  ];
  return members.filter((member) => member !== "").join(",");
}

function sharedMember(
  name: string,
  owner: Omit<DecodedResource, "scopes"> | Omit<DecodedScope, "spans">,
  schemaUrl: string,
  texts: Record<string, string>,
): string {
  const object: JsonObject = {};
  for (const [key, text] of Object.entries({ ...texts, schema_url: schemaUrl })) {
    if (text !== "" && text.length <= MAX_SHARED_CHARACTERS) object[key] = text;
  }
  const attributes = plainAttributes(owner.attributes);
  let dropped = owner.droppedAttributes;
  let remaining = MAX_SHARED_CHARACTERS;
  for (const key of Object.keys(attributes)) {
    remaining -= key.length + stringifyJson(attributes[key]!).length;
    if (remaining >= 0) continue;
    delete attributes[key];
    dropped += 1;
  }
  if (Object.keys(attributes).length > 0) object.attributes = attributes;
  if (dropped > 0) object.dropped_attributes_count = dropped;
  return Object.keys(object).length === 0 ? "" : `"${name}":${stringifyJson(object)}`;
}

/** JSON text of everything kept of a span, or null. `shared` comes from `sharedExtra`. */
export function extraText(span: DecodedSpan, shared: string): string | null {
  let own = "";
  if (span.kind !== 0) own += `,"kind":${span.kind}`;
  if (span.flags !== 0) own += `,"flags":${span.flags}`;
  if (span.traceState !== "") own += `,"trace_state":${stringifyJson(span.traceState)}`;
  if (span.links.length > 0) own += `,"links":${stringifyJson(span.links.map(storedLink))}`;
  if (span.droppedAttributes !== 0) own += `,"dropped_attributes_count":${span.droppedAttributes}`;
  if (span.droppedEvents !== 0) own += `,"dropped_events_count":${span.droppedEvents}`;
  if (span.droppedLinks !== 0) own += `,"dropped_links_count":${span.droppedLinks}`;
  if (own === "") return shared === "" ? null : `{${shared}}`;
  // Concatenation lets all spans of a scope share the text in memory, where cutting or joining would copy it.
  return shared === "" ? `{${own.slice(1)}}` : `{${own.slice(1)},${shared}}`;
}

function storedLink(link: DecodedLink): JsonObject {
  const stored: JsonObject = { trace_id: link.traceId, span_id: link.spanId };
  if (link.traceState !== "") stored.trace_state = link.traceState;
  if (link.attributes.size > 0) stored.attributes = plainAttributes(link.attributes);
  if (link.droppedAttributes !== 0) stored.dropped_attributes_count = link.droppedAttributes;
  if (link.flags !== 0) stored.flags = link.flags;
  return stored;
}
