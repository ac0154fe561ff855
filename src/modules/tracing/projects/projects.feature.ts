// Projects: where traces are stored.
import type { ActionRows } from "../../../access/policy.ts";
import { ensuringJob } from "../../../jobs/ensuring.ts";
import { feature } from "../../feature.ts";
import { deletionFeature } from "../deletion/deletion.feature.ts";
import { projectRoutes } from "./projects.routes.ts";
import { createProjectsService } from "./projects.service.ts";
import { createProjectsStore } from "./projects.store.ts";

const actions = {
  projects: { read: "read", create: "write", update: "administer", delete: "administer" },
} as const satisfies ActionRows;
type ProjectsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends ProjectsActions {}
}

export const projectsFeature = feature("projects", { actions }, ({ storage, ownedTables, clock, settings, use }) => {
  const service = createProjectsService({
    store: createProjectsStore({ dialect: storage.dialect, ownedTables }),
    clock,
    defaultProjectName: settings.defaultProjectName,
    deleteProjectContents: use(deletionFeature).deletion.deleteProjectContents,
  });
  return {
    service,
    routes: projectRoutes(service),
    graphql: async () => {
      const { addProjectTypes } = await import("./projects.graphql.ts");
      return (types) => addProjectTypes(types, service);
    },
    jobs: [ensuringJob("default-project", service.ensureDefaultProject)],
  };
});
