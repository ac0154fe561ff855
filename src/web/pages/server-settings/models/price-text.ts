// Prices as people read them: exact, for a million tokens.
import { NOTHING } from "../../../lib/format.ts";
import type { ListedModel } from "./models.queries.ts";

type Price = ListedModel["tokenPrices"][number];

/** `$2.50`, `$0.0375`: every digit counts, unlike in sums. */
export function priceText(perMillion: number): string {
  return `$${perMillion.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;
}

/** Of one kind; where the price depends on the length of the prompt, from the least on. */
export function priceOf(prices: readonly Price[], tokenType: string, kind: Price["kind"]): string {
  const price = prices.find((each) => each.tokenType === tokenType && each.kind === kind);
  if (price === undefined) return NOTHING;
  const { costPerMillionTokens, tiers } = price;
  return tiers.length === 0 ? priceText(costPerMillionTokens) : `${priceText(costPerMillionTokens)} +`;
}
