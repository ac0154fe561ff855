// Saved views: lists of a project under a name, for everybody or for one person.
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { feature } from "../../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { createViewsService } from "./views.service.ts";
import { createViewsStore } from "./views.store.ts";

export const viewsFeature = feature("views", ({ storage, clock, use }) => {
  const { users } = use(givenAccounts);
  const store = createViewsStore(storage.dialect);
  const service = createViewsService({ store, storage, projects: use(projectsFeature), clock });
  return {
    service,
    graphql: async () => {
      const { addViewTypes } = await import("./views.graphql.ts");
      return (types) => addViewTypes(types, service, users);
    },
  };
});
