// Saved views: lists of a project under a name, for everybody or for one person.
import type { ActionRows } from "../../../access/policy.ts";
import { owned } from "../../../storage/owned-tables.ts";
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { feature } from "../../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { createViewsService } from "./views.service.ts";
import { createViewsStore } from "./views.store.ts";

const actions = {
  /** One's own, which viewers may save too, and those for everybody. */
  views: { keep: "read", share: "write" },
} as const satisfies ActionRows;
type ViewsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends ViewsActions {}
}

export const viewsFeature = feature(
  "views",
  { actions, ownedTables: [owned("project", "saved_views", "project_id")] },
  ({ storage, clock, use }) => {
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
  },
);
