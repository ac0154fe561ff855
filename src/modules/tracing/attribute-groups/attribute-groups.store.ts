// Amounts over time by the values of an attribute: of traces by that of the span that represents them, of spans by their own. Every row
// of the range is read: slow reads.
import { type RawBuilder, sql } from "kysely";
import { wirePaths } from "../../../filter/attribute-path.ts";
import { differencesOf } from "../../../filter/filter.ts";
import { type StatisticScope, spansInScope, tracesInScope } from "../../../filter/scope.ts";
import type { Settled } from "../../../filter/settled.ts";
import type { AttributePath } from "../../../filter/tree.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { representativeOf } from "../../../storage/root-spans.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { TimeBins } from "../../../storage/time-bins.ts";
import type { GroupMeasure } from "./attribute-groups.schema.ts";

/** Values with the same first characters count as one group. */
const MOST_CHARACTERS = 200;
/** The part of the traces that are not slower. */
const SLOW_PART = 0.95;

interface GroupQuestion {
  readonly projectId: number;
  readonly path: AttributePath;
  readonly measure: GroupMeasure;
  readonly bins: TimeBins;
  /** Maximum number of groups: the largest first, of latencies those with most traces. */
  readonly limit: number;
}

/** What a group has in a bin. */
export interface GroupCell {
  /** From 1; the place behind the last group holds all others together. */
  readonly place: number;
  /** Null where the attribute is missing. */
  readonly value: string | null;
  readonly bin: number;
  readonly amount: number;
}

/** What is summed up, by row. */
const amounts: Readonly<Record<GroupMeasure, RawBuilder<number>>> = {
  traces: sql`1`,
  latency: sql`traces.latency_us`,
  tokens: sql`(traces.prompt_tokens + traces.completion_tokens)`,
  cost: sql`traces.cost`,
  spans: sql`1`,
};

export type AttributeGroupsStore = ReturnType<typeof createAttributeGroupsStore>;

export function createAttributeGroupsStore(dialect: Dialect) {
  /** Of the payload of a span: the value behind a sign, or nothing. */
  const keyOf = (path: AttributePath, span: RawBuilder<number | null>) => {
    const attributes = sql.ref<never>("payload.attributes");
    const text = differencesOf(dialect).attributeText({ attributes, paths: wirePaths(path) }, false);
    return sql<string>`coalesce((select '=' || substr(${text}, 1, ${sql.lit(MOST_CHARACTERS)})
      from span_payloads as payload where payload.span_id = ${span}), '')`;
  };

  function rowsOf({ projectId, path, measure, bins }: GroupQuestion, scope: Settled<StatisticScope>) {
    const table = measure === "spans" ? "spans" : "traces";
    const span = table === "spans" ? sql.ref<number>("spans.id") : representativeOf(sql.ref("traces.id"), "orphans");
    const matches =
      table === "spans"
        ? spansInScope(dialect, scope)
        : sql<boolean>`traces.span_count > 0 and ${tracesInScope(dialect, scope)}`;
    return sql`select ${keyOf(path, span)} as key, ${dialect.timeBin(sql.ref(`${table}.start_us`), bins)} as bin,
      ${amounts[measure]} as amount from ${sql.table(table)}
      where ${sql.ref(`${table}.project_id`)} = ${projectId} and ${matches}`;
  }

  return {
    /** The cells of all groups, in no order; what has nothing in a bin is left out. Microseconds, tokens, 10^-12 USD or counts. */
    async list(context: CallContext, question: GroupQuestion, scope: Settled<StatisticScope>): Promise<GroupCell[]> {
      const { measure, limit } = question;
      const rank = measure === "latency" ? sql`count(*)` : sql`sum(amount)`;
      const amount =
        measure === "latency"
          ? dialect.quantile(sql.ref("found.amount"), SLOW_PART)
          : sql`cast(sum(found.amount) as text)`;
      const others = limit + 1;
      const { rows } = await sql<{ place: number; key: string | null; bin: number; amount: string | number }>`
        with found as materialized (${rowsOf(question, scope)}),
        ranked as (select key, row_number() over (order by ${rank} desc, key) as place from found group by key),
        placed as (select key, case when place <= ${limit} then place else ${others} end as place from ranked)
        select placed.place as place, case when placed.place <= ${limit} then placed.key end as key, found.bin as bin,
          ${amount} as amount
        from found join placed on placed.key = found.key group by 1, 2, 3`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ place, key, bin, amount: found }) => ({
        place: Number(place),
        value: key ? key.slice(1) : null,
        bin: Number(bin),
        amount: Number(found),
      }));
    },
  };
}
