// What calls cost by model, by user, or by kind of token: the groups that cost most, and what they cost over time. Each call once.
import { sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { Range } from "../../../storage/period.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { TimeBins } from "../../../storage/time-bins.ts";
import { createCostSumsStore } from "../../../summaries/blocks/cost-sums.store.ts";
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

export type CostGroupsStore = ReturnType<typeof createCostGroupsStore>;

export function createCostGroupsStore(dialect: Dialect) {
  const sums = createCostSumsStore(dialect);
  const total = (column: string) => sql`cast(sum(${sql.ref(column)}) as text)`;

  return {
    /** Those that cost most first, then those that count most tokens. */
    async topGroups(
      context: CallContext,
      projectId: number,
      range: Range,
      dimension: CostDimension,
      limit: number,
    ): Promise<CostGroupSums[]> {
      const question = { projectIds: [projectId], range, dimension, bins: null };
      const rows = await sums.select<GroupRow & { readonly rank: number }>(
        context,
        question,
        (cells) => sql`
          select key, ${total("cost")} as cost, ${total("tokens")} as tokens, sum(unknown) as unknown,
            row_number() over (order by sum(cost) desc nulls last, sum(tokens) desc nulls last, key) as rank
          from ${cells} as calls group by key order by rank limit ${limit}`,
      );
      return rows
        .toSorted((one, other) => Number(one.rank) - Number(other.rank))
        .map(({ key, cost, tokens, unknown }) => ({
          ...{ key, cost: numberOrNull(cost), tokens: numberOrNull(tokens), unknown: Number(unknown) },
        }));
    },

    /** What each of these costs in each bin, what has nothing in it left out, and what all cost, also the others. */
    async groupsByBin(
      context: CallContext,
      projectId: number,
      range: Range,
      dimension: CostDimension,
      keys: readonly (string | null)[],
      bins: TimeBins,
    ): Promise<CostCell[]> {
      const named = keys.filter((key) => key !== null);
      const isNamed = keys.includes(null)
        ? sql`(key is null or ${dialect.inList(sql.ref("key"), named)})`
        : dialect.inList(sql.ref("key"), named);
      const rows = await sums.select<{ key: string | null; bin: number; others: number; cost: string | null }>(
        context,
        { projectIds: [projectId], range, dimension, bins },
        (cells) => sql`
          select case when ${isNamed} then key end as key, bin, case when ${isNamed} then 0 else 1 end as others,
            ${total("cost")} as cost
          from ${cells} as calls group by 1, 2, 3`,
      );
      return rows.map(({ key, bin, others, cost }) => ({
        ...{ key, bin: Number(bin), isOthers: Number(others) === 1, cost: numberOrNull(cost) },
      }));
    },

    /** What all calls cost in each bin. */
    async allByBin(context: CallContext, projectId: number, range: Range, bins: TimeBins) {
      const rows = await sums.select<{ bin: number; cost: string | null }>(
        context,
        { projectIds: [projectId], range, dimension: "model", bins },
        (cells) => sql`select bin, ${total("cost")} as cost from ${cells} as calls group by bin`,
      );
      return rows.flatMap(({ bin, cost }) => (cost === null ? [] : [{ bin: Number(bin), cost: Number(cost) }]));
    },
  };
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
