// Runs of an experiment as one JSON list, part by part (docs/protocol/experiments.md).
import { globalId } from "../../kernel/ids.ts";
import { type Json, parseJson, stringifyJson } from "../../kernel/json.ts";
import { formatInstant } from "../../kernel/time.ts";
import { EXAMPLE } from "../datasets/datasets.schema.ts";
import type { EvaluatedRun, ExperimentEvaluation } from "./experiment-evaluations.schema.ts";

interface ExportPart {
  readonly found: readonly EvaluatedRun[];
  readonly said: ReadonlyMap<number, readonly ExperimentEvaluation[]>;
}

/** The text of the list, a part of it for each part of the runs. */
export async function* exportedText(first: ExportPart, others: AsyncIterable<ExportPart>): AsyncGenerator<string> {
  yield `[${linesOf(first)}`;
  for await (const part of others) yield `,${linesOf(part)}`;
  yield "\n]\n";
}

function linesOf({ found, said }: ExportPart): string {
  return found.map((each) => `\n  ${stringifyJson(exportedRun(each, said.get(each.run.id) ?? []))}`).join(",");
}

function exportedRun({ run, example }: EvaluatedRun, said: readonly ExperimentEvaluation[]): Json {
  return {
    example_id: globalId(EXAMPLE, run.exampleId),
    repetition_number: run.repetition,
    input: parseJson(example.input),
    reference_output: parseJson(example.output),
    output: parseJson(run.output),
    error: run.error,
    latency_ms: (run.endUs - run.startUs) / 1000,
    start_time: formatInstant(run.startUs),
    end_time: formatInstant(run.endUs),
    trace_id: run.traceKey,
    // Runs do not say what they used: their traces do.
    prompt_token_count: null,
    completion_token_count: null,
    annotations: said.map(
      (evaluation): Json => ({
        name: evaluation.name,
        annotator_kind: evaluation.annotatorKind,
        label: evaluation.label,
        score: evaluation.score,
        explanation: evaluation.explanation,
        trace_id: evaluation.traceKey,
        error: evaluation.error,
        metadata: parseJson(evaluation.metadata),
        start_time: formatInstant(evaluation.startUs),
        end_time: formatInstant(evaluation.endUs),
      }),
    ),
  };
}
