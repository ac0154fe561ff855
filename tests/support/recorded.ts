// Recorded spans of real programs (tests/otlp/recorded), read as ingestion reads them.
import { type JsonObject, parseJson } from "../../src/kernel/json.ts";
import { flatten } from "../../src/model/attributes/flatten.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { otlpAttributes, otlpExport } from "./otlp-encode.ts";
import { plainSpan, roundTrip, type WireFormat, wireFormats } from "./otlp-request.ts";

interface RecordedSpan {
  readonly id: number;
  readonly parent: number | null;
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly events: readonly { readonly name: string; readonly attributes: Record<string, unknown> }[];
}

export interface Reading {
  readonly name: string;
  readonly span: IncomingSpan;
  /** What was added to the attributes that were sent, flat. */
  readonly added: Record<string, unknown>;
}

/** The attributes of every recorded span, of all recordings. */
export async function recordedAttributes(): Promise<Record<string, unknown>[]> {
  const files = [...new Bun.Glob("*.json").scanSync("tests/otlp/recorded")].sort();
  const all = await Promise.all(files.map((file) => Bun.file(`tests/otlp/recorded/${file}`).json()));
  return (all as { spans: RecordedSpan[] }[]).flatMap(({ spans }) => spans.map(({ attributes }) => attributes));
}

/** What becomes of every span of a recording. Fails where an attribute that was sent is not stored as it was. */
export async function readRecorded(file: string, format: WireFormat = "protobuf"): Promise<Reading[]> {
  const { spans } = (await Bun.file(`tests/otlp/recorded/${file}.json`).json()) as { spans: RecordedSpan[] };
  return spans.map(({ name, attributes, events }) => reading(name, attributes, events, format));
}

function reading(
  name: string,
  attributes: Record<string, unknown>,
  events: RecordedSpan["events"] = [],
  format: WireFormat = "protobuf",
): Reading {
  const request = otlpExport([
    {
      ...plainSpan,
      name,
      attributes: otlpAttributes(attributes),
      events: events.map((event) => ({ name: event.name, attributes: otlpAttributes(event.attributes) })),
    },
  ]);
  const [span] = roundTrip(request, format).spans;
  const stored = flatten(parseJson(span!.attributes) as JsonObject) as Record<string, unknown>;
  const sent = Object.keys(attributes);
  const isSent = (key: string) => sent.some((each) => key === each || key.startsWith(`${each}.`));
  // A large value is stored beside the attributes.
  for (const key of span!.largeValues.length > 0 ? [] : sent) {
    const value = JSON.stringify(stored[key]);
    const isKept = value === JSON.stringify(attributes[key]) || /metadata$|parameters$|variables$/.test(key);
    if (!isKept && !Number.isFinite(attributes[key])) throw new Error(`${name}: ${key} was sent otherwise`);
  }
  return { name, span: span!, added: Object.fromEntries(Object.entries(stored).filter(([key]) => !isSent(key))) };
}

/** What is added to a span with these attributes; the same over every wire format. */
export function addedTo(attributes: Record<string, unknown>): Record<string, unknown> {
  const [first, ...others] = wireFormats.map((format) => reading("span", attributes, [], format).added);
  for (const other of others)
    if (!Bun.deepEquals(first, other)) throw new Error("The wire formats are read differently");
  return first!;
}
