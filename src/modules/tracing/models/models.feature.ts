// Models and what their tokens cost: those that the service knows, and those that people enter.
import type { ActionRows } from "../../../access/policy.ts";
import { feature } from "../../feature.ts";
import { createModelCostsStore } from "./model-costs.store.ts";
import { createModelsService } from "./models.service.ts";
import { createModelsStore } from "./models.store.ts";
import { createChangedCallsService } from "./recomputation/changed-calls.service.ts";
import { createCostChangesStore } from "./recomputation/cost-changes.store.ts";
import { createRecomputationService } from "./recomputation/recomputation.service.ts";
import { createRecomputationStore } from "./recomputation/recomputation.store.ts";
import { createRecomputationRowsStore } from "./recomputation/recomputation-rows.store.ts";

/** Between two looks for what another server left, or for what is to be tried again. */
const LOOK_MS = 5000;

const actions = {
  /** Their prices decide what calls cost from then on. */
  models: { read: "read", change: "write", recompute: "administer" },
} as const satisfies ActionRows;
type ModelsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends ModelsActions {}
}

export const modelsFeature = feature("models", { actions }, ({ storage, clock, log, settings, wakeJob }) => {
  const models = createModelsService({
    store: createModelsStore(storage.dialect),
    costs: createModelCostsStore(storage.dialect),
    storage,
    builtIn: settings.models,
    clock,
    log: log.named("models"),
  });
  const changes = createCostChangesStore(storage);
  const recomputation = createRecomputationService({
    store: createRecomputationStore(storage.dialect),
    changes,
    rows: createRecomputationRowsStore(storage.dialect),
    storage,
    models,
    clock,
    wake: () => wakeJob("cost-recomputation"),
  });
  return {
    service: { models, recomputation, changedCalls: createChangedCallsService({ changes, models }) },
    jobs: [{ name: "cost-recomputation", changes: true, everyMilliseconds: LOOK_MS, run: recomputation.run }],
    graphql: async () => {
      const { addModelTypes } = await import("./models.graphql.ts");
      return (types) => addModelTypes(types, { models, recomputation });
    },
  };
});
