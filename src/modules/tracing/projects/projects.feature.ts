// Projects: where traces are kept.
import { ensuredPart } from "../../../jobs/ensured-part.ts";
import { feature } from "../../feature.ts";
import { deletionFeature } from "../deletion/deletion.feature.ts";
import { projectRoutes } from "./projects.routes.ts";
import { createProjectsService } from "./projects.service.ts";
import { createProjectsStore } from "./projects.store.ts";

export const projectsFeature = feature("projects", ({ storage, clock, settings, ownContext, log, use }) => {
  const service = createProjectsService({
    store: createProjectsStore(storage.dialect),
    clock,
    defaultProjectName: settings.defaultProjectName,
    deleteProjectContents: use(deletionFeature).deletion.deleteProjectContents,
  });
  const ensure = () => service.ensureDefaultProject(ownContext());
  return {
    service,
    routes: projectRoutes(service),
    graphql: async () => {
      const { addProjectTypes } = await import("./projects.graphql.ts");
      return (types) => addProjectTypes(types, service);
    },
    parts: [ensuredPart({ name: "default project", ensure, log: log.named("projects") })],
  };
});
