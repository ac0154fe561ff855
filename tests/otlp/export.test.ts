import { describe, expect, test } from "bun:test";
import { decodeProtobuf } from "../../src/otlp/decode/decode-protobuf.ts";
import { encodeExportResponse, jsonExportResponse } from "../../src/otlp/transport/response.ts";
import { encodeOtlp, otlpAttributes, otlpExport, otlpValue, Writer } from "../support/otlp-encode.ts";
import { decodeBody, incomingFrom, plainSpan, roundTrip, wireFormats } from "../support/otlp-request.ts";

interface SequenceSpan {
  readonly name: string;
  readonly trace_hex?: string;
  readonly span_hex?: string;
  readonly start_ns?: number;
  readonly end_ns?: number;
  readonly start_s?: number;
  readonly end_s?: number;
  readonly status?: number;
  readonly message?: string;
  readonly attrs?: Record<string, unknown>;
  readonly events?: { name: string; time_ns?: number; attrs: Record<string, unknown> }[];
}
interface Sequence {
  readonly id: string;
  readonly steps: readonly { spans: readonly SequenceSpan[] }[];
  readonly expect: Record<string, Record<string, never>>;
}

// Nanoseconds are beyond what a number holds: they are read as text.
const sequencesText = (await Bun.file("tests/vectors/ingestion-sequences.json").text()).replace(
  /"(start_ns|end_ns|time_ns)": (\d+)/g,
  '"$1": "$2"',
);
const { sequences } = JSON.parse(sequencesText) as { sequences: readonly Sequence[] };

function sequence(id: string): { spans: readonly SequenceSpan[]; expected: Record<string, Record<string, unknown>> } {
  const found = sequences.find((each) => each.id === id)!;
  return { spans: found.steps[0]!.spans, expected: found.expect };
}

function nanoseconds(exact: number | undefined, seconds: number): string {
  return exact === undefined ? `${1_700_000_000 + seconds}000000000` : String(exact);
}

function requestOf(spans: readonly SequenceSpan[]) {
  return otlpExport(
    spans.map((span, i) => ({
      traceId: span.trace_hex ?? "0123456789abcdef0123456789abcdef",
      spanId: span.span_hex ?? (i + 1).toString(16).padStart(16, "0"),
      name: span.name,
      startTimeUnixNano: nanoseconds(span.start_ns, span.start_s ?? 0),
      endTimeUnixNano: nanoseconds(span.end_ns, span.end_s ?? 1),
      status: { code: span.status ?? 0, message: span.message ?? "" },
      attributes: otlpAttributes(span.attrs ?? {}),
      events: (span.events ?? []).map((event) => ({
        name: event.name,
        timeUnixNano: nanoseconds(event.time_ns, 0),
        attributes: otlpAttributes(event.attrs),
      })),
    })),
  );
}

describe.each(wireFormats)("sequences of the contract over %s", (format) => {
  test("spans without ids are counted, ids of any length are kept", () => {
    const { spans } = sequence("odd-ids");
    const exported = roundTrip(requestOf(spans), format);
    expect(exported.spans.map((span) => span.name)).toEqual(["ok1", "short", "ok2"]);
    expect(exported.spans[1]).toMatchObject({ traceKey: "0102", spanKey: "03", parentKey: null });
    expect(exported.rejections).toEqual({ count: 2, message: "A span has no span id; A span has no trace id" });
  });

  test("times are rounded half up to microseconds, unknown statuses are unset", () => {
    const { spans, expected } = sequence("times-and-status");
    for (const span of roundTrip(requestOf(spans), format).spans) {
      const [start, end, status, message] = (expected.times!["seq-t"] as Record<string, string[]>)[span.name]!;
      expect([span.status, span.statusMessage] as string[]).toEqual([status!, message!]);
      for (const [us, text] of [
        [span.startUs, start!],
        [span.endUs, end!],
      ] as const) {
        const fraction = Number(/\.(\d{6})/.exec(text)?.[1] ?? 0);
        expect(us).toBe(Math.floor(Date.parse(text.replace(/\.\d+/, "")) * 1000) + fraction);
      }
    }
  });

  test("events keep flat attributes, exceptions only what describes them", () => {
    const { spans, expected } = sequence("events");
    const [span] = roundTrip(requestOf(spans), format).spans;
    expect(JSON.parse(span!.events)).toEqual(expected.events!["seq-e"]);
  });

  test("session ids of any type become text", () => {
    const { spans } = sequence("session-value-forms");
    const keys = roundTrip(requestOf(spans), format).spans.map((span) => span.sessionKey);
    expect(keys).toEqual(["12012", "0", "True", "3.25", "[1, '2']", null, "$D"]);
  });
});

describe.each(wireFormats)("project routing over %s", (format) => {
  const project = (value: unknown) => ({ key: "openinference.project.name", value: otlpValue(value) });
  const projectOf = (resource: ReturnType<typeof project>[], projectOverride: string | null = null) =>
    roundTrip(otlpExport([plainSpan], resource), format, { projectOverride }).spans[0]!.projectName;

  test("the header beats the resource, the resource the default", () => {
    expect(projectOf([project("own")], "header")).toBe("header");
    expect(projectOf([project("own")])).toBe("own");
    expect(projectOf([project("own")], "")).toBe("own");
    expect(projectOf([])).toBe("default");
    expect(projectOf([project("  ")])).toBe("  ");
  });

  test("the first non-empty text of the resource counts", () => {
    expect(projectOf([project(""), project(5), project("first"), project("second")])).toBe("first");
    expect(projectOf([project(5)])).toBe("default");
  });

  test("a name that no index holds is refused by name", () => {
    expect(() => projectOf([], "x".repeat(1025))).toThrow("project name is longer than 1024 bytes");
    const { spans, rejections } = roundTrip(otlpExport([plainSpan], [project("x".repeat(1025))]), format);
    expect(spans).toEqual([]);
    expect(rejections.message).toContain('The project name "xxxx');
  });
});

describe.each(wireFormats)("what surrounds a span is kept over %s", (format) => {
  test("resource, scope, links, kind, state and counts", () => {
    const request = {
      resourceSpans: [
        {
          resource: { attributes: otlpAttributes({ "service.name": "shop" }), droppedAttributesCount: 1 },
          schemaUrl: "https://schema",
          scopeSpans: [
            {
              scope: { name: "lib", version: "1.2", attributes: otlpAttributes({ a: 1 }) },
              spans: [
                {
                  ...plainSpan,
                  kind: 3,
                  traceState: "k=v",
                  flags: 257,
                  links: [{ traceId: "aa", spanId: "bb", attributes: otlpAttributes({ l: true }), flags: 1 }],
                  droppedAttributesCount: 2,
                  droppedEventsCount: 3,
                  droppedLinksCount: 4,
                },
              ],
            },
          ],
        },
      ],
    };
    expect(JSON.parse(roundTrip(request, format).spans[0]!.extra!)).toEqual({
      kind: 3,
      flags: 257,
      trace_state: "k=v",
      links: [{ trace_id: "aa", span_id: "bb", attributes: { l: true }, flags: 1 }],
      dropped_attributes_count: 2,
      dropped_events_count: 3,
      dropped_links_count: 4,
      resource: { schema_url: "https://schema", attributes: { "service.name": "shop" }, dropped_attributes_count: 1 },
      scope: { name: "lib", version: "1.2", attributes: { a: 1 } },
    });
  });

  test("nothing is nothing", () => {
    expect(incomingFrom({}, format).extra).toBeNull();
  });

  test("a huge resource is not repeated in every span", () => {
    const resource = otlpAttributes({ small: 1, huge: "x".repeat(1e6) });
    const extra = incomingFrom({}, format, resource).extra!;
    expect(JSON.parse(extra)).toEqual({ resource: { attributes: { small: 1 }, dropped_attributes_count: 1 } });
  });
});

describe.each(wireFormats)("long values over %s", (format) => {
  test("leave a head in the attributes and stand apart as a whole", () => {
    const long = "ä".repeat(10e6);
    const span = incomingFrom({ attributes: otlpAttributes({ "input.value": long, "a.0.b": "short" }) }, format);
    expect(span.largeValues).toEqual([{ path: '["input","value"]', text: long }]);
    expect(JSON.parse(span.attributes)).toEqual({ input: { value: "ä".repeat(2048) }, a: [{ b: "short" }] });
    expect(span.inputHead).toBe("ä".repeat(101));
  });

  test("are found inside values and after coercion", () => {
    const text = "x".repeat(70_000);
    const span = incomingFrom(
      { attributes: otlpAttributes({ deep: { list: [text] }, "input.value": { text } }) },
      format,
    );
    expect(span.largeValues.map(({ path }) => path)).toEqual(['["deep","list",0]', '["input","value"]']);
    expect(span.largeValues[1]!.text).toBe(`{"text": "${text}"}`);
  });
});

describe("responses", () => {
  test("are empty when nothing was rejected", () => {
    expect(encodeExportResponse(0, "")).toHaveLength(0);
    expect(jsonExportResponse(0, "")).toBe("{}");
  });

  test("name what was rejected", () => {
    const writer = new Writer();
    const message = "é".repeat(100);
    writer.message(1, () => {
      writer.uint(1, 300);
      writer.text(2, message);
    });
    const bytes = encodeExportResponse(300, message);
    // The test's encoder pads lengths: two bytes more than needed.
    expect(Buffer.from(bytes).subarray(3)).toEqual(Buffer.from(writer.finish()).subarray(5));
    expect(bytes[0]).toBe(10);
    expect(jsonExportResponse(1, "m")).toBe('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"m"}}');
  });
});

describe("one request", () => {
  test("an empty body is an empty request in both encodings", () => {
    for (const format of wireFormats) expect(decodeBody(new Uint8Array(0), format).spans).toEqual([]);
  });

  test("keeps document order over resources and scopes", () => {
    const named = (name: string) => ({ ...plainSpan, name });
    const group = (...names: string[]) => ({ scopeSpans: names.map((name) => ({ spans: [named(name)] })) });
    const body = encodeOtlp({ resourceSpans: [group("a", "b"), group("c")] });
    expect(decodeBody(body, "protobuf").spans.map((span) => span.name)).toEqual(["a", "b", "c"]);
  });

  test("names the first reasons and counts the others", () => {
    const spans = Array.from({ length: 9 }, (_, i) => ({ ...plainSpan, traceId: `${i}a`.repeat(2000) }));
    const { rejections } = roundTrip(otlpExport([...spans, spans[0]!]), "protobuf");
    expect(rejections.count).toBe(10);
    expect(rejections.message).toContain("(2 times)");
    expect(rejections.message).toEndWith("and 4 other reasons");
  });

  test("spans decode to the same export in any order of fields", () => {
    const one = encodeOtlp(otlpExport([plainSpan], otlpAttributes({ "openinference.project.name": "late" })));
    const decoded = decodeProtobuf(one);
    expect(decoded.resources[0]!.projectName).toBe("late");
  });
});
