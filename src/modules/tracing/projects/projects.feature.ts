// Projects: where traces are kept.
import { ensuringJob } from "../../../jobs/ensuring.ts";
import { feature } from "../../feature.ts";
import { deletionFeature } from "../deletion/deletion.feature.ts";
import { projectRoutes } from "./projects.routes.ts";
import { createProjectsService } from "./projects.service.ts";
import { createProjectsStore } from "./projects.store.ts";

export const projectsFeature = feature("projects", ({ storage, clock, settings, use }) => {
  const service = createProjectsService({
    store: createProjectsStore(storage.dialect),
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
