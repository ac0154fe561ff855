import { describe, expect, test } from "bun:test";
import { isJsonObject, type Json, parseJson } from "../../src/kernel/json.ts";
import { flatten } from "../../src/model/attributes/flatten.ts";
import { decodeJson } from "../../src/otlp/decode/decode-json.ts";
import { decodeProtobuf } from "../../src/otlp/decode/decode-protobuf.ts";
import { MAX_ITEMS } from "../../src/otlp/decoded/decoded.ts";
import { codeOf } from "../support/failures.ts";
import { encodeOtlp, type OtlpValue, otlpAttributes, otlpExport, Writer } from "../support/otlp-encode.ts";
import {
  decodeBody,
  incomingFrom,
  plainSpan,
  roundTrip,
  storedAttributes,
  wireFormats,
} from "../support/otlp-request.ts";

function depthOf(value: Json): number {
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : null;
  return inner === null ? 0 : 1 + Math.max(0, ...inner.map(depthOf));
}

/** A span whose protobuf message is written by hand. */
function spanBytes(write: (writer: Writer) => void): Uint8Array {
  const writer = new Writer();
  writer.message(1, () => {
    writer.message(2, () => {
      writer.message(2, () => {
        writer.hex(1, plainSpan.traceId);
        writer.hex(2, plainSpan.spanId);
        write(writer);
      });
    });
  });
  return writer.finish();
}

const good = encodeOtlp(otlpExport([{ ...plainSpan, attributes: otlpAttributes({ a: "text", b: [1, { c: 2.5 }] }) }]));

describe("damaged protobuf", () => {
  test("a message cut off anywhere is one failure", () => {
    for (let end = 1; end < good.length; end += 1) {
      expect(codeOf(() => decodeProtobuf(good.subarray(0, end)))).toBe("otlp.undecodable invalid");
    }
  });

  test.each([
    ["field number 0", [0x00, 0x01]],
    ["a group", [0x0b, 0x0c]],
    ["a length beyond the end", [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ["an endless number", [0x08, ...new Array<number>(20).fill(0xff)]],
    ["a field that overruns its message", [0x0a, 0x02, 0x12, 0x05, 0, 0, 0, 0, 0]],
    ["text", [...Buffer.from("this is not protobuf")]],
  ])("%s", (_name, bytes) => {
    expect(codeOf(() => decodeProtobuf(Uint8Array.from(bytes)))).toBe("otlp.undecodable invalid");
  });

  test("known fields of another wire type and unknown fields are skipped", () => {
    const bytes = spanBytes((writer) => {
      writer.uintAlways(5, 7); // the name as a number
      writer.textAlways(7, "start time as text");
      writer.double(9, 1.5);
      writer.fixed32(100, 1);
      writer.textAlways(1000, "unknown");
      writer.text(5, "named");
    });
    expect(decodeBody(bytes, "protobuf").spans[0]).toMatchObject({ name: "named", startUs: 0, attributes: "{}" });
  });

  test("invalid UTF-8 becomes U+FFFD in keys, names and values", () => {
    const bad = Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62]);
    const bytes = spanBytes((writer) => {
      writer.bytes(5, bad);
      writer.message(9, () => {
        writer.bytes(1, bad);
        writer.message(2, () => writer.bytes(1, bad));
      });
    });
    const [span] = decodeBody(bytes, "protobuf").spans;
    expect(span!.name).toMatch(/^a\ufffd+b$/);
    expect(span!.attributes.isWellFormed()).toBe(true);
    expect(Object.entries(JSON.parse(span!.attributes))).toEqual([[span!.name, span!.name]]);
  });

  test("lists deeper than values may nest are kept as text", () => {
    let value: OtlpValue = { stringValue: "core" };
    for (let i = 0; i < 500; i += 1) value = { arrayValue: { values: [value] } };
    for (const format of wireFormats) {
      const { spans, rejections } = roundTrip(
        otlpExport([{ ...plainSpan, attributes: [{ key: "deep", value }] }, plainSpan]),
        format,
      );
      expect(rejections.count).toBe(0);
      expect(spans).toHaveLength(2);
      expect(depthOf(parseJson(spans[0]!.attributes))).toBe(129);
    }
  });

  test("nothing of a body is kept: its memory may be reused", () => {
    // "Aa" and "BB" have the same hash, so they share a place among the remembered texts.
    const body = Buffer.from(encodeOtlp(otlpExport([{ ...plainSpan, name: "Aa" }])));
    expect(decodeBody(body, "protobuf").spans[0]!.name).toBe("Aa");
    body.write("BB", body.indexOf("Aa"));
    expect(decodeBody(body, "protobuf").spans[0]!.name).toBe("BB");
  });

  test("a body of empty messages is refused before it fills the memory", () => {
    const flood = new Writer();
    flood.message(1, () => {
      flood.message(2, () => {
        for (let i = 0; i <= MAX_ITEMS; i += 1) flood.bytes(2, new Uint8Array(0));
      });
    });
    expect(codeOf(() => decodeProtobuf(flood.finish()))).toBe("otlp.too_many_items too_large");
  });
});

describe("damaged JSON", () => {
  test.each([
    "{",
    "[]",
    "5",
    '"text"',
    "null",
    '{"resourceSpans":5}',
    '{"resourceSpans":[5]}',
    '{"resourceSpans":[{"scopeSpans":"x"}]}',
  ])("%s is one failure", (text) => {
    expect(codeOf(() => decodeJson(Buffer.from(text)))).toBe("otlp.undecodable invalid");
  });

  test("nesting of any depth is a failure or a value, never a crash", () => {
    const open = '{"arrayValue":{"values":['.repeat(60_000);
    const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":${open}`;
    expect(codeOf(() => decodeJson(Buffer.from(body)))).toBe("otlp.undecodable invalid");
    const closed = `${body}${"]}}".repeat(60_000)}}],"traceId":"aa","spanId":"bb"},{"traceId":"aa","spanId":"cc"}]}]}]}`;
    const { spans, rejections } = decodeBody(Buffer.from(closed), "json");
    expect(rejections).toEqual({ count: 1, message: "An attribute value nests deeper than 2000 levels" });
    expect(spans.map((span) => span.spanKey)).toEqual(["cc"]);
  });

  test("one unreadable span is counted and named, the others are kept", () => {
    const spans = [
      { traceId: "zz", spanId: "01" },
      { traceId: "01", spanId: "02", attributes: [{ key: "n", value: { intValue: "many" } }] },
      { traceId: "01", spanId: "03", attributes: "none" },
      { traceId: "01", spanId: "04" },
    ];
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const exported = decodeBody(Buffer.from(body), "json");
    expect(exported.spans.map((span) => span.spanKey)).toEqual(["04"]);
    expect(exported.rejections).toEqual({
      count: 3,
      message:
        'The field "traceId" is not hexadecimal; The field "intValue" is not an integer; The field "attributes" is not a list of objects',
    });
  });

  test("names with underscores, names of enumerations, ids in any form and numbers without quotes are read", () => {
    const body = `{"resource_spans":[{"scope_spans":[{"spans":[{
      "trace_id":"AQIDBAUGBwgJCgsMDQ4PEA==","span_id":"ABCDEF0123456789","parent_span_id":"AQIDBAUGBwg=",
      "name":"n","kind":"SPAN_KIND_CLIENT","start_time_unix_nano":1700000000123456789,"end_time_unix_nano":"1700000001000000000",
      "status":{"code":"STATUS_CODE_ERROR"},"unknown":[{}],
      "attributes":[{"key":"i","value":{"int_value":9007199254740993}},{"key":"d","value":{"doubleValue":1}},
        {"key":"l","value":{"array_value":{"values":[{"bool_value":true},{"doubleValue":"NaN"},{}]}}}]}]}]}]}`;
    const [span] = decodeBody(Buffer.from(body), "json").spans;
    expect(span).toMatchObject({
      traceKey: "0102030405060708090a0b0c0d0e0f10",
      spanKey: "abcdef0123456789",
      parentKey: "0102030405060708",
      status: "ERROR",
      startUs: 1700000000123457,
      extra: '{"kind":3}',
      attributes: '{"i":9007199254740993,"d":1.0,"l":[true,null,null]}',
    });
  });

  test("lone surrogates and NUL become U+FFFD wherever they stand", () => {
    const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"aa","spanId":"bb","name":"\\ud83d\\u0000",
      "attributes":[{"key":"k\\udc00","value":{"kvlistValue":{"values":[{"key":"\\u0000","value":{"stringValue":"\\ud800x"}}]}}}],
      "events":[{"name":"e\\u0000","attributes":[{"key":"\\udfff","value":{"stringValue":"\\u0000"}}]}]}]}]}]}`;
    const [span] = decodeBody(Buffer.from(body), "json").spans;
    expect(span).toMatchObject({
      name: "\ufffd\ufffd",
      attributes: '{"k\ufffd":{"\ufffd":"\ufffdx"}}',
      events: '[{"name":"e\ufffd","timestamp":"1970-01-01T00:00:00+00:00","attributes":{"\ufffd":"\ufffd"}}]',
    });
  });
});

describe.each(wireFormats)("odd attributes over %s", (format) => {
  test("a key of 64 KB is kept", () => {
    const key = "k".repeat(65_536);
    expect(storedAttributes(otlpAttributes({ [key]: 1 }), format)).toEqual({ [key]: 1 });
  });

  test("a key of 10,000 segments is kept and reads back", () => {
    const key = new Array(10_000).fill("s").join(".");
    const stored = parseJson(incomingFrom({ attributes: otlpAttributes({ [key]: 1, other: 2 }) }, format).attributes);
    expect({ ...flatten(stored as never) }).toEqual({ [key]: 1, other: 2 });
    expect(depthOf(stored)).toBe(128);
  });

  test("keys named __proto__ are members like any other", () => {
    const attributes = [
      { key: "__proto__.x", value: { intValue: "1" } },
      { key: "o", value: { kvlistValue: { values: [{ key: "__proto__", value: { stringValue: "v" } }] } } },
      { key: "metadata", value: { stringValue: '{"__proto__":{"y":1}}' } },
    ];
    expect(incomingFrom({ attributes }, format).attributes).toBe(
      '{"__proto__":{"x":1},"o":{"__proto__":"v"},"metadata":{"__proto__":{"y":1}}}',
    );
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test("NaN and the infinities are null where they stand", () => {
    const attributes = [
      { key: "n", value: { doubleValue: "NaN" } },
      { key: "l", value: { arrayValue: { values: [{ doubleValue: "Infinity" }, { doubleValue: 1.5 }] } } },
    ];
    expect(storedAttributes(attributes, format)).toEqual({ n: null, l: [null, 1.5] });
  });

  test("NUL in names, status, events and ids of sessions", () => {
    const span = incomingFrom(
      {
        name: "a\0",
        status: { code: 2, message: "\0" },
        events: [{ name: "\0", attributes: otlpAttributes({ "k\0": "\0" }) }],
        attributes: otlpAttributes({ "session.id": "s\0" }),
      },
      format,
    );
    expect(JSON.stringify(span)).not.toContain("\\u0000");
    expect(span.sessionKey).toBe("s\ufffd");
  });

  test("JSON text deeper than the databases read stays text", () => {
    const text = "[".repeat(5000) + "]".repeat(5000);
    expect(storedAttributes(otlpAttributes({ metadata: text, "gen_ai.input.messages": text }), format)).toMatchObject({
      metadata: text,
    });
  });

  test("ids that no index holds reject their span by name, the others are kept", () => {
    const { spans, rejections } = roundTrip(
      otlpExport([
        { ...plainSpan, spanId: "ab".repeat(600) },
        plainSpan,
        { ...plainSpan, parentSpanId: "cd".repeat(600) },
      ]),
      format,
    );
    expect(spans).toHaveLength(1);
    expect(rejections.count).toBe(2);
    expect(rejections.message).toContain("The span id");
    expect(rejections.message).toContain("The parent span id");
  });
});
