// Spans that were made with a version of a prompt, in figures by project. They may read many spans: slow reads.
import { sql } from "kysely";
import { type StatisticScope, spansInScope } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import { spanStatuses } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import type { VersionFigures, VersionScore } from "../prompts.schema.ts";

export type PromptUsageStore = ReturnType<typeof createPromptUsageStore>;

export function createPromptUsageStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);

  /** A function, because awaiting a query runs it. */
  async function spansOf(context: CallContext, scope: Settled<StatisticScope>) {
    const matches = spansInScope(dialect, scope, await candidates.inScope(context, scope));
    return () => context.database.read(context, "slow").selectFrom("spans").where(matches);
  }

  return {
    async readFigures(context: CallContext, scope: Settled<StatisticScope>): Promise<VersionFigures[]> {
      const spans = await spansOf(context, scope);
      const failed = sql.lit(spanStatuses.indexOf("ERROR"));
      // Each call of a model once, as everywhere.
      const tokens = (column: string) =>
        sql<number>`cast(coalesce(sum(case when spans.repeats_child = 0 then ${sql.ref(column)} end), 0) as bigint)`;
      const rows = await spans()
        .groupBy("spans.project_id")
        .select((eb) => [
          "spans.project_id as projectId",
          eb.fn.countAll<number>().as("spanCount"),
          sql<number>`cast(sum(case when spans.status = ${failed} then 1 else 0 end) as bigint)`.as("errorCount"),
          dialect.quantile(sql.ref("spans.latency_us"), 0.5).as("latencyP50"),
          dialect.quantile(sql.ref("spans.latency_us"), 0.95).as("latencyP95"),
          tokens("spans.prompt_tokens").as("promptTokens"),
          tokens("spans.completion_tokens").as("completionTokens"),
        ])
        .execute();
      return rows.map((row) => ({
        projectId: row.projectId,
        spanCount: Number(row.spanCount),
        errorCount: Number(row.errorCount),
        latencyP50: row.latencyP50 ?? 0,
        latencyP95: row.latencyP95 ?? 0,
        promptTokens: Number(row.promptTokens),
        completionTokens: Number(row.completionTokens),
      }));
    },

    /** By name. */
    async readScores(context: CallContext, scope: Settled<StatisticScope>): Promise<VersionScore[]> {
      const spans = await spansOf(context, scope);
      const ofSpans = spans()
        .innerJoin("span_annotations", "span_annotations.span_id", "spans.id")
        .where("span_annotations.score", "is not", null)
        .groupBy(["spans.project_id", "span_annotations.name", "spans.id"])
        .select(["spans.project_id as projectId", "span_annotations.name as name"])
        .select(sql<number>`avg(span_annotations.score)`.as("mean"));
      const rows = await context.database
        .read(context, "slow")
        .selectFrom(ofSpans.as("judged"))
        .groupBy(["projectId", "name"])
        .select((eb) => ["projectId", "name", sql<number>`avg(mean)`.as("mean"), eb.fn.countAll<number>().as("count")])
        .orderBy("name")
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },
  };
}
