// What a model answered an LLM evaluator: one tool call an output.
import { isJsonObject, type Json, parseJson } from "../../../../kernel/json.ts";
import type { ModelToolCall } from "../../../../providers/model-event.ts";
import type { NewAnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";

/** Of a label in a message. */
const SHOWN_CHARACTERS = 100;

export interface Verdict {
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** Why there is no label; null if there is one. */
  readonly error: string | null;
}

/** The verdict of an output: from the first call of its name. */
export function verdictOf(output: NewAnnotationConfig, calls: readonly ModelToolCall[]): Verdict {
  if (calls.length === 0) return failed("No tool calls received from LLM");
  const call = calls.find(({ name }) => name === output.name);
  if (call === undefined) {
    const names = [...new Set(calls.map(({ name }) => `'${shown(name)}'`))].slice(0, 10).join(", ");
    return failed(`No tool call '${output.name}' received from LLM, but ${names}`);
  }
  let answer: Json;
  try {
    answer = parseJson(call.arguments);
  } catch (error) {
    return failed(`The arguments of the tool call are not JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(answer) || !Object.hasOwn(answer, "label") || typeof answer.label !== "string")
    return failed("LLM response missing required 'label' field in tool call arguments");
  const { label, explanation } = answer;
  const values = output.type === "CATEGORICAL" ? output.values : [];
  const value = values.find((each) => each.label === label);
  if (value === undefined) {
    return failed(`label '${shown(label)}' is not one of ${values.map((each) => each.label).join(", ")}`);
  }
  return { label, score: value.score, explanation: typeof explanation === "string" ? explanation : null, error: null };
}

function failed(error: string): Verdict {
  return { label: null, score: null, explanation: null, error };
}

function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
