// Attributes read by plans are stored exactly as without plans: every vector, generated spans and mutated requests go both ways.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../src/kernel/failure.ts";
import { createAttributePlans, MOST_PLANS } from "../../src/otlp/decode/attribute-plans.ts";
import { decodeProtobuf } from "../../src/otlp/decode/decode-protobuf.ts";
import { createAttributePlanner } from "../../src/otlp/decode/planned-attributes.ts";
import { varint } from "../../src/otlp/transport/response.ts";
import { attributesOf, type SpanSize, treeOfSpans } from "../bench/spans.ts";
import { encodeOtlp, type OtlpAttribute, type OtlpSpan, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { decodeBody, plainSpan } from "../support/otlp-request.ts";
import { recordedAttributes } from "../support/recorded.ts";

/** A sequence of keys has a plan when it comes the second time. */
const SPANS_UNTIL_PLANNED = 2;

const bodyOf = (spans: readonly OtlpSpan[]) => encodeOtlp(otlpExport(spans.map((span) => ({ ...plainSpan, ...span }))));
const outcomeOf = (body: Uint8Array, usesPlans: boolean): unknown => {
  try {
    return decodeBody(body, "protobuf", { usesPlans });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.code} ${error.message}`;
  }
};

function expectSame(body: Uint8Array): void {
  for (let time = 0; time <= SPANS_UNTIL_PLANNED; time++)
    if (!Bun.deepEquals(outcomeOf(body, true), outcomeOf(body, false), true))
      expect(outcomeOf(body, true)).toStrictEqual(outcomeOf(body, false));
}

function decodedBy(planner: ReturnType<typeof createAttributePlanner>, spans: readonly OtlpSpan[]) {
  return [...decodeProtobuf(bodyOf(spans), planner).resources[0]!.scopes[0]!.spans];
}

/** Whether a span with these attributes is read by a plan, once its keys are known. */
function isPlanned(span: OtlpSpan): boolean {
  return decodedBy(createAttributePlanner(createAttributePlans()), [span, span, span]).at(-1)!.planned !== null;
}

interface Row {
  readonly attributes: readonly OtlpAttribute[] | Record<string, unknown>;
}

const rowsOf = async (file: string, rows: (content: never) => readonly Row[]) =>
  rows((await Bun.file(`tests/vectors/${file}`).json()) as never).map(({ attributes }) =>
    Array.isArray(attributes) ? (attributes as OtlpAttribute[]) : otlpAttributes(attributes as Record<string, unknown>),
  );

const vectors = [
  ...(await rowsOf("ingestion.json", ({ vectors: rows }: { vectors: Row[] }) => rows)),
  ...(await rowsOf(
    "additions.json",
    ({ groups }: { groups: { group: string; vectors: Row[] }[] }) =>
      groups.find(({ group }) => group === "gen-ai-splicing")!.vectors,
  )),
];

describe("the same as without plans", () => {
  test("every vector", () => {
    expect(vectors.length).toBeGreaterThan(300);
    for (const attributes of vectors) expectSame(bodyOf([{ attributes }]));
    expect(vectors.filter((attributes) => isPlanned({ attributes })).length).toBeGreaterThan(100);
  });

  test("every recorded span of other conventions, none of which has a plan", async () => {
    const recorded = await recordedAttributes();
    expect(recorded.length).toBeGreaterThan(80);
    for (const attributes of recorded) expectSame(bodyOf([{ attributes: otlpAttributes(attributes) }]));
    const foreign = /^(?:ai|gen_ai|traceloop|langfuse|langsmith|logfire|pydantic_ai)\./;
    const ofConventions = recorded.filter((each) => Object.keys(each).some((key) => foreign.test(key)));
    expect(ofConventions.filter((each) => isPlanned({ attributes: otlpAttributes(each) }))).toEqual([]);
  });

  test.each<SpanSize>(["small", "llm", "page"])("spans of the size %s, all of which have plans", (size) => {
    for (const span of treeOfSpans()) {
      for (const session of [null, "session-1", " é "]) {
        const attributes = otlpAttributes(attributesOf(span, size, session));
        expectSame(bodyOf([{ attributes }]));
        expect(isPlanned({ attributes })).toBe(true);
      }
    }
  });

  // The keys that mean something, and those whose paths meet.
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...Object.keys(attributesOf(treeOfSpans()[0]!, "small", "s"))) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...[
          "a",
          "a.b",
          "a.b.c",
          "a..b",
          "a.0.b",
          "a.1.b",
          "a.00.c",
          "a.10.b",
          "a.2",
          "7",
          "7.a",
          "é.ü",
          "__proto__",
          "a.",
        ],
        ...[
          "input",
          "input.value.0.x",
          "session",
          "session.id.x",
          "user.id",
          "retention.days",
          "llm",
          "llm.token_count",
          'q"uo\\te',
          "\n",
        ],
        ...["my_metadata", "metadata", "llm.prompt_template.variables", "metadata.x", "gen_ai.system", ""],
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: "grapheme-ascii", maxLength: 400 }),
    fc.json(),
    fc.constantFrom("", " ", "12", "1_000", "null", "NaN", '{"a":1.0}', "[1e2]", '"\\ud800"', "\0", "\u007f", "\u2028"),
    fc.constantFrom(
      "LLM",
      "llm",
      "tool",
      "x".repeat(30_000),
      "é".repeat(30_000),
      "x".repeat(66_000),
      "\u0001".repeat(20_000),
    ),
  );
  const value = fc.oneof(
    { weight: 6, arbitrary: text.map((stringValue) => ({ stringValue })) },
    { weight: 2, arbitrary: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((each) => ({ intValue: String(each) })) },
    { weight: 2, arbitrary: fc.integer().map((each) => ({ intValue: each })) },
    { weight: 2, arbitrary: fc.double().map((each) => ({ doubleValue: Number.isFinite(each) ? each : String(each) })) },
    { weight: 1, arbitrary: fc.constantFrom(0, -0, 1e21, 3, 1e300).map((each) => ({ doubleValue: each })) },
    { weight: 2, arbitrary: fc.boolean().map((boolValue) => ({ boolValue })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        {},
        { bytesValue: "AQID" },
        { arrayValue: { values: [{ intValue: 1 }] } },
        { kvlistValue: { values: [{ key: "x.y", value: { stringValue: "z" } }] } },
      ),
    },
  );
  const events = fc.constantFrom([], [], [{ name: "exception" }], [{ name: "gen_ai.choice" }]);
  /** Several spans with the same keys and other values. */
  const spans = fc.tuple(fc.uniqueArray(key, { maxLength: 9 }), fc.boolean()).chain(([keys, repeats]) =>
    fc.array(
      fc.record({
        attributes: fc
          .tuple(...(repeats ? [...keys, ...keys.slice(0, 1)] : keys).map(() => value))
          .map((values) => values.map((each, i) => ({ key: keys[i % keys.length]!, value: each }))),
        events,
      }),
      { minLength: 3, maxLength: 4 },
    ),
  );

  test("some thousand generated spans", () => {
    let planned = 0;
    fc.assert(
      // Three or four spans each, all of them six times.
      fc.property(spans, (each) => {
        expectSame(bodyOf(each));
        if (isPlanned(each[0]!)) planned++;
      }),
      { numRuns: 400, seed: 20_261_122 },
    );
    expect(planned).toBeGreaterThan(50);
  }, 60_000);

  test("mutated requests, also in how they fail", () => {
    const body = bodyOf(
      ["a", "b", "c", "d"].map((session) => ({
        attributes: otlpAttributes({ ...attributesOf(treeOfSpans()[0]!, "small", session), "a.text": "é", "a.n": -1 }),
        events: [{ name: "e", attributes: otlpAttributes({ x: 1 }) }],
      })),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(body.length - 1), fc.oneof(fc.nat(255), fc.constantFrom(0, 10, 18, 74, 128))), {
          minLength: 1,
          maxLength: 3,
        }),
        (steps) => {
          const changed = Uint8Array.from(body);
          for (const [position, byte] of steps) changed[position] = byte;
          expectSame(changed);
        },
      ),
      { numRuns: 1500, seed: 20_261_122 },
    );
  }, 60_000);

  const field = (number: number, bytes: Iterable<number>) => {
    const content = [...bytes];
    return [8 * number + 2, ...varint(content.length), ...content];
  };
  const utf8 = (content: string) => Buffer.from(content, "utf8");
  const pair = (name: string, each: string) => field(9, [...field(1, utf8(name)), ...field(2, field(1, utf8(each)))]);
  const broken = (length: number) => new Array<number>(length).fill(0xff);
  const name = field(5, utf8("n"));
  const ids = [...field(1, utf8("traceid.")), ...field(2, utf8("spanid.."))];

  test.each([
    ["apart from each other", [...ids, ...pair("a.x", "1"), ...name, ...pair("a.y", "2")]],
    ["apart, the same key again", [...ids, ...pair("a.x", "1"), ...pair("b", "1"), ...name, ...pair("a.x", "2")]],
    ["the last part of the span", [...ids, ...name, ...pair("a.x", "1"), ...pair("a.y", "2")]],
    ["the first", [...pair("a.x", "1"), ...pair("a.y", "2"), ...name, ...ids]],
    ["before a converted event", [...ids, ...pair("a.x", "1"), ...field(11, field(2, utf8("gen_ai.choice")))]],
    ["the value before the key", [...ids, ...field(9, [...field(2, field(1, utf8("v"))), ...field(1, utf8("a.x"))])]],
    ["with a field that nobody knows", [...ids, ...field(9, [...field(1, utf8("k")), ...field(7, [1])])]],
    ["two values in one", [...ids, ...field(9, [...field(1, utf8("k")), ...field(2, [16, 1, 24, 5])])]],
    ["a tag in two bytes", [...ids, ...pair("a.x", "1"), 0xca, 0, ...pair("a.y", "2").slice(1)]],
    ["a boolean that is not 1", [...ids, ...field(9, [...field(1, utf8("k")), ...field(2, [16, 5])])]],
    ["a key of broken UTF-8", [...ids, ...field(9, [...field(1, [0xff, 0x61]), ...field(2, field(1, utf8("v")))])]],
    ["a value of broken UTF-8", [...ids, ...field(9, [...field(1, utf8("k")), ...field(2, field(1, [0xff, 0x61]))])]],
    // Each invalid byte becomes three.
    ["that become large", [...ids, ...field(9, [...field(1, utf8("k")), ...field(2, field(1, broken(30_000)))])]],
  ])("attributes %s", (_what, span) => {
    // The field after the spans of the scope has the tag of an attribute.
    expectSame(Uint8Array.from(field(1, field(2, [...field(2, span), ...field(9, [1])]))));
  });
});

test("no more plans are cached than the limit allows, the last used of them", () => {
  const plans = createAttributePlans();
  const planner = createAttributePlanner(plans);
  const spanOf = (name: string) => ({ attributes: otlpAttributes({ [`flood.${name}`]: 1, "a.b": "x" }) });
  const twice = (name: string) => decodedBy(planner, [spanOf(name), spanOf(name)])[1]!.planned !== null;
  for (let i = 0; i < 3 * MOST_PLANS; i++) {
    expect(twice(`key${i}`)).toBe(true);
    expect(decodedBy(planner, [spanOf("always")])[0]!.planned !== null).toBe(i > 0);
  }
  expect(plans.size).toBe(MOST_PLANS);
});

test("keys that come once get no plan", () => {
  const plans = createAttributePlans();
  const planner = createAttributePlanner(plans);
  for (let i = 0; i < 1000; i++) decodedBy(planner, [{ attributes: otlpAttributes({ [`once.${i}`]: 1 }) }]);
  expect(plans.size).toBeLessThan(20);
});
