// Models and what their tokens cost: those that the service knows, and those that people enter.
import { feature } from "../feature.ts";
import { createCostChangesStore } from "./cost-changes.store.ts";
import { createModelCostsStore } from "./model-costs.store.ts";
import { createModelsService } from "./models.service.ts";
import { createModelsStore } from "./models.store.ts";
import { createRecomputationService } from "./recomputation.service.ts";
import { createRecomputationStore } from "./recomputation.store.ts";

export const modelsFeature = feature("models", ({ storage, clock, log, settings }) => {
  const models = createModelsService({
    store: createModelsStore(storage.dialect),
    costs: createModelCostsStore(storage.dialect),
    storage,
    builtIn: settings.models,
    clock,
    log: log.named("models"),
  });
  const recomputation = createRecomputationService({
    store: createRecomputationStore(storage.dialect),
    changes: createCostChangesStore(storage),
    storage,
    models,
  });
  return {
    service: { models, recomputation },
    graphql: async () => {
      const { addModelTypes } = await import("./models.graphql.ts");
      return (types) => addModelTypes(types, models);
    },
  };
});
