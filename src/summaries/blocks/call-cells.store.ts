// Calls of models by the dimensions of their cost, as SQL: the same when a block is counted and when the rest is read.
import { type RawBuilder, sql } from "kysely";
import { spanKinds } from "../../model/span.ts";
import type { CellAmount, CellDimension } from "../../model/summaries/blocks/cost-cells.ts";
import type { SpanColumn } from "./summarised-range.store.ts";

/** Rows of one dimension: one a call, of kinds one a kind of the call. */
interface CallRows {
  /** To be joined to `spans`. */
  readonly joined: RawBuilder<unknown>;
  readonly where: (column: SpanColumn) => RawBuilder<unknown>;
  readonly value: RawBuilder<string | null>;
  /** The trace whose user is the value. */
  readonly traceId: RawBuilder<number | null>;
  readonly amounts: Readonly<Partial<Record<CellAmount, RawBuilder<number | null>>>>;
}

const LLM = sql.lit(spanKinds.indexOf("LLM"));
/** The index of starts holds the kind: only calls of models are looked at. */
const isCounted = (column: SpanColumn) => sql`${column("kind")} = ${LLM} and spans.repeats_child = 0`;
const isCall = (column: SpanColumn) => sql`${isCounted(column)}
  and (spans.own_cost is not null or spans.prompt_tokens is not null or spans.completion_tokens is not null)`;
const number = (column: string) => sql.ref<number | null>(column);

/** The rows of spans say it all: what they keep is what `span_costs` holds. */
const call = {
  joined: sql``,
  where: isCall,
  traceId: sql<number | null>`cast(null as bigint)`,
  amounts: {
    cost: number("spans.own_cost"),
    tokens: sql<number>`coalesce(spans.prompt_tokens, 0) + coalesce(spans.completion_tokens, 0)`,
    unknown: sql<number>`case when spans.own_cost is null and spans.model is not null
      and (spans.prompt_tokens is not null or spans.completion_tokens is not null) then 1 else 0 end`,
  },
};

export const callRows: Readonly<Record<CellDimension, CallRows>> = {
  all: {
    joined: sql`join span_costs as costs on costs.span_id = spans.id`,
    where: () => sql`spans.repeats_child = 0`,
    value: sql<null>`cast(null as text)`,
    traceId: call.traceId,
    amounts: {
      cost: number("costs.cost"),
      prompt_cost: number("costs.prompt_cost"),
      completion_cost: number("costs.completion_cost"),
      prompt_tokens: number("costs.prompt_tokens"),
      completion_tokens: number("costs.completion_tokens"),
    },
  },
  model: { ...call, value: sql.ref<string | null>("spans.model") },
  user: {
    ...call,
    value: sql.ref<string | null>("spans.user_key"),
    traceId: sql<number | null>`case when spans.user_key is null then spans.trace_id end`,
  },
  kind: {
    joined: sql`join span_cost_details as details on details.span_id = spans.id`,
    where: isCounted,
    value: sql<string>`case details.is_prompt when 1 then 'in ' else 'out ' end || details.token_type`,
    traceId: call.traceId,
    amounts: {
      cost: number("details.cost"),
      tokens: number("details.tokens"),
      unknown: sql<number>`case when details.cost is null then 1 else 0 end`,
    },
  },
};

/** Who asked: the call says it, or the earliest span of its trace that says it. */
export function userOf(value: RawBuilder<unknown>, traceId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`coalesce(${value}, (select named.user_key from spans as named
    where named.trace_id = ${traceId} and named.user_key is not null order by named.start_us, named.id limit 1))`;
}
