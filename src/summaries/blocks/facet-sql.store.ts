// The value of a facet as SQL over a row of `spans`: the same when a block is counted and when the rest is read.
import { type RawBuilder, sql } from "kysely";
import { spanStatuses } from "../../model/span.ts";
import { type Facet, latencyBands, VALUE_CHARACTERS } from "../../model/summaries/blocks/facets.ts";
import type { Dialect } from "../../storage/dialect.ts";

const ERROR = spanStatuses.indexOf("ERROR");

interface FacetSql {
  /** Text; of an error type the events of the span, which exceptionTypeOf reads. */
  readonly value: RawBuilder<string>;
  /** What a row adds. */
  readonly amount: RawBuilder<number>;
  /** Rows that count. */
  readonly where: RawBuilder<boolean>;
}

export const isError = sql<boolean>`spans.status = ${sql.lit(ERROR)}`;
const all = sql<boolean>`1 = 1`;
const one = sql<number>`1`;
const none = sql<string>`cast('' as text)`;
const short = (column: string) => sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(VALUE_CHARACTERS)})`;
const present = (column: string) => sql<boolean>`${sql.ref(column)} is not null`;

/** Each call of a model once. */
function tokens(column: string): FacetSql {
  const counts = sql.ref<number>(column);
  return { value: none, amount: counts, where: sql<boolean>`(${counts} > 0 and spans.repeats_child = 0)` };
}

/** The lower bound of the band that the latency is in, which is in the same band. */
export function latencyBand(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return band(column, latencyBands);
}

/** By halves: a chain of 43 comparisons takes as long as everything else. */
function band(column: RawBuilder<unknown>, bounds: readonly number[]): RawBuilder<unknown> {
  if (bounds.length === 1) return sql.lit(bounds[0]!);
  const half = bounds.length >> 1;
  return sql`case when ${column} < ${sql.lit(bounds[half]!)} then ${band(column, bounds.slice(0, half))}
    else ${band(column, bounds.slice(half))} end`;
}

export function facetSql(dialect: Dialect, facet: Facet): FacetSql {
  const text = (column: RawBuilder<unknown>) => sql<string>`cast(${column} as text)`;
  switch (facet) {
    case "kind":
    case "status":
      return { value: text(sql.ref(`spans.${facet}`)), amount: one, where: all };
    case "model":
    case "name":
      return { value: short(`spans.${facet}`), amount: one, where: facet === "name" ? all : present("spans.model") };
    case "user":
      return { value: short("spans.user_key"), amount: one, where: present("spans.user_key") };
    case "errorType": {
      const events = dialect.jsonText(sql.ref("span_payloads.events"));
      return {
        value: sql<string>`(select ${events} from span_payloads where span_payloads.span_id = spans.id)`,
        amount: one,
        where: isError,
      };
    }
    case "latency":
      return { value: text(latencyBand(sql.ref("spans.latency_us"))), amount: one, where: all };
    case "promptTokens":
      return tokens("spans.prompt_tokens");
    case "completionTokens":
      return tokens("spans.completion_tokens");
  }
}
