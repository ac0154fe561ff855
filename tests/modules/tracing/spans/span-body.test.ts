import { describe, expect, test } from "bun:test";
import { Failure } from "../../../../src/kernel/failure.ts";
import { type JsonObject, parseJson } from "../../../../src/kernel/json.ts";
import { incomingFromBody, type SpanBody } from "../../../../src/modules/tracing/spans/bodies/span-body.rules.ts";

const body: SpanBody = {
  name: "posted",
  context: { trace_id: "trace_1", span_id: "span_1" },
  span_kind: "LLM",
  start_time: Date.parse("2024-01-01T10:00:00.500Z") * 1000,
  end_time: Date.parse("2024-01-01T10:00:01Z") * 1000,
  status_code: "ok",
};

function incoming(changes: Partial<SpanBody>) {
  return incomingFromBody({ ...body, ...changes }, "project");
}

function attributesOf(attributes: string, changes: Partial<SpanBody> = {}) {
  return incoming({ attributes: parseJson(attributes) as JsonObject, ...changes }).attributes;
}

describe("a span of the REST body", () => {
  test("keeps its ids as they are and reads its times and its status", () => {
    expect(incoming({})).toMatchObject({
      projectName: "project",
      traceKey: "trace_1",
      spanKey: "span_1",
      parentKey: null,
      name: "posted",
      kind: "LLM",
      status: "OK",
      statusMessage: "",
      startUs: Date.parse("2024-01-01T10:00:00.500Z") * 1000,
      endUs: Date.parse("2024-01-01T10:00:01Z") * 1000,
      promptTokens: 0,
      completionTokens: 0,
      events: "[]",
      extra: null,
      largeValues: [],
    });
  });

  test("an empty parent is no root", () => {
    expect(incoming({ parent_id: "" }).parentKey).toBe("");
    expect(incoming({ parent_id: null }).parentKey).toBeNull();
  });

  test("unknown kinds and statuses", () => {
    expect(incoming({ span_kind: "decision", status_code: "weird" })).toMatchObject({
      kind: "DECISION",
      status: "UNSET",
    });
    expect(incoming({ span_kind: "odd" })).toMatchObject({
      kind: "UNKNOWN",
      promptTokens: null,
      attributes: '{"openinference":{"span":{"kind":"odd"}}}',
    });
  });

  test("attributes are unflattened and nothing is converted", () => {
    const text = `{"a.0.b":1.0,"a.1.b":9007199254740993,"metadata":"{\\"x\\":1}","input.value":{"q":1},
      "llm.token_count.prompt":"12","gen_ai.request.model":"m","openinference.span.kind":"ignored"}`;
    expect(attributesOf(text)).toBe(
      '{"a":[{"b":1.0},{"b":9007199254740993}],"metadata":"{\\"x\\":1}","input":{"value":{"q":1}},' +
        '"llm":{"token_count":{"prompt":"12"}},"gen_ai":{"request":{"model":"m"}},"openinference":{"span":{"kind":"LLM"}}}',
    );
    expect(incoming({ attributes: parseJson(text) as JsonObject }).promptTokens).toBe(12);
  });

  test("NUL, lone surrogates and __proto__ are stored safely", () => {
    expect(attributesOf('{"__proto__.a":"\\u0000","k\\ud800":["\\udc00"]}')).toBe(
      '{"__proto__":{"a":"\ufffd"},"k\ufffd":["\ufffd"],"openinference":{"span":{"kind":"LLM"}}}',
    );
  });

  test("events keep their nested attributes", () => {
    const events = [
      { name: "exception", timestamp: Date.parse("2024-01-01T12:00:00Z") * 1000, attributes: { "a.b": { c: 1 } } },
    ];
    expect(incoming({ events }).events).toBe(
      '[{"name":"exception","timestamp":"2024-01-01T12:00:00+00:00","attributes":{"a.b":{"c":1}}}]',
    );
  });

  test("a year that no column holds becomes the last one that fits", () => {
    const last = Date.parse("9999-12-31T00:00:00Z") * 1000;
    expect(incoming({ end_time: last }).endUs).toBe(Number.MAX_SAFE_INTEGER);
  });

  test("large texts stand apart", () => {
    const span = incoming({ attributes: { "output.value": "x".repeat(100_000) } });
    expect(span.largeValues.map(({ path }) => path)).toEqual(['["output","value"]']);
    expect(span.outputHead).toBe("x".repeat(101));
  });

  test("what cannot be stored fails by name", () => {
    const codeOf = (changes: Partial<SpanBody>) => {
      try {
        incoming(changes);
      } catch (error) {
        if (error instanceof Failure) return error.code;
        throw error;
      }
      return "stored";
    };
    expect(codeOf({ context: { trace_id: "t".repeat(1025), span_id: "s" } })).toBe("spans.key_too_long");
    const deep = JSON.parse("[".repeat(200_000) + "]".repeat(200_000));
    expect(codeOf({ attributes: { deep } })).toBe("spans.too_deep");
  });
});
