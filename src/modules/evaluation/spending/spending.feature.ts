// What calls of models may cost, and who spent what.
import { feature } from "../../feature.ts";
import { modelsFeature } from "../../tracing/models/models.feature.ts";
import { createBudgetsStore } from "./budgets.store.ts";
import { createLedgerService, RENEWAL_MILLISECONDS } from "./ledger.service.ts";
import { createLedgerStore } from "./ledger.store.ts";

export const spendingFeature = feature("spending", ({ storage, clock, log, ownContext, use }) => {
  const { models } = use(modelsFeature);
  const budgetsStore = createBudgetsStore(storage.dialect);
  const ledgerStore = createLedgerStore(storage.dialect);
  const ledger = createLedgerService({
    budgets: budgetsStore,
    store: ledgerStore,
    storage,
    models,
    ownContext,
    clock,
    log: log.named("spending"),
  });
  return {
    service: { spending: ledger },
    jobs: [
      {
        name: "spending",
        changes: true,
        everyMilliseconds: RENEWAL_MILLISECONDS,
        async run({ context }) {
          await ledger.renew(context());
          return true;
        },
      },
    ],
    parts: [{ name: "spending", changes: true, stop: ledger.close }],
  };
});
