// Removes experiments in slices, so that ingestion has its turn between them: their runs with their evaluations, then the examples.
import { type RawBuilder, sql } from "kysely";
import { globalId } from "../../../kernel/ids.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { EXPERIMENT, type Experiment } from "./experiments.schema.ts";
import { experimentOfRow } from "./experiments.store.ts";

/** Of one slice. */
const SLICE_RUNS = 500;
const SLICE_EXAMPLES = 2000;
const SLICE_TRACES = 500;

interface DeletionBeginning {
  readonly withProject: boolean;
  readonly nowUs: number;
  readonly dismissedBeforeUs?: number;
}

/** Where traces are looked for: in a project, after the trace that was seen last. */
export interface EvaluationTracePlace {
  readonly projectId: number;
  readonly startUs: number;
  readonly id: number;
}

/** A slice of the traces of a project. */
interface EvaluationTraces {
  /** Those of evaluations of the experiment. */
  readonly own: readonly { readonly id: number; readonly traceKey: string; readonly spanCount: number }[];
  /** Null after the last slice. */
  readonly next: EvaluationTracePlace | null;
}

export type ExperimentDeletionStore = ReturnType<typeof createExperimentDeletionStore>;

export function createExperimentDeletionStore(dialect: Dialect) {
  const run = async (context: CallContext, statement: RawBuilder<unknown>): Promise<number> =>
    Number((await statement.execute(context.database.write(context))).numAffectedRows ?? 0n);

  return {
    /** Also one whose deletion has begun. */
    async find(context: CallContext, id: number): Promise<Experiment | null> {
      const query = context.database.read(context, "short").selectFrom("experiments").selectAll();
      const row = await query.where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : experimentOfRow(row);
    },

    /** Those whose deletion has begun, and those that were dismissed before. */
    async list(context: CallContext, dismissedBeforeUs: number): Promise<Experiment[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiments")
        .selectAll()
        .where((eb) => eb.or([eb("deletion_began_us", "is not", null), eb("dismissed_us", "<", dismissedBeforeUs)]))
        .orderBy("id")
        .execute();
      return rows.map(experimentOfRow);
    },

    /** Hides it. With `dismissedBeforeUs` only if it still is dismissed. False when it is not, or is gone. */
    async begin(
      context: CallContext,
      id: number,
      { withProject, nowUs, dismissedBeforeUs }: DeletionBeginning,
    ): Promise<boolean> {
      const stillDismissed = dismissedBeforeUs === undefined ? sql`` : sql`and dismissed_us < ${dismissedBeforeUs}`;
      const project = withProject ? sql`, deletes_project = 1` : sql``;
      const begin = sql`update experiments set deletion_began_us = coalesce(deletion_began_us, ${nowUs}) ${project}
        where id = ${id} ${stillDismissed}`;
      return (await run(context, begin)) > 0;
    },

    /** The projects of the evaluators that a job attached to the experiment, each from the time on at which the job was made. */
    async listEvaluatorProjects(context: CallContext, id: number): Promise<EvaluationTracePlace[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_jobs as jobs")
        .innerJoin("experiment_job_evaluators as attached", "attached.experiment_id", "jobs.experiment_id")
        .innerJoin("dataset_evaluators as evaluators", "evaluators.id", "attached.dataset_evaluator_id")
        .innerJoin("projects", "projects.name", "evaluators.project_name")
        .where("jobs.experiment_id", "=", id)
        .select(["projects.id as projectId", "jobs.created_us as startUs"])
        .orderBy("projects.id")
        .execute();
      return rows.map((row) => ({ ...row, id: 0 }));
    },

    /** By the `metadata` of their roots: cancelled and repeated evaluations are in no row of the experiment. */
    async listEvaluationTraces(
      context: CallContext,
      id: number,
      { projectId, ...after }: EvaluationTracePlace,
    ): Promise<EvaluationTraces> {
      const isOwn = dialect.jsonScalarEquals(
        sql.ref("span_payloads.attributes"),
        ["metadata", "experiment_id"],
        globalId(EXPERIMENT, id),
      );
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["id", "trace_key as traceKey", "span_count as spanCount", "start_us as startUs"])
        .select(
          sql<number>`case when exists (select 1 from spans join span_payloads on span_payloads.span_id = spans.id
            where spans.trace_id = traces.id and spans.parent_key is null and ${isOwn}) then 1 else 0 end`.as("isOwn"),
        )
        .where("project_id", "=", projectId)
        .where(sql<boolean>`(start_us, id) > (${after.startUs}, ${after.id})`)
        .orderBy("start_us")
        .orderBy("id")
        .limit(SLICE_TRACES)
        .execute();
      const last = rows.at(-1);
      return {
        own: rows.filter((row) => row.isOwn === 1),
        next: last === undefined ? null : { projectId, startUs: last.startUs, id: last.id },
      };
    },

    /** False when nothing was left but the experiment itself. */
    async removeSlice(context: CallContext, id: number): Promise<boolean> {
      const runs = await run(
        context,
        sql`delete from experiment_runs where id in
          (select id from experiment_runs where experiment_id = ${id} order by id limit ${SLICE_RUNS})`,
      );
      if (runs > 0) return true;
      const examples = await run(
        context,
        sql`delete from experiment_examples where experiment_id = ${id} and example_id in
          (select example_id from experiment_examples where experiment_id = ${id} order by example_id
            limit ${SLICE_EXAMPLES})`,
      );
      return examples > 0;
    },

    async remove(context: CallContext, id: number): Promise<void> {
      await run(context, sql`delete from experiments where id = ${id}`);
    },
  };
}
