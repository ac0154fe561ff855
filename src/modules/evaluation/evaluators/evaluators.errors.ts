// What can be wrong with evaluators and their links.
import { fail } from "../../../kernel/failure.ts";

export const builtInEvaluatorNotFound = (id: string) =>
  fail("evaluators.built_in_not_found", "not_found", `Built-in evaluator with id ${id} not found`);

export const evaluatorIdRefused = (id: string, type: string | null) =>
  fail(
    "evaluators.invalid_id",
    "invalid",
    type === null
      ? `Invalid evaluator id: ${id}. It is not the id of an evaluator`
      : `Invalid evaluator id: ${id}. Invalid evaluator type: ${type}. A BuiltInEvaluator is needed`,
  );

export const evaluatedDatasetNotFound = (id: string) =>
  fail("evaluators.dataset_not_found", "not_found", `Dataset with id ${id} not found`);

export const datasetEvaluatorNotFound = (id: string) =>
  fail("evaluators.link_not_found", "not_found", `DatasetEvaluator with id ${id} not found`);

export const datasetEvaluatorIdRefused = (id: string) =>
  fail("evaluators.invalid_link_id", "invalid", `Invalid dataset evaluator id: ${id}`);

export const datasetEvaluatorNameTaken = (name: string, datasetId: string) =>
  fail(
    "evaluators.link_name_taken",
    "conflict",
    `DatasetEvaluator with name ${name} already exists for dataset ${datasetId}: an evaluator with name '${name}' already exists for this dataset`,
  );

export const datasetEvaluatorRepeated = (id: string) =>
  fail("evaluators.repeated", "invalid", `The dataset evaluator ${id} is there twice`);

export const otherKindOfEvaluator = (kind: "LLM" | "BUILTIN") =>
  fail(
    "evaluators.other_kind",
    "invalid",
    kind === "BUILTIN" ? "Cannot update a built-in evaluator" : "Cannot update a non-built-in evaluator",
  );

export const inputMappingMissing = () => fail("evaluators.no_input_mapping", "invalid", "input_mapping is required");

export const outputRefused = (output: string, problem: string) =>
  fail("evaluators.output", "invalid", `outputConfigs: '${output}': ${problem}`);

export const evaluatorNameTaken = (name: string) =>
  fail("evaluators.name_taken", "conflict", `An evaluator with this name already exists: ${name}`);

export const evaluatorWithoutPrompt = (name: string) =>
  fail("evaluators.without_prompt", "invalid", `The prompt of the evaluator ${name} has no version`);

/** Evaluations that one request may try. */
export const MAX_PREVIEWS = 20;

export const previewCountRefused = (count: number) =>
  fail("evaluators.previews", "invalid", `previews: from 1 to ${MAX_PREVIEWS} can be tried at once, not ${count}`);

export const previewTimedOut = (seconds: number) => `The evaluation took longer than ${seconds} seconds`;

export const otherIdThanBuiltIn = (type: string) =>
  fail("evaluators.invalid_id", "invalid", `Expected built-in evaluator, got ${type}`);

export const onlyCategoricalPreviews = () =>
  fail("evaluators.unfit", "invalid", "Only categorical annotation configs are supported for LLM evaluator previews");

export const evaluatorProjectGone = (name: string) =>
  fail("evaluators.project_gone", "not_found", `The project of the evaluator ${name} is gone`);
