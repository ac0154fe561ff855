// Stored spans that report another call than before, because messages came to them later: what they cost by the prices of now.
import { callOf, priceCall } from "../../../../costs/price-call.ts";
import { attributesOfCall } from "../../../../costs/reported-call.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ModelsService } from "../models.service.ts";
import type { CostChangesStore, SpanCostChange } from "./cost-changes.store.ts";

/** A span, and the call that it reports now: the text of `reportedCall`, null for none. */
interface ChangedCall extends Omit<SpanCostChange, "after"> {
  readonly call: string | null;
}

export interface ChangedCallsService {
  /** Changes costs with every sum that holds them. Inside the transaction that has locked the traces, as its last step: it locks sessions. */
  priceChangedCalls(context: CallContext, calls: readonly ChangedCall[]): Promise<void>;
}

interface ChangedCallsDependencies {
  readonly changes: CostChangesStore;
  readonly models: ModelsService;
}

export function createChangedCallsService({ changes, models }: ChangedCallsDependencies): ChangedCallsService {
  return {
    async priceChangedCalls(context, calls) {
      if (calls.length === 0) return;
      const prices = await models.currentPrices(context);
      const changed = calls.map(({ call, ...span }) => ({
        ...span,
        after: call === null ? null : priceCall(prices, callOf(attributesOfCall(call), span.startUs)),
      }));
      await changes.changeSpanCosts(context, changed);
    },
  };
}
