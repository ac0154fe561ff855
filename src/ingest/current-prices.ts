// What spans cost by the prices of the moment in which they are stored. Each transaction is told the number of the last change of
// people's own models: when it is a new one, they are read again, in the same transaction. A span that arrives after a change has been
// answered costs the new price, whatever server it arrives at.
import { callOf, priceCall } from "../model/costs/price-call.ts";
import { createPriceList, type PricedModel } from "../model/costs/price-list.ts";
import { attributesOfCall } from "../model/costs/reported-call.ts";
import type { IngestTransaction } from "../storage/ingest-store.ts";
import type { CurrentPrices } from "./ingest-batch.ts";

/** By the models that the service knows itself, and behind those that people have entered. */
export function createCurrentPrices(builtIn: readonly PricedModel[]): CurrentPrices {
  let list = createPriceList(builtIn, 0);

  async function listOf(transaction: IngestTransaction) {
    if (transaction.ownModelsChange > list.generation) {
      const { change, models } = await transaction.listOwnModels();
      // Another batch may have read newer ones meanwhile.
      if (change > list.generation) list = createPriceList([...models, ...builtIn], change);
    }
    return list;
  }

  return async (transaction) => {
    const prices = await listOf(transaction);
    return ({ modelCall, startUs }) =>
      modelCall === null ? null : priceCall(prices, callOf(attributesOfCall(modelCall), startUs));
  };
}
