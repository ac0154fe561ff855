// What the spans of a batch cost: priced before their transaction, and again when that meets newer prices.
import type { SpanCost } from "../costs/span-cost.ts";
import type { IncomingSpan } from "../model/span.ts";
import type { IngestTransaction } from "../storage/ingest-store.ts";
import type { OwnModels } from "../storage/own-models.ts";

export type Costs = ReadonlyMap<IncomingSpan, SpanCost>;

/** What spans cost, and by which change of the models. */
interface PricedSpans {
  readonly change: number;
  readonly costs: Costs;
}

/** What spans cost by the prices that were read last. */
export interface CurrentPrices {
  /** The number of the last change that these prices know. */
  readonly change: number;
  /** What calls of models cost; without those that report nothing that costs. Patterns are searched for here: outside of transactions. */
  price(spans: readonly IncomingSpan[]): Costs;
  /** Takes what people have entered, when it is newer. */
  renew(own: OwnModels): void;
}

/** Thrown to leave the transaction: people have entered other prices since the spans were priced. */
export class PricesChanged extends Error {
  constructor(readonly own: OwnModels) {
    super("Prices have changed");
  }
}

/** Nothing has a cost. */
export const noPrices: CurrentPrices = { change: Number.POSITIVE_INFINITY, price: () => new Map(), renew() {} };

export function pricedBy(prices: CurrentPrices, spans: readonly IncomingSpan[]): PricedSpans {
  return { change: prices.change, costs: prices.price(spans) };
}

/** By the prices of the time at which the transaction began, or newer ones. Throws `PricesChanged` where the batch may be tried again. */
export async function costsNow(
  transaction: IngestTransaction,
  priced: PricedSpans,
  batch: { readonly prices: CurrentPrices; readonly spans: readonly IncomingSpan[]; readonly mayLeave: boolean },
): Promise<Costs> {
  if (transaction.ownModelsChange <= priced.change) return priced.costs;
  const own = await transaction.listOwnModels();
  if (batch.mayLeave) throw new PricesChanged(own);
  batch.prices.renew(own);
  return batch.prices.price(batch.spans);
}
