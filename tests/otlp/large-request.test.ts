// Requests that are decoded in parts: each part weighs little whatever the whole does, and the whole is the same.
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { weightOf, weightOfAll } from "../../src/ingest/span-weight.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { type DecodeRequest, decodeInParts } from "../../src/otlp/decode/export.ts";
import { failureOf } from "../support/failures.ts";
import { encodeOtlp, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import {
  decodeBody,
  incomingFrom,
  plainSpan,
  type WireFormat,
  wireBody,
  wireFormats,
} from "../support/otlp-request.ts";

const KIBIBYTE = 1024;
const PART = 1024 * KIBIBYTE;
/** Larger than what is decoded at once. */
const SPANS = 30;
const spans = Array.from({ length: SPANS }, (_, number) => ({
  ...plainSpan,
  spanId: (number + 1).toString(16).padStart(16, "0"),
  name: `span ${number}`,
  attributes: otlpAttributes({ "input.value": `${number} `.repeat(100 * KIBIBYTE), "llm.model_name": "m" }),
}));
const request = otlpExport(spans, otlpAttributes({ "openinference.project.name": "prompts" }));

function partsOf(body: Uint8Array, given: Partial<DecodeRequest>) {
  const parts: IncomingSpan[][] = [];
  const decoding = decodeInParts(
    { body, format: "protobuf", encoding: null, projectOverride: null, defaultProject: "", limitBytes: 1e8, ...given },
    PART,
  );
  let part = decoding.next();
  for (; part.done !== true; part = decoding.next()) parts.push([...part.value]);
  return { parts, rejections: part.value };
}

test("a text that was cut out of the attributes weighs as much as one that was not", () => {
  const weigh = (length: number) =>
    weightOf(incomingFrom({ attributes: otlpAttributes({ "input.value": "x".repeat(length) }) }));
  expect(weigh(60 * KIBIBYTE)).toBeGreaterThan(60 * KIBIBYTE);
  expect(weigh(20_000 * KIBIBYTE)).toBeGreaterThan(20_000 * KIBIBYTE);
});

describe.each([...wireFormats])("a large request in %s", (format: WireFormat) => {
  const body = wireBody(request, format);

  test("comes in parts of bounded weight, in order, and is the same as in one", () => {
    const { parts, rejections } = partsOf(Uint8Array.from(body), { format });
    expect(rejections.count).toBe(0);
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) expect(part.length === 1 || weightOfAll(part) <= PART).toBe(true);
    expect(parts.flat()).toEqual(decodeBody(body, format).spans);
    expect(parts.flat().map(({ name, projectName }) => [name, projectName])).toEqual(
      spans.map(({ name }) => [name, "prompts"]),
    );
  });

  test("gives the memory of its body back when that is taken, and leaves it alone otherwise", () => {
    const packed = Buffer.concat([gzipSync(body.subarray(0, 1000)), gzipSync(body.subarray(1000), { level: 0 })]);
    for (const [sent, encoding] of [
      [body, null],
      [packed, "gzip"],
    ] as const) {
      const kept = Uint8Array.from(sent);
      expect(partsOf(kept, { format, encoding }).parts.flat()).toHaveLength(SPANS);
      expect(kept).toHaveLength(sent.length);
      expect(partsOf(kept, { format, encoding, takesBody: true }).parts.flat()).toHaveLength(SPANS);
      expect(kept).toHaveLength(0);
    }
  });
});

test("a large request that is damaged at its end fails before its first part", async () => {
  const body = encodeOtlp(request);
  const cut = (async () => partsOf(Uint8Array.from(body.subarray(0, -3)), {}))();
  expect(await failureOf(cut)).toMatchObject({ code: "otlp.undecodable" });
  // The last span's own last field, inside lengths that are all right.
  const last = Uint8Array.from(body);
  last[last.length - 4] = 0xff;
  const begun: unknown[] = [];
  const damaged = (async () => {
    for (const part of decodeInParts(
      { body: last, format: "protobuf", encoding: null, projectOverride: null, defaultProject: "", limitBytes: 1e8 },
      PART,
    ))
      begun.push(part);
  })();
  expect(await failureOf(damaged)).toMatchObject({ code: "otlp.undecodable" });
  expect(begun).toEqual([]);
});

test("spans of a large request that cannot be stored are counted, the others are kept", () => {
  const { parts, rejections } = partsOf(encodeOtlp(otlpExport([...spans, { ...plainSpan, traceId: "" }])), {});
  expect(parts.flat()).toHaveLength(SPANS);
  expect(rejections).toEqual({ count: 1, message: "A span has no trace id" });
});
