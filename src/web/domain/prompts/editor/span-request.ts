// The parameters of a recorded call beside its messages and tools, as fields of prompts.
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { at, unfolded } from "../../trace/payload/values.ts";
import type { ParameterFamily } from "./parameter-fields.ts";

interface RecordedRequest {
  readonly parameters: JsonObject;
  /** Null for none. */
  readonly responseFormat: JsonObject | null;
  /** Which tools may be called, and how many at once. */
  readonly toolSettings: JsonObject;
}

/** What a prompt keeps elsewhere or not at all. */
const beside = new Set([
  "model",
  "messages",
  "tools",
  "stream",
  "stream_options",
  "n",
  "user",
  "system",
  "tool_choice",
  "parallel_tool_calls",
  "response_format",
]);

const shared = ["temperature", "top_p"];
/** Of each family, as prompts name them. Any other one is handed on in `extra_body` where there is one. */
const known: Readonly<Record<ParameterFamily, readonly string[]>> = {
  openai: [
    ...shared,
    ...["max_tokens", "max_completion_tokens", "frequency_penalty", "presence_penalty", "seed", "stop"],
    ...["reasoning_effort", "extra_body"],
  ],
  anthropic: [...shared, "max_tokens", "stop_sequences", "output_config", "thinking", "extra_body"],
  google: [
    ...shared,
    ...["max_output_tokens", "stop_sequences", "presence_penalty", "frequency_penalty", "top_k", "thinking_config"],
  ],
  aws: [...shared, "max_tokens", "stop_sequences"],
};

export function requestIn(attributes: JsonObject, family: ParameterFamily): RecordedRequest {
  const recorded = unfolded(at(attributes, "llm", "invocation_parameters") ?? null);
  if (!isJsonObject(recorded)) return { parameters: emptyObject(), responseFormat: null, toolSettings: emptyObject() };
  const format = recorded.response_format;
  const hasSchema = isJsonObject(format) && format.type === "json_schema" && isJsonObject(format.json_schema);
  const choice = toolChoice(recorded.tool_choice);
  return {
    parameters: parametersOf(recorded, family),
    responseFormat: hasSchema ? format : null,
    toolSettings: {
      ...(choice === null ? {} : { tool_choice: choice }),
      ...(recorded.parallel_tool_calls === false ? { disable_parallel_tool_calls: true } : {}),
    },
  };
}

function parametersOf(recorded: JsonObject, family: ParameterFamily): JsonObject {
  const given = Object.entries(recorded).filter(([name, value]) => !beside.has(name) && value !== null);
  const own = given.filter(([name]) => known[family].includes(name));
  const others = given.filter(([name]) => !known[family].includes(name));
  if (others.length === 0 || !known[family].includes("extra_body")) return Object.fromEntries(own);
  const { extra_body: extra, ...parameters } = Object.fromEntries(own);
  return { ...parameters, extra_body: { ...Object.fromEntries(others), ...(isJsonObject(extra) ? extra : {}) } };
}

const choices: Readonly<Record<string, string>> = {
  none: "none",
  auto: "zero_or_more",
  any: "one_or_more",
  required: "one_or_more",
};

/** As OpenAI and Anthropic write it. */
function toolChoice(recorded: Json | undefined): JsonObject | null {
  const word = typeof recorded === "string" ? recorded : at(recorded ?? null, "type");
  const name = at(recorded ?? null, "function", "name") ?? at(recorded ?? null, "name");
  if (typeof name === "string") return { type: "specific_function", function_name: name };
  const type = typeof word === "string" ? choices[word] : undefined;
  return type === undefined ? null : { type };
}
