import { describe, expect, test } from "bun:test";
import type { IncomingSpan } from "../../src/model/span.ts";
import { decodeExport } from "../../src/otlp/decode/export.ts";
import { createPayloads } from "./payloads.ts";
import { SPANS_PER_TRACE, type SpanSize } from "./spans.ts";

function payloads(size: SpanSize, spansPerRequest: number) {
  let start = 1_700_000_000_000_000_000n;
  return createPayloads({ size, project: "bench", spansPerRequest, traceStart: () => (start += 1_000_000_000n) });
}

function decode(body: Uint8Array): IncomingSpan[] {
  const { spans, rejections } = decodeExport({
    body,
    format: "protobuf",
    encoding: null,
    projectOverride: null,
    defaultProject: "default",
    limitBytes: 1e8,
  });
  expect(rejections.count).toBe(0);
  return spans;
}

describe("payloads", () => {
  test("are traces of twenty spans, each child before its parent, one root each", () => {
    const source = payloads("small", 70);
    const spans = Array.from({ length: 4 }, () => decode(source.next())).flat();
    const traces = [...Map.groupBy(spans, (span) => span.traceKey).values()];
    expect(traces.map((trace) => trace.length)).toEqual(new Array(14).fill(SPANS_PER_TRACE));
    for (const trace of traces) {
      const keys = trace.map((span) => span.spanKey);
      expect(trace.filter((span) => span.parentKey === null).map((span) => span.spanKey)).toEqual([keys.at(-1)!]);
      for (const [position, span] of trace.entries()) {
        if (span.parentKey !== null) expect(keys.indexOf(span.parentKey)).toBeGreaterThan(position);
        expect(span.endUs).toBeGreaterThan(span.startUs);
      }
    }
    expect(new Set(spans.map((span) => span.spanKey)).size).toBe(spans.length);
    expect(new Set(spans.map((span) => span.projectName))).toEqual(new Set(["bench"]));
  });

  test("give every third trace a session, and each session five traces", () => {
    const source = payloads("small", SPANS_PER_TRACE);
    const sessions = Array.from({ length: 30 }, () => decode(source.next())[0]!.sessionKey);
    expect(sessions.filter((session) => session !== null)).toHaveLength(10);
    expect(new Set(sessions.filter((session) => session !== null)).size).toBe(2);
  });

  test("never repeat an id, however many there are", () => {
    const [first, second] = [payloads("small", 500), payloads("small", 500)];
    const keys = [first, second, first, second].flatMap((source) => decode(source.next()).map((span) => span.spanKey));
    expect(new Set(keys).size).toBe(2000);
  });

  test("have the sizes that the budgets speak of", () => {
    expect(payloads("small", 1).bytesPerSpan).toBeWithin(1200, 1400);
    expect(payloads("llm", 1).bytesPerSpan).toBeWithin(12_500, 13_500);
    expect(payloads("page", 1).bytesPerSpan).toBeWithin(2000, 8000);
  });
});
