// What a span weighs: the one measure by which everything that holds spans on their way to the database is bounded.
import type { IncomingSpan } from "../model/span.ts";

/** The characters of its texts, with those of large values, which were cut out of the attributes: about the bytes that it
 *  takes in memory wherever that matters. */
export function weightOf({ attributes, events, extra, name, statusMessage, largeValues }: IncomingSpan): number {
  let weight = attributes.length + events.length + (extra?.length ?? 0) + name.length + statusMessage.length;
  for (const { text } of largeValues) weight += text.length;
  return weight;
}

/** All of them together. */
export function weightOfAll(spans: readonly IncomingSpan[]): number {
  return spans.reduce((sum, span) => sum + weightOf(span), 0);
}
