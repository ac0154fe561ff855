// The rows of what evaluators say of runs.
import { sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ExperimentEvaluation, NewEvaluationRow } from "./experiment-evaluations.schema.ts";

type EvaluationId = Pick<ExperimentEvaluation, "id" | "runId" | "name">;

export type ExperimentEvaluationsStore = ReturnType<typeof createExperimentEvaluationsStore>;

export function createExperimentEvaluationsStore(dialect: Dialect) {
  return {
    /** Holds the runs until the end of the transaction, so that none is deleted meanwhile. Those that are there. */
    async holdRuns(context: CallContext, runIds: readonly number[]): Promise<Set<number>> {
      const query = context.database
        .write(context)
        .selectFrom("experiment_runs")
        .select("id")
        .where(dialect.inList(sql.ref("id"), runIds))
        .orderBy("id");
      // SQLite has one writer anyway.
      const rows = await (dialect.name === "sqlite" ? query : query.forKeyShare()).execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Their row ids, by run and name, which each stand there once. Each takes the place of the one of the same name. */
    async putAll(context: CallContext, evaluations: readonly NewEvaluationRow[]): Promise<EvaluationId[]> {
      // Every transaction takes its places in the same order: two of them never wait for each other.
      const rows = evaluations
        .map(rowOf)
        .sort((one, other) => one.run_id - other.run_id || (one.name < other.name ? -1 : 1));
      return context.database
        .write(context)
        .insertInto("experiment_evaluations")
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(["run_id", "name"]).doUpdateSet((of) => ({
            annotator_kind: of.ref("excluded.annotator_kind"),
            label: of.ref("excluded.label"),
            score: of.ref("excluded.score"),
            explanation: of.ref("excluded.explanation"),
            error: of.ref("excluded.error"),
            metadata: of.ref("excluded.metadata"),
            trace_key: of.ref("excluded.trace_key"),
            start_us: of.ref("excluded.start_us"),
            end_us: of.ref("excluded.end_us"),
          })),
        )
        .returning(["id", "run_id as runId", "name"])
        .execute();
    },
  };
}

function rowOf(evaluation: NewEvaluationRow) {
  return {
    run_id: evaluation.runId,
    name: evaluation.name,
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
}
