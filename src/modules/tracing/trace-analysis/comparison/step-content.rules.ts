// What two steps are compared by, read from the payload of a span.
import type { ComparedSpan } from "../../../../analysis/compare/compared-trace.ts";
import { digestOf } from "../../../../analysis/digest.ts";
import { callKey } from "../../../../analysis/loops/call-key.ts";
import { keyTextOf, valueAt } from "../../../../ingest/span-columns.ts";
import { type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";

export type StepContent = Pick<ComparedSpan, "input" | "output" | "parameters" | "promptVersion">;

export const NO_CONTENT: StepContent = { input: null, output: null, parameters: null, promptVersion: null };

/** Inputs and outputs as digests: they may be large, and only whether they are equal matters. */
export function stepContentOf(attributes: JsonObject): StepContent {
  return {
    input: sideOf(attributes, "input"),
    output: sideOf(attributes, "output"),
    parameters: callKey("", valueAt(attributes, "llm", "invocation_parameters")),
    promptVersion:
      keyTextOf(valueAt(attributes, "llm", "prompt_template", "version")) ??
      keyTextOf(valueAt(attributes, "prompt", "id")),
  };
}

/** The value, and the messages of a model, which may say more. */
function sideOf(attributes: JsonObject, side: "input" | "output"): string | null {
  const parts = [valueAt(attributes, side, "value"), valueAt(attributes, "llm", `${side}_messages`)];
  const given = parts.filter((part): part is Json => part !== undefined && part !== null);
  return given.length === 0
    ? null
    : digestOf(given.map((part) => (typeof part === "string" ? part : stringifyJson(part))));
}
