// What calls of models cost.
import { feature } from "../feature.ts";
import { createCostsService } from "./costs.service.ts";
import { createCostsStore } from "./costs.store.ts";

export const costsFeature = feature("costs", ({ storage, rollups }) => {
  const costs = createCostsService(createCostsStore(storage.dialect), rollups);
  return {
    service: { costs },
    graphql: async () => {
      const { addCosts } = await import("./costs.graphql.ts");
      return (types) => addCosts(types, costs);
    },
  };
});
