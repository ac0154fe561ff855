// The use case of what evaluators say of runs. Who may call it is decided by the policy before.

import { globalId } from "../../../../kernel/ids.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import { createGatheredWrites, type WriteOutcome } from "../../../../storage/gathered-writes.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { requireIdInPath } from "../experiment-ids.rules.ts";
import { runNotFound } from "../experiments.errors.ts";
import { RUN } from "../runs/experiment-runs.schema.ts";
import type { NewEvaluation, NewEvaluationRow } from "./experiment-evaluations.schema.ts";
import type { ExperimentEvaluationsStore } from "./experiment-evaluations.store.ts";

interface EvaluationsDependencies {
  readonly store: ExperimentEvaluationsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly ownContext: () => CallContext;
}

export interface ExperimentEvaluationsService {
  /** Its row id. Takes the place of the one of the same name. Throws kind `invalid` for what is no id, `not_found`. */
  putEvaluation(context: CallContext, evaluation: NewEvaluation): Promise<number>;
  /** Stores evaluations as `putEvaluation` does, in the transaction of the caller: a row id for each, in order; null where the run is
   *  gone. */
  putRows(context: CallContext, evaluations: readonly NewEvaluationRow[]): Promise<(number | null)[]>;
}

/** Older clients send it in the result. */
function metadataOf({ result, metadata }: NewEvaluation): JsonObject {
  const before = result?.metadata as Json | undefined;
  return { ...(isJsonObject(before) ? before : {}), ...(metadata as JsonObject | null | undefined) };
}

const placeOf = ({ runId, name }: Pick<NewEvaluationRow, "runId" | "name">) => `${runId} ${name}`;

export function createExperimentEvaluationsService({
  store,
  storage,
  ownContext,
}: EvaluationsDependencies): ExperimentEvaluationsService {
  const put = createGatheredWrites<NewEvaluationRow, number>({
    storage,
    ownContext,
    bytesOf: ({ metadata, explanation }) => 2 * (metadata.length + (explanation?.length ?? 0)),
    work: (context, evaluations) => putTogether(context, evaluations),
  });

  async function putRows(context: CallContext, evaluations: readonly NewEvaluationRow[]): Promise<(number | null)[]> {
    const held = await store.holdRuns(context, [...new Set(evaluations.map(({ runId }) => runId))]);
    // Of those that were sent together the last one stays.
    const last = new Map(evaluations.filter(({ runId }) => held.has(runId)).map((one) => [placeOf(one), one]));
    const made = last.size === 0 ? [] : await store.putAll(context, [...last.values()]);
    const ids = new Map(made.map((one) => [placeOf(one), one.id]));
    return evaluations.map((evaluation) => (held.has(evaluation.runId) ? ids.get(placeOf(evaluation))! : null));
  }

  async function putTogether(
    context: CallContext,
    evaluations: readonly NewEvaluationRow[],
  ): Promise<WriteOutcome<number>[]> {
    const ids = await putRows(context, evaluations);
    return ids.map((id, at) =>
      id === null ? { refusal: runNotFound(globalId(RUN, evaluations[at]!.runId)) } : { result: id },
    );
  }

  return {
    putRows,

    async putEvaluation(_context, evaluation) {
      return put({
        runId: requireIdInPath(RUN, "a run", evaluation.experiment_run_id, runNotFound),
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
    },
  };
}
