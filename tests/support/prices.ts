// Prices for tests of what follows from them: by the name of the model, in 10^-12 USD a token.

import type { SpanCost } from "../../src/costs/span-cost.ts";
import type { CurrentPrices } from "../../src/ingest/priced-spans.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { readModelPrices } from "../../src/server/model-prices.ts";

/** What the service knows itself. */
export const builtInModels = await readModelPrices(null);

/** 0.15 USD a million tokens, and an odd amount. */
export const INPUT = 150_000;
export const OUTPUT = 600_001;
/** What the sender says of a model called `given`. */
export const GIVEN = 1_234_567;

/** What a span costs; null for what is no call of a model, or reports nothing that costs. */
export type PriceSpan = (span: IncomingSpan) => SpanCost | null;

/** As prices would: no model, no row; an unknown model, a row without amounts; of `given`, what its sender says. */
export const testPrice: PriceSpan = ({ model, promptTokens, completionTokens }): SpanCost | null => {
  if (model === null) return null;
  const known = model === "known";
  const prompt = known ? promptTokens! * INPUT : null;
  const completion = known ? completionTokens! * OUTPUT : null;
  const given = model === "given" ? GIVEN : null;
  return {
    source: known ? "price" : given === null ? "unknown" : "given",
    modelId: known ? 7 : null,
    total: known ? prompt! + completion! : given,
    prompt,
    completion,
    promptTokens,
    completionTokens,
    given,
    details: [
      { tokenType: "input", isPrompt: true, tokens: promptTokens, cost: prompt },
      { tokenType: "output", isPrompt: false, tokens: completionTokens, cost: completion },
    ],
  };
};

/** The same whatever people have entered. */
export const testPrices = pricesOf(testPrice);

export function pricesOf(price: PriceSpan): CurrentPrices {
  return {
    change: Number.POSITIVE_INFINITY,
    price: (spans) => new Map(spans.flatMap((span) => priced(span, price))),
    renew() {},
  };
}

function priced(span: IncomingSpan, price: PriceSpan): [IncomingSpan, SpanCost][] {
  const cost = span.kind === "LLM" ? price(span) : null;
  return cost === null ? [] : [[span, cost]];
}
