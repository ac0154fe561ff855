// Statistics of experiments and their runs: counts, means and tokens, computed from the rows at each request.
import { type RawBuilder, sql } from "kysely";
import type { BetterDirection } from "../../../../model/annotation.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { isNotDeleted } from "../experiments.store.ts";
import type {
  EvaluationSummary,
  LabelShare,
  MeasureComparison,
  MetricComparisons,
  RunFigures,
  RunTokens,
  ScoreRange,
  TracedTokens,
} from "./experiment-figures.schema.ts";
import type { PlainMeasure } from "./measure-directions.schema.ts";

export type ExperimentFiguresStore = ReturnType<typeof createExperimentFiguresStore>;

export function createExperimentFiguresStore(dialect: Dialect) {
  return { ...runFigures(dialect), ...evaluationFigures(dialect), ...comparedFigures(dialect) };
}

function runFigures(dialect: Dialect) {
  return {
    /** By experiment; one without runs is left out. */
    async findRunFigures(context: CallContext, experimentIds: readonly number[]): Promise<Map<number, RunFigures>> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("experiment_runs")
        .select((of) => [
          "experiment_id",
          of.fn.countAll<number>().as("runs"),
          of.fn.count<number>("error").as("failed"),
          of.fn.max<number>("end_us").as("lastEndUs"),
          sql<number>`avg(end_us - start_us)`.as("latencyUs"),
        ])
        .where(dialect.inList(sql.ref("experiment_id"), experimentIds))
        .groupBy("experiment_id")
        .execute();
      return new Map(
        rows.map(({ experiment_id, runs, failed, latencyUs, lastEndUs }) => [
          experiment_id,
          { runs: Number(runs), failed: Number(failed), latencyUs: Number(latencyUs), lastEndUs: Number(lastEndUs) },
        ]),
      );
    },

    /** By experiment: sums over the traces of its runs that are stored; without such a trace it is left out. */
    async findTokens(context: CallContext, experimentIds: readonly number[]): Promise<Map<number, RunTokens>> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("experiment_runs")
        .innerJoin("traces", "traces.trace_key", "experiment_runs.trace_key")
        .select((of) => [
          "experiment_id",
          of.fn.sum<number>("traces.prompt_tokens").as("prompt"),
          of.fn.sum<number>("traces.completion_tokens").as("completion"),
        ])
        .where("traces.span_count", ">", 0)
        .where(dialect.inList(sql.ref("experiment_id"), experimentIds))
        .groupBy("experiment_id")
        .execute();
      return new Map(
        rows.map((row) => [row.experiment_id, { prompt: Number(row.prompt), completion: Number(row.completion) }]),
      );
    },

    /** By the key of the trace; one that is not stored is left out. */
    async findTraced(context: CallContext, traceKeys: readonly string[]): Promise<Map<string, TracedTokens>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["id", "trace_key", "prompt_tokens", "completion_tokens"])
        .where("span_count", ">", 0)
        .where(dialect.inList(sql.ref("trace_key"), traceKeys))
        .execute();
      return new Map(
        rows.map((row) => [
          row.trace_key,
          { traceId: row.id, prompt: Number(row.prompt_tokens), completion: Number(row.completion_tokens) },
        ]),
      );
    },
  };
}

function evaluationFigures(dialect: Dialect) {
  return {
    /** By experiment, each by name. The mean is that of the means of the examples: one with more runs weighs no more. */
    async findSummaries(
      context: CallContext,
      experimentIds: readonly number[],
    ): Promise<Map<number, EvaluationSummary[]>> {
      const ofThese = dialect.inList(sql.ref("runs.experiment_id"), experimentIds);
      const { rows } = await sql<EvaluationSummary & { readonly experimentId: number }>`
        select experiment_id as "experimentId", name, sum(amount) as count, sum(errors) as "errorCount",
          sum(scores) as "scoreCount", sum(labels) as "labelCount", min(lowest) as "minScore",
          max(highest) as "maxScore", avg(mean) as "meanScore"
        from (
          select runs.experiment_id, evaluations.name, runs.example_id, count(*) as amount, count(evaluations.error) as errors,
            count(evaluations.score) as scores, count(evaluations.label) as labels, min(evaluations.score) as lowest,
            max(evaluations.score) as highest, avg(evaluations.score) as mean
          from experiment_runs as runs join experiment_evaluations as evaluations on evaluations.run_id = runs.id
          where ${ofThese} group by runs.experiment_id, evaluations.name, runs.example_id
        ) as by_example
        group by experiment_id, name order by name`.execute(context.database.read(context, "slow"));
      const summaries = rows.map((row) => ({
        ...row,
        count: Number(row.count),
        errorCount: Number(row.errorCount),
        scoreCount: Number(row.scoreCount),
        labelCount: Number(row.labelCount),
      }));
      return Map.groupBy(summaries, ({ experimentId }) => experimentId);
    },

    /** By dataset: the evaluations of its experiments, by name. One whose experiments have none is left out. */
    async findScoreRanges(
      context: CallContext,
      datasetIds: readonly number[],
      { withDismissed }: { readonly withDismissed: boolean },
    ): Promise<Map<number, ScoreRange[]>> {
      const listed = withDismissed ? sql`` : sql`and experiments.dismissed_us is null`;
      const { rows } = await sql<ScoreRange & { readonly datasetId: number }>`
        select experiments.dataset_id as "datasetId", evaluations.name, min(evaluations.score) as "minScore",
          max(evaluations.score) as "maxScore"
        from experiments join experiment_runs as runs on runs.experiment_id = experiments.id
        join experiment_evaluations as evaluations on evaluations.run_id = runs.id
        where ${dialect.inList(sql.ref("experiments.dataset_id"), datasetIds)} and ${isNotDeleted} ${listed}
        group by experiments.dataset_id, evaluations.name`.execute(context.database.read(context, "slow"));
      // Here, because each database has an order of its own for texts.
      rows.sort((one, other) => (one.name < other.name ? -1 : 1));
      return Map.groupBy(rows, ({ datasetId }) => Number(datasetId));
    },

    /** By experiment: how often each label of each evaluation was given, most often first. */
    async findLabels(context: CallContext, experimentIds: readonly number[]): Promise<Map<number, LabelShare[]>> {
      const ofThese = dialect.inList(sql.ref("runs.experiment_id"), experimentIds);
      const { rows } = await sql<LabelShare & { readonly experimentId: number }>`
        select runs.experiment_id as "experimentId", evaluations.name, evaluations.label, count(*) as amount
        from experiment_runs as runs join experiment_evaluations as evaluations on evaluations.run_id = runs.id
        where ${ofThese} and evaluations.label is not null
        group by runs.experiment_id, evaluations.name, evaluations.label
        order by amount desc, evaluations.label`.execute(context.database.read(context, "slow"));
      return Map.groupBy(
        rows.map((row) => ({ ...row, amount: Number(row.amount) })),
        ({ experimentId }) => experimentId,
      );
    },
  };
}

interface ComparedMetric {
  readonly column: string;
  /** Its direction decides what is better. */
  readonly measure: PlainMeasure;
  /** Of a run and its trace; null where it is unknown. */
  readonly value: RawBuilder<number | null>;
}

const compared = {
  latency: { column: "latency", measure: "LATENCY", value: sql`runs.end_us - runs.start_us` },
  total: { column: "total", measure: "TOKENS", value: sql`traces.prompt_tokens + traces.completion_tokens` },
  prompt: { column: "prompt", measure: "TOKENS", value: sql`traces.prompt_tokens` },
  completion: { column: "completion", measure: "TOKENS", value: sql`traces.completion_tokens` },
  totalCost: { column: "total_cost", measure: "COST", value: sql`costs.total` },
  promptCost: { column: "prompt_cost", measure: "COST", value: sql`costs.prompt` },
  completionCost: { column: "completion_cost", measure: "COST", value: sql`costs.completion` },
} as const satisfies Record<keyof MetricComparisons, ComparedMetric>;

function comparedFigures(dialect: Dialect) {
  return {
    /** Examples of the base, the first, by whether its best run is better (improved), worse or equal than the best one of all others. */
    async compareMetrics(
      context: CallContext,
      experimentIds: readonly [baseId: number, ...otherIds: number[]],
      directions: Readonly<Record<PlainMeasure, BetterDirection>>,
    ): Promise<MetricComparisons> {
      const [baseId] = experimentIds;
      const counts = Object.values(compared).map(({ column, measure }) => {
        const [base, other] = [sql.ref(`base.${column}`), sql.ref(`others.${column}`)];
        const [better, worse] = directions[measure] === "MINIMIZE" ? [sql`<`, sql`>`] : [sql`>`, sql`<`];
        return sql`count(case when ${base} ${better} ${other} then 1 end) as ${sql.ref(`${column}_improved`)},
          count(case when ${base} ${worse} ${other} then 1 end) as ${sql.ref(`${column}_regressed`)},
          count(case when ${base} = ${other} then 1 end) as ${sql.ref(`${column}_equal`)}`;
      });
      const ofThese = dialect.inList(sql.ref("runs.experiment_id"), experimentIds);
      const best = ({ column, measure }: ComparedMetric, value: RawBuilder<number | null>) => {
        const extreme = directions[measure] === "MINIMIZE" ? sql`min` : sql`max`;
        return sql`${extreme}(${value}) as ${sql.ref(column)}`;
      };
      const bestOfRuns = Object.values(compared).map((metric) => best(metric, metric.value));
      const bestOfOthers = Object.values(compared).map((metric) => best(metric, sql.ref(metric.column)));
      const { rows } = await sql<Record<string, number>>`
        with costs as (
          select spans.trace_id, sum(own.cost) as total, sum(own.prompt_cost) as prompt,
            sum(own.completion_cost) as completion
          from spans join span_costs as own on own.span_id = spans.id
          where spans.repeats_child = 0 and spans.trace_id in (
            select traces.id from experiment_runs as runs join traces on traces.trace_key = runs.trace_key
            where ${ofThese})
          group by spans.trace_id
        ),
        bests as (
          select runs.experiment_id, runs.example_id, ${sql.join(bestOfRuns)}
          from experiment_runs as runs
          left join traces on traces.trace_key = runs.trace_key and traces.span_count > 0
          left join costs on costs.trace_id = traces.id
          where ${ofThese}
          group by runs.experiment_id, runs.example_id
        ),
        others as (
          select example_id, ${sql.join(bestOfOthers)} from bests where experiment_id <> ${baseId} group by example_id
        )
        select count(*) as examples, ${sql.join(counts)}
        from experiment_examples as taken
        left join bests as base on base.experiment_id = ${baseId} and base.example_id = taken.example_id
        left join others on others.example_id = taken.example_id
        where taken.experiment_id = ${baseId}`.execute(context.database.read(context, "slow"));
      const row = rows[0]!;
      const of = ({ column }: ComparedMetric): MeasureComparison => {
        const [improved, regressed, equal] = ["improved", "regressed", "equal"].map((outcome) =>
          Number(row[`${column}_${outcome}`]),
        ) as [number, number, number];
        return { improved, regressed, equal, without: Number(row.examples) - improved - regressed - equal };
      };
      return {
        latency: of(compared.latency),
        total: of(compared.total),
        prompt: of(compared.prompt),
        completion: of(compared.completion),
        totalCost: of(compared.totalCost),
        promptCost: of(compared.promptCost),
        completionCost: of(compared.completionCost),
      };
    },
  };
}
