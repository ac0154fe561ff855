// The rows of what evaluators say of runs.
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { ExperimentEvaluation } from "./experiment-evaluations.schema.ts";

export type ExperimentEvaluationsStore = ReturnType<typeof createExperimentEvaluationsStore>;

export function createExperimentEvaluationsStore(dialect: Dialect) {
  return {
    /** Holds the run until the end of the transaction, so that it is not deleted meanwhile. False when it is gone. */
    async holdRun(context: CallContext, runId: number): Promise<boolean> {
      const query = context.database.write(context).selectFrom("experiment_runs").select("id").where("id", "=", runId);
      // SQLite has one writer anyway.
      const row = await (dialect.name === "sqlite" ? query : query.forKeyShare()).executeTakeFirst();
      return row !== undefined;
    },

    /** Its row id. Takes the place of the one of the same name. */
    async put(context: CallContext, evaluation: Omit<ExperimentEvaluation, "id">): Promise<number> {
      const said = {
        annotator_kind: evaluation.annotatorKind,
        label: evaluation.label,
        score: evaluation.score,
        explanation: evaluation.explanation,
        error: evaluation.error,
        metadata: evaluation.metadata,
        trace_key: evaluation.traceKey,
        start_us: evaluation.startUs,
        end_us: evaluation.endUs,
      };
      const { id } = await context.database
        .write(context)
        .insertInto("experiment_evaluations")
        .values({ run_id: evaluation.runId, name: evaluation.name, ...said })
        .onConflict((conflict) => conflict.columns(["run_id", "name"]).doUpdateSet(said))
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    },
  };
}
