// What a span costs before it reaches the writer, decoded attribute by attribute and by plans: bun tests/bench/decode.ts [rounds]
// Processor time of this process, the collector's threads included, for the same requests of 100 spans in turn.
import { decodeExport } from "../../src/otlp/decode/export.ts";
import { encodeOtlp, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { machine, median, ratio, table } from "./figures.ts";
import { createPayloads } from "./payloads.ts";
import { attributesOf, type SpanSize, treeOfSpans } from "./spans.ts";

const ROUNDS = Number(process.argv[2] ?? 15);
const REQUESTS = 40;
const SPANS = 100;

/** 20 attributes in 0.8 KB. */
function shortRequest(request: number): Uint8Array {
  const tree = treeOfSpans();
  const id = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
  return encodeOtlp(
    otlpExport(
      Array.from({ length: SPANS }, (_, number) => {
        const span = tree[number % tree.length]!;
        const attributes = Object.entries(attributesOf(span, "small", `session-${number}`)).slice(0, 20);
        const short = attributes.map(([key, value]) => [key, typeof value === "string" ? value.slice(0, 30) : value]);
        return {
          traceId: id(request * SPANS + number, 32),
          spanId: id(number + 1, 16),
          name: span.name,
          startTimeUnixNano: "1764000000000000000",
          endTimeUnixNano: "1764000001000000000",
          attributes: otlpAttributes(Object.fromEntries(short)),
        };
      }),
    ),
  );
}

function requests(size: SpanSize): Uint8Array[] {
  const payloads = createPayloads({ size, project: "bench", spansPerRequest: SPANS, traceStart: () => 10n ** 18n });
  return Array.from({ length: REQUESTS }, () => payloads.next());
}

/** Microseconds of processor time a span. */
function cost(bodies: readonly Uint8Array[], usesPlans: boolean): number {
  const before = process.cpuUsage();
  for (const body of bodies) {
    decodeExport({
      body,
      format: "protobuf",
      encoding: null,
      projectOverride: null,
      defaultProject: "default",
      limitBytes: 1e9,
      usesPlans,
    });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (bodies.length * SPANS);
}

const sizes: readonly (readonly [string, Uint8Array[]])[] = [
  ["short", Array.from({ length: REQUESTS }, (_, request) => shortRequest(request))],
  ["small", requests("small")],
  ["llm", requests("llm")],
];
const rows = sizes.map(([name, bodies]) => {
  const long: number[] = [];
  const planned: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    long.push(cost(bodies, false));
    planned.push(cost(bodies, true));
  }
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / (bodies.length * SPANS);
  const figure = (samples: number[]) => `${median(samples).toFixed(1)} µs`;
  return [
    `${name} (${Math.round(bytes)} bytes)`,
    figure(long),
    figure(planned),
    `**${ratio(median(planned), median(long))}**`,
  ];
});
console.log(`${await machine()}; processor time a span, median of ${ROUNDS} rounds\n`);
console.log(table([["spans", "attribute by attribute", "by plans", "ratio"], ...rows]));
