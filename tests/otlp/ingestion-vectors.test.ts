// Every row of tests/vectors/ingestion.json that decoding and normalising decide, through both encodings.
import { describe, expect, test } from "bun:test";
import { isJsonObject, isRawNumber, type Json, type JsonObject, parseJson } from "../../src/kernel/json.ts";
import { flatten } from "../../src/model/attributes/flatten.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { type OtlpAttribute, type OtlpExport, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { roundTrip } from "../support/otlp-request.ts";

interface Vector {
  readonly id: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly free?: string;
  readonly expect: JsonObject;
}

/** Overruled by protocol-additions 14: messages of the span's own are never completed from gen_ai. */
const OVERRULED = new Set(["genai/msg-native-interleave"]);

function ingest(request: OtlpExport, format: "protobuf" | "json"): IncomingSpan {
  const { spans, rejections } = roundTrip(request, format);
  expect(rejections).toEqual({ count: 0, message: "" });
  expect(spans).toHaveLength(1);
  return spans[0]!;
}

function spanOf(attributes: readonly OtlpAttribute[]): OtlpExport {
  return otlpExport([
    {
      traceId: "0123456789abcdef0123456789abcdef",
      spanId: "0123456789abcdef",
      name: "vector",
      startTimeUnixNano: "1700000000000000000",
      endTimeUnixNano: "1700000001000000000",
      attributes,
    },
  ]);
}

/** A form in which equal values are equal: numbers as marked text (1 apart from 1.0, without the sign of zero), JSON inside
 *  a text as its value. */
function comparable(value: Json): unknown {
  if (isRawNumber(value)) return { number: Number(value.rawJSON) + 0, text: value.rawJSON.replace(/^-(?=0\.0$)/, "") };
  if (typeof value === "number") return { number: value, text: String(value) };
  if (typeof value === "string" && /^[[{]/.test(value)) {
    try {
      return { json: comparable(parseJson(value)) };
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, comparable(member)]));
}

function spanKindShown(flat: JsonObject): Json {
  const kind = flat["openinference.span.kind"];
  return typeof kind === "string" ? kind : "UNKNOWN";
}

const { vectors } = parseJson(await Bun.file("tests/vectors/ingestion.json").text()) as unknown as {
  vectors: readonly Vector[];
};

describe.each(["protobuf", "json"] as const)("over %s", (format) => {
  test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (id, vector) => {
    // Raw numbers of the vector file are for the expectation; the request is plain JSON.
    const attributes = JSON.parse(JSON.stringify(vector.attributes)) as OtlpAttribute[];
    const span = ingest(spanOf(attributes), format);
    if (vector.free !== undefined || OVERRULED.has(id)) return;
    const expected = vector.expect;
    expect(span.kind).toBe(expected.column_kind as typeof span.kind);
    if (expected.token_counts !== undefined) {
      expect([span.promptTokens, span.completionTokens]).toEqual(expected.token_counts as number[]);
    }
    if (expected.attributes === undefined) return;
    const stored = parseJson(span.attributes) as JsonObject;
    expect(comparable(stored)).toEqual(comparable(expected.attributes));
    const rest = expected.rest as JsonObject | undefined;
    if (rest === undefined) return;
    const flat = flatten(stored);
    expect(spanKindShown(flat)).toEqual(rest.span_kind!);
    delete flat["openinference.span.kind"];
    expect(comparable(flat)).toEqual(comparable(rest.attributes!));
  });
});

interface SplicingVector {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly expect: { readonly span_kind: string; readonly attributes: JsonObject };
}

const additions = parseJson(await Bun.file("tests/vectors/additions.json").text()) as unknown as {
  groups: readonly { group: string; vectors: readonly SplicingVector[] }[];
};
const splicing = additions.groups.find(({ group }) => group === "gen-ai-splicing")!.vectors;

describe.each(["protobuf", "json"] as const)("messages of the span's own and converted ones, over %s", (format) => {
  test.each(splicing.map((vector) => [vector.name, vector] as const))("%s", (_name, vector) => {
    const span = ingest(spanOf(otlpAttributes(vector.attributes)), format);
    const stored = parseJson(span.attributes) as JsonObject;
    const flat = flatten(stored);
    const kind = spanKindShown(flat);
    for (const key of Object.keys(flat)) if (key.startsWith("gen_ai.")) delete flat[key];
    delete flat["openinference.span.kind"];
    expect(kind).toBe(vector.expect.span_kind);
    expect(comparable(flat)).toEqual(comparable(vector.expect.attributes));
  });
});
