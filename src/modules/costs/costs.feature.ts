// What calls of models cost.
import { feature } from "../feature.ts";
import { createCostOriginsStore } from "./cost-origins.store.ts";
import { createCostsService } from "./costs.service.ts";
import { createCostsStore } from "./costs.store.ts";

export const costsFeature = feature("costs", ({ storage, rollups }) => {
  const { dialect } = storage;
  const costs = createCostsService(createCostsStore(dialect), createCostOriginsStore(dialect), rollups);
  return {
    service: { costs },
    graphql: async () => {
      const { addCosts } = await import("./costs.graphql.ts");
      const { addCostOrigins } = await import("./cost-origins.graphql.ts");
      return (types) => {
        addCosts(types, costs);
        addCostOrigins(types, costs);
      };
    },
  };
});
