// What calls cost by model, by user, or by kind of token: the groups that cost most, and what they cost over time. Each call once.
import { type RawBuilder, sql } from "kysely";
import { type StatisticScope, spansInScope } from "../../filter/scope.ts";
import type { Settled } from "../../filter/settled.ts";
import { costSourceCode } from "../../model/costs/span-cost.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { TimeBins } from "../../storage/time-bins.ts";
import type { CostDimension, CostGroupSums } from "./costs.schema.ts";

/** Sums cross as text: beyond 2^53 the databases answer each in its own way. */
interface GroupRow {
  readonly key: string | null;
  readonly bin: number;
  readonly cost: string | null;
  readonly tokens: string | null;
  readonly unknown: number;
}

interface Grouping {
  readonly key: RawBuilder<string | null>;
  readonly from: RawBuilder<unknown>;
  readonly cost: RawBuilder<unknown>;
  readonly tokens: RawBuilder<unknown>;
  readonly isUnknown: RawBuilder<unknown>;
}

const calls = {
  from: sql`spans join span_costs as costs on costs.span_id = spans.id`,
  cost: sql`costs.cost`,
  tokens: sql`coalesce(costs.prompt_tokens, 0) + coalesce(costs.completion_tokens, 0)`,
  isUnknown: sql`costs.source = ${sql.lit(costSourceCode("unknown"))}`,
};

const groupings: Readonly<Record<CostDimension, Grouping>> = {
  model: { ...calls, key: sql`spans.model` },
  // Who asked stands at the call, or at the earliest span of its trace that says it.
  user: {
    ...calls,
    key: sql`coalesce(spans.user_key, (select named.user_key from spans as named
      where named.trace_id = spans.trace_id and named.user_key is not null order by named.start_us, named.id limit 1))`,
  },
  kind: {
    from: sql`spans join span_cost_details as details on details.span_id = spans.id`,
    key: sql`case details.is_prompt when 1 then 'in ' else 'out ' end || details.token_type`,
    cost: sql`details.cost`,
    tokens: sql`details.tokens`,
    isUnknown: sql`details.cost is null`,
  },
};

export type CostGroupsStore = ReturnType<typeof createCostGroupsStore>;

export function createCostGroupsStore(dialect: Dialect) {
  const chosen = (projectId: number, scope: Settled<StatisticScope>) =>
    sql`spans.project_id = ${projectId} and spans.repeats_child = 0 and ${spansInScope(dialect, scope)}`;
  const sums = ({ cost, tokens, isUnknown }: Grouping) => sql`sum(${cost}) as cost, sum(${tokens}) as tokens,
    sum(case when ${isUnknown} then 1 else 0 end) as unknown`;

  return {
    /** Those that cost most first, then those that count most tokens. */
    async topGroups(
      context: CallContext,
      projectId: number,
      scope: Settled<StatisticScope>,
      dimension: CostDimension,
      limit: number,
    ): Promise<CostGroupSums[]> {
      const grouping = groupings[dimension];
      const { rows } = await sql<Omit<GroupRow, "bin">>`
        select key, cast(cost as text) as cost, cast(tokens as text) as tokens, unknown from (
          select ${grouping.key} as key, ${sums(grouping)} from ${grouping.from}
          where ${chosen(projectId, scope)} group by 1) as totals
        order by totals.cost desc nulls last, totals.tokens desc nulls last, key limit ${limit}`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map((row) => ({ key: row.key, ...sumsFrom(row) }));
    },

    /** What each of these costs in each bin; what has nothing in a bin is left out. */
    async groupsByBin(
      context: CallContext,
      projectId: number,
      scope: Settled<StatisticScope>,
      dimension: CostDimension,
      keys: readonly (string | null)[],
      bins: TimeBins,
    ): Promise<(CostGroupSums & { readonly bin: number })[]> {
      const grouping = groupings[dimension];
      const named = keys.filter((key) => key !== null);
      const isOne = keys.includes(null)
        ? sql`(${grouping.key} is null or ${dialect.inList(grouping.key, named)})`
        : dialect.inList(grouping.key, named);
      const { rows } = await sql<GroupRow>`
        select key, bin, cast(cost as text) as cost, cast(tokens as text) as tokens, unknown from (
          select ${grouping.key} as key, ${dialect.timeBin(sql.ref("spans.start_us"), bins)} as bin, ${sums(grouping)}
          from ${grouping.from} where ${chosen(projectId, scope)} and ${isOne} group by 1, 2) as totals`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map((row) => ({ key: row.key, bin: Number(row.bin), ...sumsFrom(row) }));
    },
  };
}

function sumsFrom({ cost, tokens, unknown }: Omit<GroupRow, "key" | "bin">) {
  return {
    cost: cost === null ? null : Number(cost),
    tokens: tokens === null ? null : Number(tokens),
    unknown: Number(unknown),
  };
}
