// What the serializers of the real exporters write, read by our decoders: both encodings must give the same export.
import { describe, expect, test } from "bun:test";
import { type Attributes, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import fc from "fast-check";
import { decodeJson } from "../../src/otlp/decode/decode-json.ts";
import { decodeProtobuf } from "../../src/otlp/decode/decode-protobuf.ts";
import { decodeBody } from "../support/otlp-request.ts";

interface Generated {
  readonly name: string;
  readonly kind: SpanKind;
  readonly start: number;
  readonly duration: number;
  readonly attributes: Attributes;
  readonly events: readonly { name: string; attributes: Attributes }[];
  readonly linked: Attributes | undefined;
  readonly code: SpanStatusCode;
  readonly message: string;
}

// JavaScript does not tell 1 from 1.0, and the two serializers differ on numbers beyond 2^53: those are left out.
const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }));
const text = fc.string({ unit: "grapheme" });
const value = fc.oneof(text, number, fc.boolean(), fc.array(text), fc.array(number), fc.array(fc.boolean()));
const attributes = fc.dictionary(fc.string({ unit: "grapheme", minLength: 1 }), value, {
  maxKeys: 6,
}) as fc.Arbitrary<Attributes>;
const generated: fc.Arbitrary<Generated> = fc.record({
  name: text,
  kind: fc.constantFrom(SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT, SpanKind.PRODUCER, SpanKind.CONSUMER),
  start: fc.integer({ min: 1, max: 4e12 }),
  duration: fc.integer({ min: 0, max: 1e9 }),
  attributes,
  events: fc.array(fc.record({ name: text, attributes }), { maxLength: 3 }),
  linked: fc.option(attributes, { nil: undefined }),
  code: fc.constantFrom(SpanStatusCode.UNSET, SpanStatusCode.OK, SpanStatusCode.ERROR),
  message: text,
});

function recorded(spans: readonly Generated[]): ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "generated", "openinference.project.name": "real" }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("tests", "1.0");
  for (const each of spans) {
    const context = { traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: TraceFlags.SAMPLED };
    const span = tracer.startSpan(each.name, {
      kind: each.kind,
      startTime: new Date(each.start),
      attributes: each.attributes,
      links: each.linked === undefined ? [] : [{ context, attributes: each.linked }],
    });
    for (const event of each.events) span.addEvent(event.name, event.attributes, new Date(each.start));
    span.setStatus({ code: each.code, message: each.message });
    span.end(new Date(each.start + each.duration));
  }
  return exporter.getFinishedSpans();
}

describe("the real serializers", () => {
  test("write the same export in protobuf and in JSON", () => {
    fc.assert(
      fc.property(fc.array(generated, { minLength: 1, maxLength: 3 }), (spans) => {
        const finished = recorded(spans);
        const fromProtobuf = decodeProtobuf(ProtobufTraceSerializer.serializeRequest(finished)!);
        const fromJson = decodeJson(JsonTraceSerializer.serializeRequest(finished)!);
        expect(fromProtobuf).toEqual(fromJson);
        const decoded = fromProtobuf.resources.flatMap((resource) =>
          resource.scopes.flatMap((scope) => [...scope.spans]),
        );
        expect(decoded.map((span) => [span.name, span.startUs, span.endUs, span.kind, span.statusCode])).toEqual(
          spans.map((span) => [
            span.name,
            span.start * 1000,
            (span.start + span.duration) * 1000,
            span.kind + 1,
            span.code,
          ]),
        );
        expect(decoded.map((span) => [...span.attributes.keys()])).toEqual(
          spans.map((span) => Object.keys(span.attributes)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("reach ingestion with ids, parent, project and scope", () => {
    const [span] = recorded([
      {
        name: "n",
        kind: SpanKind.CLIENT,
        start: 5,
        duration: 1,
        attributes: { "a.b": 1 },
        events: [],
        linked: undefined,
        code: 1,
        message: "",
      },
    ]);
    const exported = decodeBody(ProtobufTraceSerializer.serializeRequest([span!])!, "protobuf");
    expect(exported.rejections.count).toBe(0);
    expect(exported.spans[0]).toMatchObject({
      projectName: "real",
      traceKey: span!.spanContext().traceId,
      spanKey: span!.spanContext().spanId,
      parentKey: null,
      status: "OK",
      attributes: '{"a":{"b":1}}',
    });
    expect(JSON.parse(exported.spans[0]!.extra!)).toMatchObject({
      kind: 3,
      scope: { name: "tests", version: "1.0" },
      resource: { attributes: { "service.name": "generated" } },
    });
  });
});
