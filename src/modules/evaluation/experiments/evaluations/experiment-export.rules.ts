// Runs of an experiment as one JSON list or as a CSV file, part by part (docs/protocol/experiments.md).
import { csvLine, spacedJson } from "../../../../kernel/csv.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { doubleToJson, isJsonObject, type Json, parseJson, stringifyJson } from "../../../../kernel/json.ts";
import { formatInstant } from "../../../../kernel/time.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import type { RunTokens } from "../figures/experiment-figures.schema.ts";
import type { EvaluatedRun, ExperimentEvaluation } from "./experiment-evaluations.schema.ts";

interface ExportPart {
  readonly found: readonly EvaluatedRun[];
  readonly evaluations: ReadonlyMap<number, readonly ExperimentEvaluation[]>;
  /** By the key of the trace. */
  readonly tokens: ReadonlyMap<string, RunTokens>;
}

/** The text of the list, a part of it for each part of the runs. */
export async function* exportedText(first: ExportPart, others: AsyncIterable<ExportPart>): AsyncGenerator<string> {
  yield `[${linesOf(first)}`;
  for await (const part of others) yield `,${linesOf(part)}`;
  yield "\n]\n";
}

function linesOf({ found, evaluations, tokens }: ExportPart): string {
  return found
    .map((each) => stringifyJson(exportedRun(each, evaluations.get(each.run.id) ?? [], tokensOf(each, tokens))))
    .map((line) => `\n  ${line}`)
    .join(",");
}

/** Runs do not say what they used: their traces do, while they are stored. */
function tokensOf({ run }: EvaluatedRun, tokens: ExportPart["tokens"]): RunTokens | null {
  return run.traceKey === null ? null : (tokens.get(run.traceKey) ?? null);
}

function exportedRun(
  { run, example }: EvaluatedRun,
  evaluations: readonly ExperimentEvaluation[],
  tokens: RunTokens | null,
): Json {
  return {
    example_id: globalId(EXAMPLE, run.exampleId),
    repetition_number: run.repetition,
    input: parseJson(example.input),
    reference_output: parseJson(example.output),
    output: parseJson(run.output),
    error: run.error,
    latency_ms: latencyOf(run),
    start_time: formatInstant(run.startUs),
    end_time: formatInstant(run.endUs),
    trace_id: run.traceKey,
    prompt_token_count: tokens?.prompt ?? null,
    completion_token_count: tokens?.completion ?? null,
    annotations: evaluations.map(
      (evaluation): Json => ({
        name: evaluation.name,
        annotator_kind: evaluation.annotatorKind,
        label: evaluation.label,
        score: floatOf(evaluation.score),
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

/** Milliseconds, with a fraction. */
function latencyOf({ startUs, endUs }: EvaluatedRun["run"]): Json {
  return doubleToJson((endUs - startUs) / 1000);
}

function floatOf(value: number | null): Json {
  return value === null ? null : doubleToJson(value);
}

const RUN_COLUMNS = [
  "example_id",
  "repetition_number",
  "input",
  "reference_output",
  "output",
  "metadata",
  "error",
  "latency_ms",
  "start_time",
  "end_time",
  "trace_id",
  "prompt_token_count",
  "completion_token_count",
] as const;
const EVALUATION_COLUMNS = [
  "label",
  "score",
  "explanation",
  "metadata",
  "annotator_kind",
  "trace_id",
  "error",
  "start_time",
  "end_time",
] as const;

/** The text of the file, the header and a part of it for each part of the runs; `names` are all evaluations, in their order. */
export async function* exportedCsv(
  names: readonly string[],
  first: ExportPart,
  others: AsyncIterable<ExportPart>,
): AsyncGenerator<string> {
  const header = names.flatMap((name) => EVALUATION_COLUMNS.map((column) => `annotation_${name}_${column}`));
  yield csvLine([...RUN_COLUMNS, ...header]) + rowsOf(names, first);
  for await (const part of others) yield rowsOf(names, part);
}

function rowsOf(names: readonly string[], { found, evaluations, tokens }: ExportPart): string {
  return found.map((each) => csvRow(names, each, evaluations.get(each.run.id) ?? [], tokensOf(each, tokens))).join("");
}

function csvRow(
  names: readonly string[],
  { run, example }: EvaluatedRun,
  evaluations: readonly ExperimentEvaluation[],
  tokens: RunTokens | null,
): string {
  const byName = new Map(evaluations.map((evaluation) => [evaluation.name, evaluation]));
  return csvLine([
    globalId(EXAMPLE, run.exampleId),
    String(run.repetition),
    cell(parseJson(example.input)),
    cell(parseJson(example.output)),
    cell(parseJson(run.output)),
    cell(parseJson(example.metadata)),
    run.error ?? "",
    cell(latencyOf(run)),
    formatInstant(run.startUs),
    formatInstant(run.endUs),
    run.traceKey ?? "",
    tokens === null ? "" : String(tokens.prompt),
    tokens === null ? "" : String(tokens.completion),
    ...names.flatMap((name) => evaluationCells(byName.get(name))),
  ]);
}

function evaluationCells(evaluation: ExperimentEvaluation | undefined): string[] {
  if (evaluation === undefined) return EVALUATION_COLUMNS.map(() => "");
  const { label, score, explanation, metadata, annotatorKind, traceKey, error, startUs, endUs } = evaluation;
  return [
    label ?? "",
    cell(floatOf(score)),
    explanation ?? "",
    cell(parseJson(metadata)),
    annotatorKind,
    traceKey ?? "",
    error ?? "",
    formatInstant(startUs),
    formatInstant(endUs),
  ];
}

/** Objects and lists as JSON of ASCII letters alone, texts as they are, nothing for null. */
function cell(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  return isJsonObject(value) || Array.isArray(value) ? ascii(spacedJson(value)) : stringifyJson(value);
}

function ascii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
