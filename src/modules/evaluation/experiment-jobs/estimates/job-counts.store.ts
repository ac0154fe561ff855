// How far jobs are, counted.
import { sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { JobCounts } from "./job-estimate.schema.ts";

/** What answers of a model took so far. */
interface AnswerLengths {
  readonly calls: number;
  readonly completionTokens: number;
}

export type JobCountsStore = ReturnType<typeof createJobCountsStore>;

export function createJobCountsStore(dialect: Dialect) {
  return {
    /** By job; one without runs is left out. */
    async find(context: CallContext, jobIds: readonly number[]): Promise<Map<number, JobCounts>> {
      const { rows } = await sql<Record<"id" | keyof JobCounts, number>>`
        select jobs.experiment_id as id, count(*) - count(runs.error) as succeeded, count(runs.error) as failed,
          sum(case when runs.error is not null and runs.end_us >= jobs.started_us then 1 else 0 end) as "failedSinceStart",
          0 as evaluated, 0 as "evaluationsFailed"
        from experiment_jobs as jobs join experiment_runs as runs on runs.experiment_id = jobs.experiment_id
        where ${dialect.inList(sql.ref("jobs.experiment_id"), jobIds)}
        group by jobs.experiment_id`.execute(context.database.read(context, "short"));
      const evaluations = await sql<{ id: number; evaluated: number; failed: number }>`
        select runs.experiment_id as id, count(*) as evaluated, count(evaluations.error) as failed
        from experiment_runs as runs join experiment_evaluations as evaluations on evaluations.run_id = runs.id
        where ${dialect.inList(sql.ref("runs.experiment_id"), jobIds)} and evaluations.annotator_kind <> 'HUMAN'
        group by runs.experiment_id`.execute(context.database.read(context, "short"));
      const evaluated = new Map(evaluations.rows.map((row) => [Number(row.id), row]));
      return new Map(
        rows.map((row) => {
          const counted = evaluated.get(Number(row.id));
          const counts = {
            succeeded: Number(row.succeeded),
            failed: Number(row.failed),
            failedSinceStart: Number(row.failedSinceStart),
            evaluated: Number(counted?.evaluated ?? 0),
            evaluationsFailed: Number(counted?.failed ?? 0),
          };
          return [Number(row.id), counts];
        }),
      );
    },

    /** Of earlier jobs over the dataset with the model; calls of evaluators are among them where a job had some. */
    async findAnswerLengths(context: CallContext, datasetId: number, model: string): Promise<AnswerLengths> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("experiment_jobs as jobs")
        .innerJoin("experiments", "experiments.id", "jobs.experiment_id")
        .where("experiments.dataset_id", "=", datasetId)
        .where("jobs.model_name", "=", model)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("experiment_job_evaluators as links")
                .whereRef("links.experiment_id", "=", "jobs.experiment_id")
                .select("links.experiment_id"),
            ),
          ),
        )
        .select((eb) => [
          eb.fn.sum<number>("jobs.calls").as("calls"),
          eb.fn.sum<number>("jobs.completion_tokens").as("tokens"),
        ])
        .executeTakeFirst();
      return { calls: Number(row?.calls ?? 0), completionTokens: Number(row?.tokens ?? 0) };
    },
  };
}
