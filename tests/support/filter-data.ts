// The data sets of the filter vectors: as spans that ingestion takes, as rows of a database, and as plain objects for the
// evaluator, all from the same encoded requests.
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { type JsonObject, parseJson } from "../../src/kernel/json.ts";
import { type AnnotatorKind, labelHead } from "../../src/model/annotation.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import additions from "../vectors/additions.json" with { type: "json" };
import dataset from "../vectors/dataset.json" with { type: "json" };
import { type OtlpSpan, otlpAttributes, otlpExport } from "./otlp-encode.ts";
import { roundTrip } from "./otlp-request.ts";
import { openTestStorage, type TestStorage } from "./storage.ts";

export interface CostDetail {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly tokens: number | null;
  /** 10^-12 USD, as every cost here. */
  readonly cost: bigint | null;
}

export interface SpanCosts {
  readonly prompt: bigint | null;
  readonly completion: bigint | null;
  readonly total: bigint | null;
  readonly details: readonly CostDetail[];
}

export interface AnnotationRow {
  readonly owner: "span" | "trace" | "session";
  /** External id of the span, trace or session. */
  readonly key: string;
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  readonly identifier: string;
  readonly annotatorKind: AnnotatorKind;
}

export interface FilterData {
  /** In the order of their arrival. */
  readonly spans: readonly IncomingSpan[];
  /** By the key of the span. */
  readonly costs: ReadonlyMap<string, SpanCosts>;
  readonly annotations: readonly AnnotationRow[];
}

/** Spans as ingestion takes them, sent one by one to a project. */
export function incomingSpans(project: string, spans: readonly OtlpSpan[]): IncomingSpan[] {
  const resource = [{ key: "openinference.project.name", value: { stringValue: project } }];
  return spans.flatMap((span) => [...roundTrip(otlpExport([span], resource), "protobuf").spans]);
}

interface AnnotationBody {
  readonly name: string;
  readonly result: { label?: string | null; score?: number | null; explanation?: string | null };
  readonly identifier?: string;
  readonly annotator_kind?: string;
}

function annotation(
  owner: AnnotationRow["owner"],
  key: string,
  { name, result, identifier, annotator_kind = "HUMAN" }: AnnotationBody,
): AnnotationRow {
  const { label = null, score = null, explanation = null } = result;
  const annotatorKind = annotator_kind as AnnotatorKind;
  return { owner, key, name, label, score, explanation, identifier: identifier ?? "", annotatorKind };
}

const picoDollars = (dollars: number | null) => (dollars === null ? null : BigInt(Math.round(dollars * 1e12)));

/** The data set of the span, trace and session vectors. Costs as the price list of the reference gives them for `gpt-4o`. */
export const vectorData: FilterData = {
  spans: incomingSpans(dataset.project, dataset.spans as unknown as readonly OtlpSpan[]),
  costs: new Map([
    [
      "000000000bee0002",
      {
        prompt: 250_000_000n,
        completion: 200_000_000n,
        total: 450_000_000n,
        details: [
          { tokenType: "input", isPrompt: true, tokens: 100, cost: 250_000_000n },
          { tokenType: "output", isPrompt: false, tokens: 20, cost: 200_000_000n },
        ],
      },
    ],
  ]),
  annotations: [
    ...dataset.span_annotations.map((body) => annotation("span", body.span_id, body)),
    ...dataset.trace_annotations.map((body) => annotation("trace", body.trace_id, body)),
    ...dataset.session_annotations.map((body) => annotation("session", body.session_id, body)),
  ],
};

interface RestSpan {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly span_kind: string;
  readonly parent_id: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly status_code: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The data set of the additions. */
export const additionData: FilterData = {
  spans: additions.setup
    .filter(({ path }) => path === "/v1/projects/additions/spans")
    .flatMap(({ body }) => incomingSpans("additions", (body as unknown as { data: RestSpan[] }).data.map(otlpSpan))),
  costs: new Map(Object.entries(additions.data.costs).map(([key, costs]) => [key.padStart(16, "0"), spanCosts(costs)])),
  annotations: (["span", "trace", "session"] as const).flatMap((owner) =>
    additions.setup
      .filter(({ path }) => path === `/v1/${owner}_annotations`)
      .flatMap(({ body }) => (body as unknown as { data: (AnnotationBody & Record<string, string>)[] }).data)
      .map((body) => annotation(owner, body[`${owner}_id`]!, body)),
  ),
};

function otlpSpan(span: RestSpan): OtlpSpan {
  const { context, parent_id, start_time, end_time, status_code, span_kind, attributes } = span;
  return {
    name: span.name,
    traceId: context.trace_id,
    spanId: context.span_id,
    ...(parent_id === null ? {} : { parentSpanId: parent_id }),
    startTimeUnixNano: nanoseconds(start_time),
    endTimeUnixNano: nanoseconds(end_time),
    status: { code: ["UNSET", "OK", "ERROR"].indexOf(status_code) },
    attributes: otlpAttributes({ ...attributes, "openinference.span.kind": span_kind }),
  };
}

function nanoseconds(text: string): string {
  const [, seconds, fraction] = /^(.+)\.(\d{6})/.exec(text)!;
  return `${BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction!) * 1000n}`;
}

function spanCosts(costs: (typeof additions.data.costs)[keyof typeof additions.data.costs]): SpanCosts {
  const details = costs.details as unknown as readonly [string, boolean, number, number | null][];
  return {
    prompt: picoDollars(costs.prompt),
    completion: picoDollars(costs.completion),
    total: picoDollars(costs.total),
    details: details.map(([tokenType, isPrompt, tokens, cost]) => ({
      tokenType,
      isPrompt,
      tokens,
      cost: picoDollars(cost),
    })),
  };
}

/** A database that holds a data set: the spans through ingestion, one by one, costs and annotations as rows. */
export async function storeFilterData(url: string, data: FilterData): Promise<TestStorage> {
  const store = await openTestStorage(url);
  for (const span of data.spans) await ingestBatch(store.ingest, [span]);
  const database = store.storage.handle.write(store.context());
  const run = (statement: ReturnType<typeof sql>) => statement.execute(database);
  const number = (value: bigint | null) => (value === null ? sql`null` : sql.lit(Number(value)));
  for (const [key, costs] of data.costs) {
    await run(sql`insert into span_costs (span_id, trace_id, start_us, cost, prompt_cost, completion_cost)
      select id, trace_id, start_us, ${number(costs.total)}, ${number(costs.prompt)}, ${number(costs.completion)}
      from spans where span_key = ${key}`);
    await run(sql`update spans set own_cost = ${number(costs.total)} where span_key = ${key}`);
    for (const { tokenType, isPrompt, tokens, cost } of costs.details)
      await run(sql`insert into span_cost_details (span_id, token_type, is_prompt, tokens, cost)
        select id, ${sql.lit(tokenType)}, ${sql.lit(isPrompt ? 1 : 0)}, ${sql.lit(tokens)}, ${number(cost)}
        from spans where span_key = ${key}`);
  }
  await storeAnnotations(store, data.annotations);
  await run(sql`update traces set cost = coalesce((select sum(own_cost) from spans where trace_id = traces.id), 0)`);
  await run(sql`update sessions set cost = coalesce((select sum(cost) from traces where session_id = sessions.id), 0)`);
  return store;
}

/** Table, column of the owner, table and key of the owners. */
const annotated = {
  span: ["span_annotations", "span_id", "spans", "span_key"],
  trace: ["trace_annotations", "trace_id", "traces", "trace_key"],
  session: ["session_annotations", "session_id", "sessions", "session_key"],
} as const;

/** As rows beside what they are about, which is stored. */
export async function storeAnnotations(
  { storage, context }: TestStorage,
  annotations: readonly AnnotationRow[],
): Promise<void> {
  const database = storage.handle.write(context());
  for (const { owner, key, name, label, score, explanation, identifier, annotatorKind } of annotations) {
    const [table, column, rows, keyColumn] = annotated[owner];
    const head = label === null ? null : labelHead(label);
    await sql`insert into ${sql.table(table)} (${sql.ref(column)}, name, identifier, annotator_kind, label, label_head,
        score, explanation, metadata, source, created_us, updated_us)
      select id, ${name}, ${identifier}, ${annotatorKind}, ${label}, ${head}, ${score}, ${explanation}, '{}', 'API', 0, 0
      from ${sql.table(rows)} where ${sql.ref(keyColumn)} = ${key}`.execute(database);
  }
}

/** The stored attributes of a span as values. */
export function attributesOf(span: IncomingSpan): JsonObject {
  return parseJson(span.attributes) as JsonObject;
}
