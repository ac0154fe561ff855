// What calls of models cost.
import { feature } from "../../feature.ts";
import { createCostGroupsService } from "./cost-groups.service.ts";
import { createCostGroupsStore } from "./cost-groups.store.ts";
import { createCostsService } from "./costs.service.ts";
import { createCostsStore } from "./costs.store.ts";
import { createShownCostsStore } from "./shown-costs.store.ts";

export const costsFeature = feature("costs", ({ storage, rollups }) => {
  const { dialect } = storage;
  const costs = createCostsService(createCostsStore(dialect), createShownCostsStore(dialect), rollups);
  const groups = createCostGroupsService(createCostGroupsStore(dialect), rollups);
  return {
    service: { costs },
    graphql: async () => {
      const { addCosts } = await import("./costs.graphql.ts");
      const { addShownCosts } = await import("./shown-costs.graphql.ts");
      const { addCostGroups } = await import("./cost-groups.graphql.ts");
      return (types) => {
        addCosts(types, costs);
        addShownCosts(types, costs);
        addCostGroups(types, groups);
      };
    },
  };
});
