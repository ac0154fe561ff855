// Evaluators, and the links that attach them to datasets.
import type { TypeWord } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { EvaluatorKind } from "../../../model/evaluator.ts";
import type { NewAnnotationConfig } from "../annotation-configs/annotation-configs.schema.ts";

export type BuiltInEvaluatorKey = "contains" | "exact_match" | "json_distance" | "levenshtein_distance" | "regex";

/** Where the inputs of an evaluator come from: a literal, else a JSONPath into the context, else the context's member of the same name. */
export interface InputMapping {
  readonly literalMapping: JsonObject;
  readonly pathMapping: Readonly<Record<string, string>>;
}

interface EvaluatorRecord {
  readonly id: number;
  /** Unique among evaluators. */
  readonly name: string;
  readonly description: string | null;
  /** At least one. */
  readonly outputs: readonly NewAnnotationConfig[];
  /** Who made it; null without authentication, for built-in evaluators, and when that account is gone. */
  readonly userId: number | null;
  /** Microseconds UTC. */
  readonly createdUs: number;
  readonly updatedUs: number;
}

export interface BuiltInEvaluator extends EvaluatorRecord {
  readonly kind: "BUILTIN";
  readonly name: BuiltInEvaluatorKey;
}

export interface LlmEvaluator extends EvaluatorRecord {
  readonly kind: "LLM";
  readonly promptId: number;
  /** The version that it points at runs; null for the newest one. */
  readonly promptTagId: number | null;
  /** Whether the prompt was made for the evaluator. */
  readonly madePrompt: boolean;
}

export type Evaluator = BuiltInEvaluator | LlmEvaluator;

/** An evaluator attached to a dataset. */
export interface DatasetEvaluator {
  readonly id: number;
  readonly datasetId: number;
  readonly evaluatorId: number;
  /** Unique in the dataset. Results are named after it. */
  readonly name: string;
  /** Null for that of the evaluator. */
  readonly description: string | null;
  readonly inputMapping: InputMapping;
  /** Null for those of the evaluator. */
  readonly outputs: readonly NewAnnotationConfig[] | null;
  /** The project of its traces. */
  readonly projectName: string;
  readonly userId: number | null;
  readonly createdUs: number;
  readonly updatedUs: number;
}

/** Any kind. */
export const EVALUATOR: TypeWord<Evaluator> = "Evaluator";
export const LLM_EVALUATOR: TypeWord<LlmEvaluator> = "LLMEvaluator";
export const BUILT_IN_EVALUATOR: TypeWord<BuiltInEvaluator> = "BuiltInEvaluator";
export const DATASET_EVALUATOR: TypeWord<DatasetEvaluator> = "DatasetEvaluator";

/** What lists of evaluators, and of evaluators of a dataset, are sorted by. */
export type EvaluatorSort = "name" | "kind" | "created_us" | "updated_us";

/** The kind of a row. */
export const evaluatorWords = { LLM: LLM_EVALUATOR, BUILTIN: BUILT_IN_EVALUATOR } as const satisfies Record<
  EvaluatorKind,
  string
>;
