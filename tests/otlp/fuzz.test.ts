// Mutated requests: the decoders answer with spans or with a Failure, and their work and output stay in proportion to the
// size of the input.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../src/kernel/failure.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { readExport } from "../../src/otlp/decode/decode-protobuf.ts";
import { ProtobufReader } from "../../src/otlp/decode/protobuf.ts";
import { encodeOtlp, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { decodeBody, plainSpan, type WireFormat } from "../support/otlp-request.ts";

const RUNS = 2000;
/** Characters of output that a byte of input may cause: an empty event becomes a line of JSON. */
const OUTPUT_PER_BYTE = 100;

const message = JSON.stringify([
  {
    role: "user",
    parts: [
      { type: "text", content: "hé" },
      { type: "tool_call", name: "f" },
    ],
  },
]);
const request = otlpExport(
  [
    {
      ...plainSpan,
      kind: 3,
      attributes: otlpAttributes({
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": message,
        "gen_ai.prompt.0.content": "x",
        "llm.token_count.prompt": "12",
        metadata: '{"a":[1,NaN,"\\ud83d"]}',
        "input.value": { a: [1, 2.5, null, true] },
        "a.0.b": 1,
        "a.1.c.d": [[], {}],
        "session.id": [1, "2"],
      }),
      events: [
        { name: "exception", attributes: otlpAttributes({ "exception.message": "m" }) },
        { name: "gen_ai.choice" },
      ],
      links: [{ traceId: "aa", spanId: "bb" }],
      status: { code: 2, message: "boom" },
    },
    plainSpan,
  ],
  otlpAttributes({ "openinference.project.name": "fuzz", "service.name": "s" }),
);

type Mutation = readonly [
  kind: "set" | "insert" | "delete" | "cut" | "repeat",
  at: number,
  byte: number,
  count: number,
];

const mutations = fc.array(
  fc.tuple(
    fc.constantFrom("set", "insert", "delete", "cut", "repeat") as fc.Arbitrary<Mutation[0]>,
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0, 0x7f, 0x80, 0xff, 0x0a, 0x2a, 0x32, 0x5b, 0x7b, 0x22, 0x2e),
    ),
    fc.integer({ min: 1, max: 40 }),
  ),
  { minLength: 1, maxLength: 12 },
);

function mutated(bytes: Uint8Array, steps: readonly Mutation[]): Uint8Array {
  let result = [...bytes];
  for (const [kind, position, byte, count] of steps) {
    const at = Math.floor(position * result.length);
    if (kind === "set") result[at] = byte;
    else if (kind === "insert") result.splice(at, 0, ...new Array<number>(count).fill(byte));
    else if (kind === "delete") result.splice(at, count);
    else if (kind === "cut") result = result.slice(0, Math.max(1, at));
    else result.splice(at, 0, ...result.slice(at, at + count));
  }
  return Uint8Array.from(result);
}

function outputSize(span: IncomingSpan): number {
  const large = span.largeValues.reduce((sum, value) => sum + value.text.length, 0);
  return span.attributes.length + span.events.length + (span.extra?.length ?? 0) + span.name.length + large;
}

function decode(body: Uint8Array, format: WireFormat): void {
  try {
    const { spans, rejections } = decodeBody(body, format);
    expect(rejections.message).not.toContain("Internal fault");
    for (const span of spans) {
      expect(span.attributes.isWellFormed() && !span.attributes.includes("\\u0000")).toBe(true);
      JSON.parse(span.attributes);
      JSON.parse(span.events);
      JSON.parse(span.extra ?? "null");
      expect(outputSize(span)).toBeLessThan(OUTPUT_PER_BYTE * (body.length + 20));
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(["otlp.undecodable", "otlp.too_many_items"]).toContain(error.code);
  }
}

describe("the protobuf decoder", () => {
  const bytes = encodeOtlp(request);

  test("survives mutated requests", () => {
    fc.assert(
      fc.property(mutations, (steps) => {
        decode(mutated(bytes, steps), "protobuf");
      }),
      { numRuns: RUNS },
    );
  });

  test("never reads more fields than there are bytes", () => {
    fc.assert(
      fc.property(mutations, (steps) => {
        const input = mutated(bytes, steps);
        const reader = new ProtobufReader(input);
        try {
          readExport(reader);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        }
        expect(reader.fields).toBeLessThanOrEqual(input.length);
        expect(reader.position).toBeLessThanOrEqual(input.length + 10);
      }),
      { numRuns: RUNS },
    );
  });

  test("survives bytes at random", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        decode(input, "protobuf");
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the JSON decoder", () => {
  const bytes = Buffer.from(JSON.stringify(request));

  test("survives mutated requests", () => {
    fc.assert(
      fc.property(mutations, (steps) => {
        decode(mutated(bytes, steps), "json");
      }),
      { numRuns: RUNS },
    );
  });

  test("survives any JSON in any place", () => {
    const names = [
      "resourceSpans",
      "resource",
      "scopeSpans",
      "spans",
      "attributes",
      "key",
      "value",
      "events",
      "status",
    ];
    const leaf = fc.oneof(fc.constantFrom(null, true, 0, -1, 1.5, 1e300, "", "ab", "AQ==", "1e3"), fc.string());
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 9, withCrossShrink: true }, leaf, tie("list"), tie("object")),
      list: fc.array(tie("tree"), { maxLength: 3 }),
      object: fc.dictionary(
        fc.constantFrom(
          ...names,
          "traceId",
          "spanId",
          "stringValue",
          "intValue",
          "doubleValue",
          "arrayValue",
          "values",
        ),
        tie("tree"),
        { maxKeys: 4 },
      ),
    }));
    const span = fc.record({
      traceId: fc.constant("aa"),
      spanId: fc.constant("bb"),
      attributes: tree,
      events: tree,
      kind: tree,
    });
    fc.assert(
      fc.property(tree, span, (anything, one) => {
        decode(Buffer.from(JSON.stringify(anything)), "json");
        decode(Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [one, anything] }] }] })), "json");
      }),
      { numRuns: RUNS / 2 },
    );
  });
});
