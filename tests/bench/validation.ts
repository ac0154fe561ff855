// What it costs to check a body of POST /v1/projects/{p}/spans: bun tests/bench/validation.ts [spans]
// Beside each other: the engine's parser, TypeBox's compiled check of nothing but the shape, and the reader, which walks spans
// because their times are read. Then objects of texts and numbers, once let through by the compiled check and once walked because
// of a member that is not known.
import { type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { type Json, parseJson } from "../../src/kernel/json.ts";
import { readValue } from "../../src/kernel/validation.ts";
import { Violations } from "../../src/kernel/violations.ts";
import { NewSpans } from "../../src/modules/tracing/spans/bodies/span-body.schema.ts";
import { machine, median, milliseconds, table } from "./figures.ts";

const ROUNDS = 15;

function spanOf(number: number): Record<string, unknown> {
  const event = { name: "first token", timestamp: "2024-01-01T12:00:00.25+00:00", attributes: { count: 1 } };
  return {
    name: `span ${number}`,
    context: { trace_id: `trace ${number >> 3}`, span_id: `span ${number}` },
    span_kind: "LLM",
    parent_id: number % 8 === 0 ? null : `span ${number - 1}`,
    start_time: "2024-01-01T12:00:00.123456+00:00",
    end_time: "2024-01-01T12:00:01.5+00:00",
    status_code: "OK",
    status_message: "",
    attributes: { llm: { model_name: "gpt-4o", token_count: { prompt: 10 } }, input: { value: "hello ".repeat(60) } },
    events: number % 4 === 0 ? [event] : [],
  };
}

const text = Type.String();
const anyObject = Type.Object({}, { additionalProperties: true });
const shape = TypeCompiler.Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        name: text,
        context: Type.Object({ trace_id: text, span_id: text }),
        span_kind: text,
        parent_id: Type.Union([text, Type.Null()]),
        start_time: text,
        end_time: text,
        status_code: text,
        status_message: text,
        attributes: anyObject,
        events: Type.Array(Type.Object({ name: text, timestamp: text, attributes: anyObject })),
      }),
    ),
  }),
);

function read(body: Json, schema: TSchema = NewSpans): void {
  const violations = new Violations();
  readValue(schema, body, ["body"], violations);
  if (violations.total > 0) throw new Error(JSON.stringify(violations.list()[0]));
}

const count = Number(process.argv[2] ?? 10_000);
const spans = Array.from({ length: count }, (_, number) => spanOf(number));
const source = JSON.stringify({ data: spans });
const known = parseJson(source);

const Flat = Type.Object({
  data: Type.Array(Type.Object({ span_id: text, name: text, label: text, score: Type.Number(), explanation: text })),
});
const flatItem = {
  span_id: "0123456789abcdef",
  name: "quality",
  label: "good",
  score: 0.5,
  explanation: "x".repeat(100),
};
const flat: Json = { data: Array.from({ length: count }, () => ({ ...flatItem })) };
const flatUnknown: Json = { data: Array.from({ length: count }, () => ({ ...flatItem, unknown: 1 })) };

const work: Record<string, () => void> = {
  "JSON.parse": () => void JSON.parse(source),
  "spans, TypeBox, shape only": () => {
    if (!shape.Check(known)) throw new Error("The check refuses the body");
  },
  "spans, walk": () => read(known),
  "flat objects, TypeBox passes": () => read(flat, Flat),
  "flat objects, walk": () => read(flatUnknown, Flat),
};
const taken: Record<string, number[]> = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(work)) {
    Bun.gc(true);
    // Of the processor, so that what else runs on the machine counts little.
    const begun = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begun);
    taken[name] ??= [];
    taken[name].push((user + system) / 1000);
  }
}
console.log(`${count} spans, ${(source.length / 1e6).toFixed(1)} MB; ${await machine()}\n`);
const rows = Object.entries(taken).map(([name, times]) => [
  name,
  milliseconds(median(times)),
  milliseconds(Math.min(...times)),
]);
console.log(table([["", "median", "least"], ...rows]));
