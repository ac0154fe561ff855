// Counts, bounds, sums and quantiles over the traces of projects. They may read a whole project: slow reads, but for what an
// index answers.
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { type StatisticScope, tracesInScope } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import { growingEdges, type HistogramBin, histogramBins, MOST_HISTOGRAM_BINS } from "../../../../kernel/histogram.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { numberBin } from "../../../../storage/number-bin.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { Tables } from "../../../../storage/tables.ts";
import type { TimeBins } from "../../../../storage/time-bins.ts";

export type TraceStatisticsStore = ReturnType<typeof createTraceStatisticsStore>;

/** True for every span that may match the condition of a scope; null for all (src/summaries/blocks/candidates.store.ts). */
type CandidateSpans = (context: CallContext, scope: Settled<StatisticScope>) => Promise<RawBuilder<boolean> | null>;

export function createTraceStatisticsStore(dialect: Dialect, candidateSpans: CandidateSpans) {
  const tracesOf = tracesReader(dialect, candidateSpans);
  const latency = sql.ref<number>("latency_us");
  const binned = async (context: CallContext, projectId: number, scope: Settled<StatisticScope>, bins: TimeBins) => {
    const bin = dialect.timeBin(sql.ref("start_us"), bins);
    const traces = await tracesOf(context, [projectId], scope);
    return () => traces().select(bin.as("bin")).groupBy(bin);
  };

  return {
    async count(
      context: CallContext,
      projectIds: readonly number[],
      scope: Settled<StatisticScope>,
    ): Promise<Map<number, number>> {
      const rows = await (await tracesOf(context, projectIds, scope))()
        .select((eb) => ["project_id", eb.fn.countAll<number>().as("count")])
        .groupBy("project_id")
        .execute();
      return new Map(rows.map((row) => [row.project_id, Number(row.count)]));
    },

    /** Of traces in which a span failed. */
    async countErrors(
      context: CallContext,
      projectIds: readonly number[],
      scope: Settled<StatisticScope>,
    ): Promise<Map<number, number>> {
      const rows = await (await tracesOf(context, projectIds, scope, "error_count"))()
        .select((eb) => ["project_id", eb.fn.countAll<number>().as("count")])
        .groupBy("project_id")
        .execute();
      return new Map(rows.map((row) => [row.project_id, Number(row.count)]));
    },

    /** Earliest start and latest end; projects without traces are left out. */
    bounds: (context: CallContext, projectIds: readonly number[]) => readBounds(dialect, context, projectIds),

    async findFilled(context: CallContext, projectIds: readonly number[]): Promise<Map<number, true>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("projects")
        .select("id")
        .where(dialect.inList(sql.ref("id"), projectIds))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("traces")
              .select("traces.id")
              .whereRef("traces.project_id", "=", "projects.id")
              .where("traces.span_count", ">", 0),
          ),
        )
        .execute();
      return new Map(rows.map((row) => [row.id, true]));
    },

    /** Microseconds. */
    async latencyQuantile(
      context: CallContext,
      projectIds: readonly number[],
      { probability, ...scope }: Settled<StatisticScope & { readonly probability: number }>,
    ): Promise<Map<number, number>> {
      const rows = await (await tracesOf(context, projectIds, scope))()
        .select(["project_id", dialect.quantile(latency, probability).as("quantile")])
        .groupBy("project_id")
        .execute();
      return new Map(rows.map((row) => [row.project_id, row.quantile ?? 0]));
    },

    /** All traces and those with an error. */
    async countByBin(context: CallContext, projectId: number, scope: Settled<StatisticScope>, bins: TimeBins) {
      const errors = sql<number>`cast(sum(case when error_count > 0 then 1 else 0 end) as bigint)`;
      const rows = await (await binned(context, projectId, scope, bins))()
        .select((eb) => [eb.fn.countAll<number>().as("count"), errors.as("errors")])
        .execute();
      return rows.map((row) => ({ bin: row.bin, count: Number(row.count), errors: Number(row.errors) }));
    },

    histogram: async (
      context: CallContext,
      projectId: number,
      scope: Settled<StatisticScope>,
      of: keyof typeof spread,
    ) => histogramOf(await tracesOf(context, [projectId], scope), projectId, spread[of]),

    /** Microseconds. */
    async latencyByBin(context: CallContext, projectId: number, scope: Settled<StatisticScope>, bins: TimeBins) {
      const quantile = (part: number) => dialect.quantile(latency, part);
      const rows = await (await binned(context, projectId, scope, bins))()
        .select([quantile(0.5).as("p50"), quantile(0.75).as("p75"), quantile(0.9).as("p90"), quantile(0.95).as("p95")])
        .select([quantile(0.99).as("p99"), quantile(0.999).as("p999"), quantile(1).as("max")])
        .execute();
      return rows;
    },

    async tokensByBin(context: CallContext, projectId: number, scope: Settled<StatisticScope>, bins: TimeBins) {
      const sum = (column: string) => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`;
      return (await binned(context, projectId, scope, bins))()
        .select([sum("prompt_tokens").as("prompt"), sum("completion_tokens").as("completion")])
        .execute();
    },

    /** The same by kind of token, of calls that tell kinds apart; each call once. */
    tokenKindsByBin: async (context: CallContext, projectId: number, scope: Settled<StatisticScope>, bins: TimeBins) =>
      tokenKindsOf((await tracesOf(context, [projectId], scope))(), dialect.timeBin(sql.ref("traces.start_us"), bins)),
  };
}

async function readBounds(
  dialect: Dialect,
  context: CallContext,
  projectIds: readonly number[],
): Promise<Map<number, { readonly startUs: number; readonly endUs: number }>> {
  const inProject = sql`from traces where traces.project_id = projects.id and traces.span_count > 0`;
  const end = sql`traces.start_us + traces.latency_us`;
  // What ends last ends no earlier than the latest to start, and takes no longer than the longest: it starts after the one less the other.
  const { rows } = await sql<{ id: number; startUs: number | null; endUs: number | null }>`
    select projects.id, (select traces.start_us ${inProject} order by traces.start_us limit 1) as "startUs",
      (select max(${end}) ${inProject} and traces.start_us >=
        (select ${end} ${inProject} order by traces.start_us desc limit 1)
        - (select max(traces.latency_us) from traces where traces.project_id = projects.id)) as "endUs"
    from projects where ${dialect.inList(sql.ref("projects.id"), projectIds)}`.execute(
    context.database.read(context, "slow"),
  );
  return new Map(
    rows.flatMap(({ id, startUs, endUs }) => (startUs === null || endUs === null ? [] : [[id, { startUs, endUs }]])),
  );
}

/** Traces in the scope, or with `error_count` those of them in which a span failed; a function, because awaiting a query runs it. */
function tracesReader(dialect: Dialect, candidateSpans: CandidateSpans) {
  return async (
    context: CallContext,
    projectIds: readonly number[],
    scope: Settled<StatisticScope>,
    counted: "span_count" | "error_count" = "span_count",
  ) => {
    // The range is one of traces: their spans may start later.
    const isCandidate = await candidateSpans(context, { ...scope, startUs: null, endUs: null });
    return () =>
      context.database
        .read(context, "slow")
        .selectFrom("traces")
        .where(dialect.inList(sql.ref("traces.project_id"), projectIds))
        .where(counted, ">", 0)
        .where(tracesInScope(dialect, scope, isCandidate));
  };
}

/** What histograms are of: microseconds, or tokens of the traces that have any. */
const spread = {
  latency: { value: sql<number>`latency_us`, least: 0 },
  tokens: { value: sql<number>`(prompt_tokens + completion_tokens)`, least: 1 },
};

/** Asks for the bounds first, so that the edges are round and the bins are few. */
async function histogramOf(
  found: () => SelectQueryBuilder<Tables, "traces", object>,
  projectId: number,
  { value, least }: (typeof spread)[keyof typeof spread],
): Promise<HistogramBin[]> {
  // With a list of one project alone SQLite reads the traces of all.
  const traces = () => found().where("traces.project_id", "=", projectId).where(value, ">=", least);
  const [bounds] = await traces()
    .select([
      sql<number | null>`min(${value})`.as("least"),
      sql<number | null>`min(case when ${value} > 0 then ${value} end)`.as("lowest"),
      sql<number | null>`max(${value})`.as("highest"),
    ])
    .execute();
  if (bounds === undefined || bounds.least === null) return [];
  const [lowest, highest] = [Number(bounds.lowest ?? 0), Number(bounds.highest)];
  const growing = growingEdges(lowest, highest, MOST_HISTOGRAM_BINS - 1);
  const edges = Number(bounds.least) < growing[0]! ? [0, ...growing] : growing;
  const bin = numberBin(value, edges.slice(1, -1));
  const rows = await traces()
    .select((eb) => [bin.as("bin"), eb.fn.countAll<number>().as("count")])
    .groupBy(sql.ref("bin"))
    .execute();
  return histogramBins(edges, new Map(rows.map((row) => [Number(row.bin), Number(row.count)])));
}

async function tokenKindsOf(traces: SelectQueryBuilder<Tables, "traces", object>, bin: RawBuilder<number>) {
  const rows = await traces
    .innerJoin("spans", "spans.trace_id", "traces.id")
    .innerJoin("span_cost_details as details", "details.span_id", "spans.id")
    .where("spans.repeats_child", "=", 0)
    .select(["details.token_type as tokenType", "details.is_prompt as isPrompt", bin.as("bin")])
    .select(sql<number>`cast(sum(details.tokens) as bigint)`.as("tokens"))
    .groupBy([bin, "details.token_type", "details.is_prompt"])
    .orderBy("details.token_type")
    .execute();
  return rows.map(({ isPrompt, ...row }) => ({ ...row, isPrompt: isPrompt === 1 }));
}
