// Amounts over time by the values of an attribute.
import { feature } from "../../feature.ts";
import { createAttributeGroupsService } from "./attribute-groups.service.ts";
import { createAttributeGroupsStore } from "./attribute-groups.store.ts";

export const attributeGroupsFeature = feature("attribute-groups", ({ storage, rollups }) => {
  const service = createAttributeGroupsService(createAttributeGroupsStore(storage.dialect), rollups);
  return {
    service: {},
    graphql: async () => {
      const { addAttributeGroups } = await import("./attribute-groups.graphql.ts");
      return (types) => addAttributeGroups(types, service);
    },
  };
});
