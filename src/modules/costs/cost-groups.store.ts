// What calls cost by model, by user, or by kind of token: the groups that cost most, and what they cost over time. Each call once.
import { type RawBuilder, sql } from "kysely";
import { type StatisticScope, spansInScope } from "../../filter/scope.ts";
import type { Settled } from "../../filter/settled.ts";
import { spanKinds } from "../../model/span.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { TimeBins } from "../../storage/time-bins.ts";
import type { CostDimension, CostGroupSums } from "./costs.schema.ts";

/** Sums cross as text: beyond 2^53 the databases answer each in its own way. */
interface GroupRow {
  readonly key: string | null;
  readonly cost: string | null;
  readonly tokens: string | null;
  readonly unknown: number;
}

/** What a group costs in a bin; with `isOthers` all groups that were not named, together. */
interface CostCell {
  readonly key: string | null;
  readonly isOthers: boolean;
  readonly bin: number;
  readonly cost: number | null;
}

const LLM = spanKinds.indexOf("LLM");

interface Grouping {
  readonly key: RawBuilder<string | null>;
  readonly from: RawBuilder<unknown>;
  readonly cost: RawBuilder<unknown>;
  readonly tokens: RawBuilder<unknown>;
  readonly isUnknown: RawBuilder<unknown>;
  readonly isCall: RawBuilder<unknown>;
}

/** The rows of spans say it all: what they keep is what `span_costs` holds. */
const calls = {
  from: sql`spans`,
  cost: sql`spans.own_cost`,
  tokens: sql`coalesce(spans.prompt_tokens, 0) + coalesce(spans.completion_tokens, 0)`,
  isUnknown: sql`spans.own_cost is null and spans.model is not null
    and (spans.prompt_tokens is not null or spans.completion_tokens is not null)`,
  isCall: sql`(spans.own_cost is not null or spans.prompt_tokens is not null or spans.completion_tokens is not null)`,
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
    isCall: sql`true`,
  },
};

export type CostGroupsStore = ReturnType<typeof createCostGroupsStore>;

export function createCostGroupsStore(dialect: Dialect) {
  // The index of starts holds the kind: only calls of models are looked at.
  const chosen = (projectId: number, scope: Settled<StatisticScope>, { isCall }: Grouping) =>
    sql`spans.project_id = ${projectId} and ${spansInScope(dialect, scope)} and spans.kind = ${sql.lit(LLM)}
      and spans.repeats_child = 0 and ${isCall}`;
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
      const { rows } = await sql<GroupRow>`
        select key, cast(cost as text) as cost, cast(tokens as text) as tokens, unknown from (
          select ${grouping.key} as key, ${sums(grouping)} from ${grouping.from}
          where ${chosen(projectId, scope, grouping)} group by 1) as totals
        order by totals.cost desc nulls last, totals.tokens desc nulls last, key limit ${limit}`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map((row) => ({ key: row.key, ...sumsFrom(row) }));
    },

    /** What each of these costs in each bin, what has nothing in it left out, and what all cost, also the others. */
    async groupsByBin(
      context: CallContext,
      projectId: number,
      scope: Settled<StatisticScope>,
      dimension: CostDimension,
      keys: readonly (string | null)[],
      bins: TimeBins,
    ): Promise<CostCell[]> {
      const grouping = groupings[dimension];
      const named = keys.filter((key) => key !== null);
      const isNamed = keys.includes(null)
        ? sql`(key is null or ${dialect.inList(sql.ref("key"), named)})`
        : dialect.inList(sql.ref("key"), named);
      const { rows } = await sql<{ key: string | null; bin: number; others: number; cost: string | null }>`
        select case when ${isNamed} then key end as key, bin, case when ${isNamed} then 0 else 1 end as others,
          cast(sum(cost) as text) as cost
        from (select ${grouping.key} as key, ${dialect.timeBin(sql.ref("spans.start_us"), bins)} as bin,
            sum(${grouping.cost}) as cost
          from ${grouping.from} where ${chosen(projectId, scope, grouping)} group by 1, 2) as cells
        group by 1, 2, 3`.execute(context.database.read(context, "slow"));
      return rows.map(({ key, bin, others, cost }) => ({
        ...{ key, bin: Number(bin), isOthers: Number(others) === 1, cost: cost === null ? null : Number(cost) },
      }));
    },

    /** What all calls cost in each bin. */
    async allByBin(context: CallContext, projectId: number, scope: Settled<StatisticScope>, bins: TimeBins) {
      const { rows } = await sql<{ bin: number; cost: string | null }>`
        select ${dialect.timeBin(sql.ref("spans.start_us"), bins)} as bin, cast(sum(${calls.cost}) as text) as cost
        from spans where ${chosen(projectId, scope, groupings.model)} group by 1`.execute(
        context.database.read(context, "slow"),
      );
      return rows.flatMap(({ bin, cost }) => (cost === null ? [] : [{ bin: Number(bin), cost: Number(cost) }]));
    },
  };
}

function sumsFrom({ cost, tokens, unknown }: Omit<GroupRow, "key">) {
  return {
    cost: cost === null ? null : Number(cost),
    tokens: tokens === null ? null : Number(tokens),
    unknown: Number(unknown),
  };
}
