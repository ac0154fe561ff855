// What stored calls cost by other prices, and whether that is another cost.

import { callOf, priceCall } from "../../../../costs/price-call.ts";
import type { PriceList } from "../../../../costs/price-list.ts";
import { attributesOfCall, callOfAttributes, isPricedKind } from "../../../../costs/reported-call.ts";
import type { SpanCost } from "../../../../costs/span-cost.ts";
import { isJsonObject, parseJson } from "../../../../kernel/json.ts";
import type { ReportedCall } from "../models.schema.ts";

/** As it would be if the span arrived now; undefined where it is unknown, because patterns are too expensive for the name. */
export function recomputedCost(
  { attributes: text, startUs }: ReportedCall,
  prices: PriceList,
): SpanCost | null | undefined {
  const attributes = parseJson(text);
  if (!isJsonObject(attributes)) return null;
  const { openinference } = attributes;
  const span = isJsonObject(openinference) ? openinference.span : undefined;
  const kind = isJsonObject(span) ? span.kind : undefined;
  const call = kind === undefined || isPricedKind(kind) ? callOfAttributes(attributes) : null;
  if (call === null) return null;
  const reported = callOf(attributesOfCall(call), startUs);
  return reported.model !== null && prices.isTooExpensive(reported.model) ? undefined : priceCall(prices, reported);
}

/** Kinds of tokens in any order. */
export function isSameCost(one: SpanCost | null, other: SpanCost | null): boolean {
  return textOf(one) === textOf(other);
}

function textOf(cost: SpanCost | null): string {
  if (cost === null) return "";
  const { source, modelId, total, prompt, completion, promptTokens, completionTokens, given } = cost;
  const details = cost.details.map(({ tokenType, isPrompt, tokens, cost: own }) =>
    JSON.stringify([tokenType, isPrompt, tokens, own]),
  );
  return JSON.stringify([
    source,
    modelId,
    total,
    prompt,
    completion,
    promptTokens,
    completionTokens,
    given,
    details.sort(),
  ]);
}
