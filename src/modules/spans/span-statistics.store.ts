// Counts, sums and quantiles over the spans of projects, one statement for any number of projects. They may read a whole
// project: slow reads all of them.
import { sql } from "kysely";
import { isWhole, type Scope, spansInScope } from "../../filter/scope.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { TimeBins } from "../../storage/time-bins.ts";
import { spanStatuses } from "../traces/span.schema.ts";

export interface TokenSums {
  readonly prompt: number;
  readonly completion: number;
}

export type SpanStatisticsStore = ReturnType<typeof createSpanStatisticsStore>;

export function createSpanStatisticsStore(dialect: Dialect) {
  const spansOf = (context: CallContext, projectIds: readonly number[], scope: Scope) =>
    context.database
      .read(context, "slow")
      .selectFrom("spans")
      .where(dialect.inList(sql.ref("spans.project_id"), projectIds))
      .where(spansInScope(dialect, scope))
      .groupBy("project_id");
  /** Traces hold the sums of their spans: without a range nobody needs to count the spans. */
  const tracesOf = (context: CallContext, projectIds: readonly number[]) =>
    context.database
      .read(context, "slow")
      .selectFrom("traces")
      .where(dialect.inList(sql.ref("project_id"), projectIds))
      .groupBy("project_id");
  const sum = (column: string) => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

  return {
    async count(context: CallContext, projectIds: readonly number[], scope: Scope): Promise<Map<number, number>> {
      const rows = isWhole(scope)
        ? await tracesOf(context, projectIds)
            .select(["project_id", sum("span_count").as("count")])
            .execute()
        : await spansOf(context, projectIds, scope)
            .select((eb) => ["project_id", eb.fn.countAll<number>().as("count")])
            .execute();
      return new Map(rows.map((row) => [row.project_id, Number(row.count)]));
    },

    async tokens(context: CallContext, projectIds: readonly number[], scope: Scope): Promise<Map<number, TokenSums>> {
      const sums = [
        "project_id",
        sum("prompt_tokens").as("prompt"),
        sum("completion_tokens").as("completion"),
      ] as const;
      const rows = isWhole(scope)
        ? await tracesOf(context, projectIds).select(sums).execute()
        : await spansOf(context, projectIds, scope).select(sums).execute();
      return new Map(rows.map(({ project_id, prompt, completion }) => [project_id, { prompt, completion }]));
    },

    /** Microseconds. */
    async latencyQuantile(
      context: CallContext,
      projectIds: readonly number[],
      { probability, ...scope }: Scope & { readonly probability: number },
    ): Promise<Map<number, number>> {
      const rows = await spansOf(context, projectIds, scope)
        .select(["project_id", dialect.quantile(sql.ref("latency_us"), probability).as("quantile")])
        .execute();
      return new Map(rows.map((row) => [row.project_id, row.quantile ?? 0]));
    },

    /** Spans of one project by bin and status. */
    async countByBin(context: CallContext, projectId: number, scope: Scope, bins: TimeBins) {
      const bin = dialect.timeBin(sql.ref("start_us"), bins);
      const rows = await spansOf(context, [projectId], scope)
        .clearGroupBy()
        .select((eb) => [bin.as("bin"), "status", eb.fn.countAll<number>().as("count")])
        .groupBy([bin, "status"])
        .execute();
      return rows.map((row) => ({ bin: row.bin, status: spanStatuses[row.status]!, count: Number(row.count) }));
    },
  };
}
