// Evaluators, and what links them to datasets.
import type { JsonObject } from "../../../kernel/json.ts";

/** The evaluators that the server has of its own, which call no model. */
export type BuiltInEvaluatorKey = "contains" | "exact_match" | "json_distance" | "levenshtein_distance" | "regex";

/** Where the inputs of an evaluator come from: a literal, else a JSONPath into the context, else the context's member of the same name. */
export interface InputMapping {
  readonly literalMapping: JsonObject;
  readonly pathMapping: Readonly<Record<string, string>>;
}
