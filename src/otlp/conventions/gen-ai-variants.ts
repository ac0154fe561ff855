// Names below `gen_ai.` and beside it that no version of the conventions has, and that libraries send all the same.
import { numberOf } from "../../kernel/json.ts";
import { type Converted, present, scalarText } from "../genai/values.ts";
import { setText, setTokens } from "./converted.ts";
import { firstOf, type Source } from "./source.ts";

const KIND_BY_OPERATION = new Map([
  ["agent_step", "CHAIN"],
  ["execute_event_loop_cycle", "CHAIN"],
  ["chain", "CHAIN"],
  ["rerank", "RERANKER"],
]);

const USAGE = [
  ["total", ["gen_ai.usage.total_tokens"]],
  [
    "prompt_details.cache_read",
    [
      "gen_ai.usage.cache_read_input_tokens",
      "gen_ai.usage.details.cache_read_tokens",
      "gen_ai.usage.details.cached_tokens",
    ],
  ],
  [
    "prompt_details.cache_write",
    [
      "gen_ai.usage.cache_write.input_tokens",
      "gen_ai.usage.cache_creation_input_tokens",
      "gen_ai.usage.cache_write_input_tokens",
      "gen_ai.usage.details.cache_write_tokens",
      "gen_ai.usage.details.cache_creation_tokens",
    ],
  ],
  ["prompt_details.audio", ["gen_ai.usage.details.input_audio_tokens"]],
  [
    "completion_details.reasoning",
    ["gen_ai.usage.reasoning_tokens", "gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.details.reasoning_tokens"],
  ],
  ["completion_details.audio", ["gen_ai.usage.details.output_audio_tokens"]],
] as const;

const COSTS = [
  ["llm.cost.total", ["gen_ai.usage.cost", "gen_ai.usage.total_cost", "gen_ai.cost.total_cost", "operation.cost"]],
  ["llm.cost.prompt", ["gen_ai.usage.input_cost", "gen_ai.cost.input_cost"]],
  ["llm.cost.completion", ["gen_ai.usage.output_cost", "gen_ai.cost.output_cost"]],
] as const;

export function convertGenAiVariants(source: Source, converted: Converted): void {
  const kind = KIND_BY_OPERATION.get(scalarText(present(source, "gen_ai.operation.name")) ?? "");
  if (kind !== undefined) converted.set("openinference.span.kind", kind);
  for (const [count, keys] of USAGE) setTokens(converted, count, firstOf(source, ...keys));
  for (const [key, keys] of COSTS) {
    const cost = keys.map((each) => present(source, each)).find((each) => (numberOf(each) ?? 0) > 0);
    // Libraries write 0 for a model of which they know no price.
    if (cost !== undefined) converted.set(key, cost);
  }
  // The last one is of LiteLLM's proxy: whom the program that asked it acts for.
  const users = ["gen_ai.request.user", "gen_ai.user.id", "llm.user", "metadata.user_api_key_end_user_id"];
  setText(converted, "user.id", firstOf(source, ...users));
}
