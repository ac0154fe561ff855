// The few figures that stand above the cards of a span.
import type { Json } from "../../../../kernel/json.ts";
import { firstTokenUs } from "./events.ts";
import type { Payload } from "./payload.ts";
import { at, elementsAt, numberAt, textAt, unfolded, wordAt } from "./values.ts";

export interface Facts {
  readonly model: string | null;
  readonly provider: string | null;
  readonly firstTokenUs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
  /** Written into the cache of the provider. */
  readonly cacheWrittenTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly temperature: number | null;
  readonly finishReason: string | null;
  /** Global id of the version of a prompt that the span names. */
  readonly promptVersionId: string | null;
}

export function factsOf(payload: Payload, startUs: number): Facts {
  const { attributes } = payload;
  const count = (...steps: readonly string[]) => numberAt(attributes, "llm", "token_count", ...steps);
  const parameters = unfolded(at(attributes, "llm", "invocation_parameters") ?? null);
  return {
    model:
      textAt(attributes, "llm", "model_name") ??
      textAt(attributes, "embedding", "model_name") ??
      textAt(attributes, "reranker", "model_name"),
    provider: textAt(attributes, "llm", "provider") ?? textAt(attributes, "llm", "system"),
    firstTokenUs: firstTokenUs(payload, startUs),
    promptTokens: count("prompt"),
    completionTokens: count("completion"),
    cachedTokens: count("prompt_details", "cache_read"),
    cacheWrittenTokens: count("prompt_details", "cache_write"),
    reasoningTokens: count("completion_details", "reasoning"),
    temperature: numberAt(parameters, "temperature"),
    finishReason: finishReason(attributes),
    promptVersionId: promptVersionId(attributes),
  };
}

function finishReason(attributes: Json): string | null {
  const [first] = elementsAt(attributes, "llm", "output_messages");
  return wordAt(attributes, "llm", "finish_reason") ?? wordAt(first?.value, "message", "finish_reason");
}

/** Other ids and numbers, which other tools write there, are left alone. */
function promptVersionId(attributes: Json): string | null {
  const named = [textAt(attributes, "prompt", "id"), textAt(attributes, "llm", "prompt_template", "version")];
  return named.find((id) => id !== null && IS_VERSION.test(id)) ?? null;
}

/** The beginning of `PromptVersion:` and a digit in Base64. */
const IS_VERSION = /^UHJvbXB0VmVyc2lvbjo[\w+/]{1,24}=*$/;
