// The use case of what evaluators say of runs. Who may call it is decided by the policy before.
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../kernel/json.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import type { NewEvaluation } from "./experiment-evaluations.schema.ts";
import type { ExperimentEvaluationsStore } from "./experiment-evaluations.store.ts";
import { requireIdInPath } from "./experiment-ids.rules.ts";
import { RUN } from "./experiment-runs.schema.ts";
import { runNotFound } from "./experiments.errors.ts";

interface EvaluationsDependencies {
  readonly store: ExperimentEvaluationsStore;
  readonly storage: Pick<Storage, "transaction">;
}

export interface ExperimentEvaluationsService {
  /** Its row id. Takes the place of the one of the same name. Throws kind `invalid` for what is no id, `not_found`. */
  putEvaluation(context: CallContext, evaluation: NewEvaluation): Promise<number>;
}

/** Older clients send it in the result. */
function metadataOf({ result, metadata }: NewEvaluation): JsonObject {
  const before = result?.metadata as Json | undefined;
  return { ...(isJsonObject(before) ? before : {}), ...(metadata as JsonObject | null | undefined) };
}

export function createExperimentEvaluationsService({
  store,
  storage,
}: EvaluationsDependencies): ExperimentEvaluationsService {
  return {
    putEvaluation: (context, evaluation) =>
      storage.transaction(context, async (inner) => {
        const text = evaluation.experiment_run_id;
        const runId = requireIdInPath(RUN, "a run", text, runNotFound);
        if (!(await store.holdRun(inner, runId))) throw runNotFound(text);
        return store.put(inner, {
          runId,
          name: evaluation.name,
          annotatorKind: evaluation.annotator_kind,
          label: evaluation.result?.label ?? null,
          score: evaluation.result?.score ?? null,
          explanation: evaluation.result?.explanation ?? null,
          error: evaluation.error ?? null,
          metadata: stringifyJson(metadataOf(evaluation)),
          traceKey: evaluation.trace_id ?? null,
          startUs: evaluation.start_time,
          endUs: evaluation.end_time,
        });
      }),
  };
}
