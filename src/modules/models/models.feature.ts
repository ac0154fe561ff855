// Models and what their tokens cost: those that the service knows, and those that people enter.
import { createRecomputationsJob } from "../../jobs/recomputations.ts";
import type { CallContext } from "../../storage/storage.ts";
import { feature } from "../feature.ts";
import { createChangedCallsService } from "./changed-calls.service.ts";
import { createCostChangesStore } from "./cost-changes.store.ts";
import { createModelCostsStore } from "./model-costs.store.ts";
import { createModelsService } from "./models.service.ts";
import { createModelsStore } from "./models.store.ts";
import { createRecomputationService } from "./recomputation.service.ts";
import { createRecomputationStore } from "./recomputation.store.ts";
import { createRecomputationRowsStore } from "./recomputation-rows.store.ts";

export const modelsFeature = feature("models", ({ storage, clock, log, settings, ownContext, watchJob }) => {
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
    wake: () => job.wake(),
  });
  const runSlice = (context: CallContext) => watchJob("cost-recomputation", () => recomputation.runSlice(context));
  const job = createRecomputationsJob(runSlice, ownContext, log.named("models"));
  return {
    service: { models, recomputation, changedCalls: createChangedCallsService({ changes, models }) },
    parts: [{ name: "recomputations of costs", changes: true, start: job.start, stop: job.stop }],
    graphql: async () => {
      const { addModelTypes } = await import("./models.graphql.ts");
      return (types) => addModelTypes(types, { models, recomputation });
    },
  };
});
