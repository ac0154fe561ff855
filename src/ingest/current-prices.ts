// What spans cost by the prices of the time at which they are stored. They are priced before their transaction, which is given the number
// of the last change of people's own models: when that is a new one, the batch leaves it, and comes back with the new prices. A span that
// arrives after a change has been answered costs the new price, whatever server it arrives at.

import { MAX_STEPS_PER_NAME } from "../costs/name-pattern.ts";
import type { PatternProblem } from "../costs/name-search.ts";
import { callOf, priceCall } from "../costs/price-call.ts";
import { createPriceList, type PricedModel } from "../costs/price-list.ts";
import { attributesOfCall } from "../costs/reported-call.ts";
import type { SpanCost } from "../costs/span-cost.ts";
import type { IncomingSpan } from "../model/span.ts";
import type { CurrentPrices } from "./priced-spans.ts";

/** Steps of all names of a batch that are new: below 100 ms. Names behind that have no price in this batch, and their turn in a later one. */
const MAX_STEPS_PER_BATCH = 20 * MAX_STEPS_PER_NAME;

/** By the models that the service knows itself, and behind those that people have entered. `onProblem` is called once for each pattern
 *  that is skipped or too expensive, and again after a change of the models. */
export function createCurrentPrices(
  builtIn: readonly PricedModel[],
  onProblem: (problem: PatternProblem) => void = () => {},
): CurrentPrices {
  let list = createPriceList(builtIn, 0, { onProblem });

  return {
    get change() {
      return list.generation;
    },
    price(spans) {
      const budget = { left: MAX_STEPS_PER_BATCH };
      const costs = new Map<IncomingSpan, SpanCost>();
      for (const span of spans) {
        if (span.kind !== "LLM" || span.modelCall === null) continue;
        const cost = priceCall(list, callOf(attributesOfCall(span.modelCall), span.startUs), budget);
        if (cost !== null) costs.set(span, cost);
      }
      return costs;
    },
    renew({ change, models }) {
      // Another batch may have read newer ones meanwhile.
      if (change <= list.generation) return;
      list = createPriceList([...models, ...builtIn], change, { previous: list, onProblem });
    },
  };
}
