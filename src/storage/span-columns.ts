// The columns of `spans`, the one list: the drivers insert by it, rows are read by it, and the types of the tables are made of it.
import type { SpanCost } from "../costs/span-cost.ts";
import { attributeFields, type IncomingSpan, type SpanColumns, spanKinds, spanStatuses } from "../model/span.ts";
import type { SumVector } from "../model/summaries/rollups/rollup.ts";

export interface NewSpan {
  readonly span: IncomingSpan;
  readonly traceId: number;
  readonly projectId: number;
  readonly sums: SumVector;
  readonly onCycle: boolean;
  readonly repeatsChild: boolean;
  /** Null for what is no call of a model, or reports nothing that costs. */
  readonly cost: SpanCost | null;
}

/** With a question mark where it may be null. */
interface ColumnValues {
  text: string;
  "text?": string | null;
  integer: number;
  "integer?": number | null;
}
type ColumnType = keyof ColumnValues;

/** `record` is its name in records of spans; null for what none of them has. */
function column<const Type extends ColumnType, const Name extends string | null>(
  type: Type,
  record: Name,
  of: (span: NewSpan) => ColumnValues[Type],
) {
  return { type, record, of };
}

const kindCodes = new Map(spanKinds.map((kind, code) => [kind, code]));
const statusCodes = new Map(spanStatuses.map((status, code) => [status, code]));

/** All but `id` and `epoch`, which follow from the place of the row. */
export const spanColumns = {
  trace_id: column("integer", "traceId", ({ traceId }) => traceId),
  project_id: column("integer", "projectId", ({ projectId }) => projectId),
  span_key: column("text", "spanKey", ({ span }) => span.spanKey),
  parent_key: column("text?", "parentKey", ({ span }) => span.parentKey),
  name: column("text", "name", ({ span }) => span.name),
  /** Code of `spanKinds`. */
  kind: column("integer", "kind", ({ span }) => kindCodes.get(span.kind)!),
  /** Code of `spanStatuses`. */
  status: column("integer", "status", ({ span }) => statusCodes.get(span.status)!),
  status_message: column("text", "statusMessage", ({ span }) => span.statusMessage),
  start_us: column("integer", "startUs", ({ span }) => span.startUs),
  latency_us: column("integer", "latencyUs", ({ span }) => span.endUs - span.startUs),
  user_key: column("text?", "userKey", ({ span }) => span.userKey),
  /** Name of the model, as sent. */
  model: column("text?", "model", ({ span }) => span.model),
  /** Its own, null for every kind but LLM. */
  prompt_tokens: column("integer?", "promptTokens", ({ span }) => span.promptTokens),
  completion_tokens: column("integer?", "completionTokens", ({ span }) => span.completionTokens),
  own_cost: column("integer?", null, ({ cost }) => cost?.total ?? null),
  sum_errors: column("integer", null, ({ sums }) => sums.errors),
  sum_prompt: column("integer", null, ({ sums }) => sums.prompt),
  sum_completion: column("integer", null, ({ sums }) => sums.completion),
  on_cycle: column("integer", null, ({ onCycle }) => (onCycle ? 1 : 0)),
  /** 1: a direct child, also the call of a model, reports the same counts, and sums take them from there. */
  repeats_child: column("integer", "repeatsChild", ({ repeatsChild }) => (repeatsChild ? 1 : 0)),
  /** Null where the name says it, and in rows of older versions. */
  shown_name: column("text?", "shownName", ({ span }) => span.shownName),
  /** The first HEAD_CHARACTERS of input and output as text. */
  input_head: column("text?", "inputHead", ({ span }) => span.inputHead),
  output_head: column("text?", "outputHead", ({ span }) => span.outputHead),
  /** What a person reads first of them; null where the head says it, and in rows of older versions. */
  input_said: column("text?", "inputPreview", ({ span }) => span.inputPreview),
  output_said: column("text?", "outputPreview", ({ span }) => span.outputPreview),
};

type SpanColumn = keyof typeof spanColumns;
type ValueOf<Column extends SpanColumn> = ColumnValues[(typeof spanColumns)[Column]["type"]];

/** A row as the database has it. */
export type SpanColumnValues = { [Column in SpanColumn]: ValueOf<Column> };

/** A row by the names of records, with codes for kind and status. */
export type SpanRow = { readonly id: number } & {
  readonly [Column in SpanColumn as (typeof spanColumns)[Column]["record"] & string]: ValueOf<Column>;
};

type Selected<Column extends SpanColumn> = (typeof spanColumns)[Column]["record"] extends infer Name extends string
  ? `spans.${Column} as ${Name}`
  : never;

/** Selects a `SpanRow`. */
export const selectedSpan = [
  "spans.id",
  ...Object.entries(spanColumns).flatMap(([name, { record }]) =>
    record === null ? [] : [`spans.${name} as ${record}` as { [Column in SpanColumn]: Selected<Column> }[SpanColumn]],
  ),
] as const;

const ofAttributes = Object.entries(spanColumns).filter(
  ([, { record }]) => record !== null && record in attributeFields,
);

/** The columns that attributes say: they read nothing else of a span. */
export function columnsOfAttributes(span: SpanColumns): Partial<SpanColumnValues> {
  return Object.fromEntries(ofAttributes.map(([name, { of }]) => [name, of({ span } as NewSpan)]));
}
