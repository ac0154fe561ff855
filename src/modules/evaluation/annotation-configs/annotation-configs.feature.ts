// Annotation configurations: which names people judge by, with which labels or scores, and in which projects.
import type { ActionRows } from "../../../access/policy.ts";
import { ensuringJob } from "../../../jobs/ensuring.ts";
import { owned } from "../../../storage/owned-tables.ts";
import { feature } from "../../feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import { annotationConfigRoutes } from "./annotation-configs.routes.ts";
import { createAnnotationConfigsService } from "./annotation-configs.service.ts";
import { createAnnotationConfigsStore } from "./annotation-configs.store.ts";
import { createConfigAssignmentsService } from "./config-assignments.service.ts";
import { createConfigAssignmentsStore } from "./config-assignments.store.ts";

const actions = {
  annotation_configs: { read: "read", change: "write" },
} as const satisfies ActionRows;
type AnnotationConfigsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends AnnotationConfigsActions {}
}

export const annotationConfigsFeature = feature(
  "annotation configurations",
  { actions, ownedTables: [owned("project", "project_annotation_configs", "project_id")] },
  ({ storage, use }) => {
    const projects = use(projectsFeature);
    const assignmentsStore = createConfigAssignmentsStore(storage.dialect);
    const configs = createAnnotationConfigsService({
      store: createAnnotationConfigsStore(storage.dialect),
      assignments: assignmentsStore,
      storage,
      projects,
    });
    const assignments = createConfigAssignmentsService({ store: assignmentsStore, storage, configs, projects });
    return {
      service: { configs, assignments },
      routes: annotationConfigRoutes({ configs, assignments }),
      graphql: async () => {
        const { addAnnotationConfigTypes } = await import("./annotation-configs.graphql.ts");
        return (types) => addAnnotationConfigTypes(types, { configs, assignments, projects });
      },
      jobs: [ensuringJob("feedback-configuration", configs.ensureFeedbackConfig)],
    };
  },
);
