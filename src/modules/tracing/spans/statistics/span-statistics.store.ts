// Counts, sums and quantiles over the spans of projects, one statement for any number of projects. They may read a whole
// project: slow reads all of them.
import { sql } from "kysely";
import { isPlain, type StatisticScope, spansInScope } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import { spanStatuses } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { beginOnHours, type TimeBins } from "../../../../storage/time-bins.ts";
import { createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import { createHourStatisticsStore, type TokenSums } from "./hour-statistics.store.ts";
import { createLatencyQuantilesStore } from "./latency-quantiles.store.ts";

export type QuantileScope = StatisticScope & { readonly probability: number };

export type SpanStatisticsStore = ReturnType<typeof createSpanStatisticsStore>;

export function createSpanStatisticsStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);
  const hours = createHourStatisticsStore(dialect);
  const quantiles = createLatencyQuantilesStore(dialect);
  /** A function, because awaiting a query runs it. */
  const spansOf = async (context: CallContext, projectIds: readonly number[], scope: Settled<StatisticScope>) => {
    const isCandidate = await candidates.inScope(context, scope);
    const column = sql.ref<number>("spans.project_id");
    // With few candidates, nothing else may choose the way: also the order of the groups would.
    const project = isCandidate === null ? column : dialect.withoutIndex(column);
    return () =>
      context.database
        .read(context, "slow")
        .selectFrom("spans")
        .where(dialect.inList(project, projectIds))
        .where(spansInScope(dialect, scope, isCandidate))
        .groupBy(project);
  };
  /** Of spans, each call of a model once. */
  const sumOnce = (column: string) =>
    sql<number>`cast(coalesce(sum(case when spans.repeats_child = 0 then ${sql.ref(column)} end), 0) as bigint)`;

  /** Reads every span; the quantiles of blocks give exactly the same values. */
  async function sortedQuantile(
    context: CallContext,
    projectIds: readonly number[],
    { probability, ...scope }: Settled<QuantileScope>,
  ): Promise<Map<number, number>> {
    const rows = await (await spansOf(context, projectIds, scope))()
      .select(["project_id", dialect.quantile(sql.ref("latency_us"), probability).as("quantile")])
      .execute();
    return new Map(rows.map((row) => [row.project_id, row.quantile ?? 0]));
  }

  return {
    async count(
      context: CallContext,
      projectIds: readonly number[],
      scope: Settled<StatisticScope>,
    ): Promise<Map<number, number>> {
      if (isPlain(scope)) return hours.count(context, projectIds, scope);
      const rows = await (await spansOf(context, projectIds, scope))()
        .select((eb) => ["project_id", eb.fn.countAll<number>().as("count")])
        .execute();
      return new Map(rows.map((row) => [row.project_id, Number(row.count)]));
    },

    async tokens(
      context: CallContext,
      projectIds: readonly number[],
      scope: Settled<StatisticScope>,
    ): Promise<Map<number, TokenSums>> {
      if (isPlain(scope)) return hours.tokens(context, projectIds, scope);
      const rows = await (await spansOf(context, projectIds, scope))()
        .select(["project_id", sumOnce("prompt_tokens").as("prompt"), sumOnce("completion_tokens").as("completion")])
        .execute();
      return new Map(rows.map(({ project_id, prompt, completion }) => [project_id, { prompt, completion }]));
    },

    /** Microseconds. */
    async latencyQuantile(
      context: CallContext,
      projectIds: readonly number[],
      given: Settled<QuantileScope>,
    ): Promise<Map<number, number>> {
      const found = isPlain(given) ? await quantiles.find(context, projectIds, given, given.probability) : null;
      return found ?? sortedQuantile(context, projectIds, given);
    },

    sortedQuantile,

    /** Spans of one project by bin and status. */
    async countByBin(context: CallContext, projectId: number, scope: Settled<StatisticScope>, bins: TimeBins) {
      if (isPlain(scope) && beginOnHours(bins)) return hours.countByBin(context, projectId, scope, bins);
      const bin = dialect.timeBin(sql.ref("start_us"), bins);
      const rows = await (await spansOf(context, [projectId], scope))()
        .clearGroupBy()
        .select((eb) => [bin.as("bin"), "status", eb.fn.countAll<number>().as("count")])
        .groupBy([bin, "status"])
        .execute();
      return rows.map((row) => ({ bin: row.bin, status: spanStatuses[row.status]!, count: Number(row.count) }));
    },
  };
}
