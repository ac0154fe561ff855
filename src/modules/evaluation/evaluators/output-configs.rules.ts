// Outputs of evaluators: how they are stored, what is refused, and their ids.
import { type Json, parseStoredJson, stringifyJson } from "../../../kernel/json.ts";
import { requireContent } from "../annotation-configs/annotation-config-content.rules.ts";
import {
  type AnnotationConfig,
  type ConfigAnswerBody,
  configBody,
  configOfBody,
  type NewAnnotationConfig,
} from "../annotation-configs/annotation-configs.schema.ts";
import { builtInEvaluators } from "./built-in/built-in-evaluators.rules.ts";
import { outputRefused } from "./evaluators.errors.ts";
import type { BuiltInEvaluatorKey } from "./evaluators.schema.ts";
import { requireOutputNames } from "./llm/fit.rules.ts";

/** As they are stored: a JSON list of configurations as REST writes them. */
export function textOfOutputs(outputs: readonly NewAnnotationConfig[]): string {
  const bodies = outputs.map((output) => {
    const { id: _, ...body } = configBody({ ...output, id: 0 });
    return body;
  });
  return stringifyJson(bodies as unknown as Json);
}

export function outputsOfText(text: string): NewAnnotationConfig[] {
  return parseStoredJson<ConfigAnswerBody[]>(text).map((body) => configOfBody(body));
}

/** Throws kind `invalid` or `malformed` for outputs that the built-in evaluator cannot have. */
export function requireBuiltInOutputs(key: BuiltInEvaluatorKey, outputs: readonly NewAnnotationConfig[]): void {
  requireOutputNames(outputs);
  const { finds } = builtInEvaluators.get(key)!;
  for (const output of outputs) {
    requireContent(output);
    const problem = finds === "distance" ? distanceProblem(output) : null;
    if (problem !== null) throw outputRefused(output.name, problem);
  }
}

/** A distance is 0 or more, without an end. */
function distanceProblem(output: NewAnnotationConfig): string | null {
  if (output.type === "CATEGORICAL") return "a distance has no labels";
  if (output.lowerBound !== null && output.lowerBound > 0) return "lowerBound must be 0 at most: a distance may be 0";
  return output.upperBound === null ? null : "upperBound must be null: a distance has no upper bound";
}

/** Outputs are no rows: their ids are negative numbers that depend on the name only. */
export function withOutputIds(outputs: readonly NewAnnotationConfig[]): AnnotationConfig[] {
  return outputs.map((output) => ({ ...output, id: -1 - (hashOf(output.name) % MAX_OUTPUT_ID) }));
}

const MAX_OUTPUT_ID = 2 ** 31 - 1;

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
