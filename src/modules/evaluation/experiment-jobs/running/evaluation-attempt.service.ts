// One attempt of an evaluation: a run is judged, or the judging fails and may be tried again.
import { stringifyJson } from "../../../../kernel/json.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { evaluationLimits } from "../../../../providers/call-limits.ts";
import type { ModelCall } from "../../../../providers/model-call.ts";
import type { Evaluation } from "../../evaluators/runs/evaluator-runs.schema.ts";
import type { NewEvaluationRow } from "../../experiments/evaluations/experiment-evaluations.schema.ts";
import type { RecordedEvent } from "../../model-calls/model-calls.schema.ts";
import { addedSpending, type JobSpending, noSpending } from "../experiment-jobs.schema.ts";
import { CallBlocked, spendingOf } from "./job-calls.service.ts";
import { type ItemProblem, problemCodeOf, retrySeconds } from "./job-failures.rules.ts";
import type { EvaluationItem } from "./job-items.schema.ts";
import type { JobNeeds } from "./job-needs.schema.ts";

export type EvaluationOutcome = { readonly spent: JobSpending } & (
  | { readonly type: "done"; readonly evaluations: readonly NewEvaluationRow[]; readonly problem: ItemProblem | null }
  | { readonly type: "retry"; readonly delaySeconds: number }
  | { readonly type: "cancelled" }
);

/** Throws `CallBlocked`. */
export async function attemptEvaluation(
  item: EvaluationItem,
  needs: JobNeeds,
  onAnswered: () => void,
): Promise<EvaluationOutcome> {
  const { evaluator, example, run } = item;
  const { runEvaluator, storeSpans, metadataOf, signal, task } = needs;
  item.tries++;
  let spent = noSpending;
  /** What kept the call from being made: the evaluator would take it for its own failure. */
  let refusal: CallBlocked | null = null as CallBlocked | null;
  async function* callModel(call: ModelCall): AsyncGenerator<RecordedEvent> {
    try {
      for await (const event of callsOf(item, needs, call, onAnswered)) {
        if (event.type === "finish" || event.type === "failure") spent = addedSpending(spent, spendingOf(event));
        yield event;
      }
    } catch (error) {
      if (error instanceof CallBlocked) refusal = error;
      throw error;
    }
  }
  try {
    const evaluation = await runEvaluator({
      evaluator: task.tracingEnabled ? evaluator.prepared : { ...evaluator.prepared, projectName: null },
      context: { input: example.input, reference: example.output, output: run.output, metadata: example.metadata },
      endpoint: evaluator.endpoint,
      callModel,
      metadata: { ...metadataOf(item), experiment_run_id: run.id },
      signal,
    });
    if (evaluation.spans.length > 0) await storeSpans(evaluation.spans);
    return outcomeOf(item, evaluation, spent, signal);
  } catch (error) {
    if (refusal === null) throw error;
    item.tries--;
    throw refusal;
  }
}

function callsOf(
  { evaluator }: EvaluationItem,
  { calls }: JobNeeds,
  call: ModelCall,
  onAnswered: () => void,
): AsyncGenerator<RecordedEvent, void, undefined> {
  return calls.attempt({
    call,
    purpose: "evaluation",
    callLimits: evaluationLimits,
    projectId: evaluator.projectId,
    // The evaluator makes the span itself, below its own.
    place: null,
    metadata: {},
    onAnswered,
  });
}

function outcomeOf(
  { run, tries }: EvaluationItem,
  evaluation: Evaluation,
  spent: JobSpending,
  signal: AbortSignal,
): EvaluationOutcome {
  const { failure, results, traceKey, startUs, endUs } = evaluation;
  if (failure !== null && signal.aborted) return { type: "cancelled", spent };
  const delaySeconds = failure === null ? null : retrySeconds(evaluation.attempts.at(-1) ?? null, tries);
  if (delaySeconds !== null) return { type: "retry", spent, delaySeconds };
  const error = results.find((result) => result.error !== null)?.error ?? null;
  const isUsedUp = failure?.isTransient === true && tries > 1;
  return {
    type: "done",
    spent,
    evaluations: results.map((result) => ({
      runId: run.id,
      name: result.name,
      annotatorKind: result.annotatorKind,
      label: textOf(result.label),
      score: result.score,
      explanation: textOf(result.explanation),
      error: textOf(result.error),
      metadata: storableText(stringifyJson(result.metadata)),
      traceKey,
      startUs,
      endUs,
    })),
    problem:
      error === null
        ? null
        : {
            code: failure === null ? "evaluator" : problemCodeOf(failure),
            message: storableText(error),
            retries: isUsedUp ? tries - 1 : null,
          },
  };
}

function textOf(text: string | null): string | null {
  return text === null ? null : storableText(text);
}
