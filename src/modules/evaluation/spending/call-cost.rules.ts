// What a call may cost at most before it is made, and what it cost.
import { callOf, priceCall } from "../../../costs/price-call.ts";
import type { PriceList } from "../../../costs/price-list.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { ModelCall } from "../../../providers/model-call.ts";
import type { ModelAttempt, TokenUsage } from "../../../providers/model-event.ts";
import { estimateTextTokens, estimateTokens } from "../../../providers/token-estimates.ts";
import type { SpentCall, WorstCase } from "./spending.schema.ts";

/** Of a call whose cost is beyond what is priced. */
const UNBOUNDED_COST = Number.MAX_SAFE_INTEGER;

interface PricedModelName {
  readonly model: string;
  /** As spans have it. */
  readonly provider: string;
}

interface TokenCounts {
  readonly prompt: number;
  readonly completion: number;
}

/** In 10^-12 USD; null where the model has no price. */
export function costOfTokens(
  prices: PriceList,
  name: PricedModelName,
  { prompt, completion }: TokenCounts,
  nowUs: number,
  promptType: "input" | "cache_write" = "input",
): number | null {
  if (prices.findModel(name.model, name.provider, nowUs) === null) return null;
  const priced = priceCall(prices, {
    ...name,
    startUs: nowUs,
    promptTokens: prompt,
    counts: [
      { tokenType: promptType, isPrompt: true, tokens: prompt },
      { tokenType: "output", isPrompt: false, tokens: completion },
    ],
    given: null,
  });
  return priced?.source === "price" ? (priced.total ?? 0) : UNBOUNDED_COST;
}

/** Throws kind `invalid` for a call that cannot be put into the wire. */
export function worstCaseOf(call: ModelCall, prices: PriceList, nowUs: number): WorstCase {
  const tokens = estimateTokens(call);
  const name = { model: call.model, provider: call.endpoint.llmProvider };
  const cost = costOfTokens(prices, name, tokens, nowUs);
  // Writing a prompt to the cache costs more than reading it again.
  const cached = costOfTokens(prices, name, tokens, nowUs, "cache_write");
  return {
    promptTokens: tokens.prompt,
    completionTokens: tokens.completion,
    cost: cost === null || cached === null ? null : Math.max(cost, cached),
  };
}

/** What the attempts of a call used. */
export function spentOn(call: ModelCall, attempts: readonly ModelAttempt[], prices: PriceList): SpentCall {
  let [promptTokens, completionTokens, isEstimated] = [0, 0, false];
  let cost: number | null = 0;
  for (const attempt of attempts) {
    const usage = attempt.usage ?? estimatedUsage(call, attempt);
    if (usage === null) continue;
    isEstimated ||= attempt.usage === null;
    const reported = callOf(reportedAttributes(call, usage), attempt.startUs);
    const priced = priceCall(prices, reported);
    promptTokens += priced?.promptTokens ?? 0;
    completionTokens += priced?.completionTokens ?? 0;
    const isFree = reported.counts.length === 0;
    if (!isFree && priced?.source !== "price") cost = null;
    else if (cost !== null) cost += priced?.total ?? 0;
  }
  const hasFailed = attempts.at(-1)?.failure !== null;
  return { promptTokens, completionTokens, cost, isEstimated, hasFailed };
}

/** Null where the provider did not begin to answer, and asks nothing for it. */
function estimatedUsage(call: ModelCall, { response, text, toolCalls, firstTokenUs }: ModelAttempt): TokenUsage | null {
  const hasAnswered = response !== null && response.status >= 200 && response.status < 300;
  if (!hasAnswered || firstTokenUs === null) return null;
  const written = toolCalls.reduce((sum, { name, arguments: given }) => sum + name + given, text);
  return {
    prompt: estimateTokens(call).prompt,
    completion: estimateTextTokens(written),
    total: null,
    cacheRead: null,
    cacheWrite: null,
    promptAudio: null,
    reasoning: null,
    completionAudio: null,
  };
}

/** The attributes that prices look at, as the span of the attempt has them. */
function reportedAttributes({ model, endpoint }: ModelCall, usage: TokenUsage): JsonObject {
  const counted = (counts: Readonly<Record<string, number | null>>) =>
    Object.fromEntries(Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== null));
  return {
    llm: {
      model_name: model,
      provider: endpoint.llmProvider,
      token_count: {
        ...counted({ prompt: usage.prompt, completion: usage.completion, total: usage.total }),
        prompt_details: counted({
          cache_read: usage.cacheRead,
          cache_write: usage.cacheWrite,
          audio: usage.promptAudio,
        }),
        completion_details: counted({ reasoning: usage.reasoning, audio: usage.completionAudio }),
      },
    },
  };
}
