// Where built-in evaluators judge: what is quick at once, the rest in a thread that is ended when it takes too long.
import { type JsonObject, parseJson, stringifyJson } from "../../../../kernel/json.ts";
import type { LimitedCalls } from "../../../../kernel/link.ts";
import type { BuiltInEvaluatorKey } from "../evaluators.schema.ts";
import { type BuiltInFinding, builtInEvaluators, judgeInputs } from "./built-in-evaluators.rules.ts";

/** Throws kind `invalid`, `too_large`, or `timed_out`. */
export type BuiltInJudge = (key: BuiltInEvaluatorKey, inputs: JsonObject) => Promise<BuiltInFinding>;

/** Some milliseconds: so long the event loop may be held up. */
const MAX_STEPS_AT_ONCE = 1_000_000;
/** In the thread. */
const MAX_SECONDS = 10;

interface CrossingInputs {
  readonly key: BuiltInEvaluatorKey;
  /** As JSON text: numbers as 1.0 do not cross. */
  readonly inputs: string;
}

export function createBuiltInJudge(thread: Pick<LimitedCalls, "call">): BuiltInJudge {
  return async (key, inputs) => {
    if (builtInEvaluators.get(key)!.steps(inputs) <= MAX_STEPS_AT_ONCE) return judgeInputs(key, inputs);
    const crossing: CrossingInputs = { key, inputs: stringifyJson(inputs) };
    return thread.call<BuiltInFinding>("judge", crossing, MAX_SECONDS);
  };
}

/** The other end. */
export function judgeInThread({ key, inputs }: CrossingInputs): BuiltInFinding {
  return judgeInputs(key, parseJson(inputs) as JsonObject);
}
