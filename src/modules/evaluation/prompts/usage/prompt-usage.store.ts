// Spans that were made with versions of prompts, in figures by version and project. They may read many spans: slow reads.
import { type RawBuilder, sql } from "kysely";
import { wirePaths } from "../../../../filter/attribute-path.ts";
import { differencesOf } from "../../../../filter/filter.ts";
import { type StatisticScope, spansInScope } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import { spanStatuses } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import type { VersionFigures, VersionScore } from "../prompts.schema.ts";
import { versionAttributes } from "./prompt-usage.rules.ts";

/** `version`: its global id, as spans name it. */
type OfVersion<Row> = Row & { readonly version: string };

export type PromptUsageStore = ReturnType<typeof createPromptUsageStore>;

export function createPromptUsageStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);

  /** The row id of each span of the scope with the version that it names; a span that names two is there twice. */
  async function namedVersions(
    context: CallContext,
    versions: readonly string[],
    scope: Settled<StatisticScope>,
  ): Promise<RawBuilder<{ readonly spanId: number; readonly version: string }>> {
    const matches = spansInScope(dialect, scope, await candidates.inScope(context, scope));
    const [only, another] = versions;
    if (another === undefined)
      return sql`(select id as "spanId", cast(${only} as text) as version from spans where ${matches})`;
    const attributes = sql.ref<never>("payload.attributes");
    const texts = versionAttributes.map((path, at) => {
      const text = differencesOf(dialect).attributeText({ attributes, paths: wirePaths(path) }, false);
      return sql`${text} as ${sql.ref(`text${at}`)}`;
    });
    const named = versionAttributes.map((_, at) => {
      const text = sql.ref(`text${at}`);
      return sql`select "spanId", ${text} as version from found where ${dialect.inList(text, versions)}`;
    });
    return sql`(with found as materialized (
      select spans.id as "spanId", ${sql.join(texts)} from spans
      join span_payloads as payload on payload.span_id = spans.id where ${matches})
      ${sql.join(named, sql` union `)})`;
  }

  /** A function, because awaiting a query runs it. */
  async function spansOf(context: CallContext, versions: readonly string[], scope: Settled<StatisticScope>) {
    const named = await namedVersions(context, versions, scope);
    return () =>
      context.database
        .read(context, "slow")
        .selectFrom(named.as("named"))
        .innerJoin("spans", "spans.id", "named.spanId")
        .select(["named.version as version", "spans.project_id as projectId"]);
  }

  return {
    async readFigures(
      context: CallContext,
      versions: readonly string[],
      scope: Settled<StatisticScope>,
    ): Promise<OfVersion<VersionFigures>[]> {
      const spans = await spansOf(context, versions, scope);
      const failed = sql.lit(spanStatuses.indexOf("ERROR"));
      // Each call of a model once, as everywhere.
      const tokens = (column: string) =>
        sql<number>`cast(coalesce(sum(case when spans.repeats_child = 0 then ${sql.ref(column)} end), 0) as bigint)`;
      const rows = await spans()
        .groupBy(["named.version", "spans.project_id"])
        .select((eb) => [
          eb.fn.countAll<number>().as("spanCount"),
          sql<number>`cast(sum(case when spans.status = ${failed} then 1 else 0 end) as bigint)`.as("errorCount"),
          dialect.quantile(sql.ref("spans.latency_us"), 0.5).as("latencyP50"),
          dialect.quantile(sql.ref("spans.latency_us"), 0.95).as("latencyP95"),
          tokens("spans.prompt_tokens").as("promptTokens"),
          tokens("spans.completion_tokens").as("completionTokens"),
        ])
        .execute();
      return rows.map((row) => ({
        version: row.version,
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
    async readScores(
      context: CallContext,
      versions: readonly string[],
      scope: Settled<StatisticScope>,
    ): Promise<OfVersion<VersionScore>[]> {
      const spans = await spansOf(context, versions, scope);
      const ofSpans = spans()
        .innerJoin("span_annotations", "span_annotations.span_id", "spans.id")
        .where("span_annotations.score", "is not", null)
        .groupBy(["named.version", "spans.project_id", "span_annotations.name", "spans.id"])
        .select("span_annotations.name as name")
        .select(sql<number>`avg(span_annotations.score)`.as("mean"));
      const rows = await context.database
        .read(context, "slow")
        .selectFrom(ofSpans.as("judged"))
        .groupBy(["version", "projectId", "name"])
        .select(["version", "projectId", "name", sql<number>`avg(mean)`.as("mean")])
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .orderBy("name")
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },
  };
}
