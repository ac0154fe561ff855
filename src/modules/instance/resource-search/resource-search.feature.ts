// One search over projects, datasets, experiments and prompts.
import { feature } from "../../feature.ts";
import { createResourceSearchService } from "./resource-search.service.ts";
import { createResourceSearchStore } from "./resource-search.store.ts";

export const resourceSearchFeature = feature("resource search", ({ storage }) => ({
  service: null,
  graphql: async () => {
    const { addResourceSearch } = await import("./resource-search.graphql.ts");
    return (types) => addResourceSearch(types, createResourceSearchService(createResourceSearchStore(storage.dialect)));
  },
}));
