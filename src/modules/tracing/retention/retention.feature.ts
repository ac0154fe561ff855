// Retention: how long traces are kept, and the sweeps that delete what is older.
import type { ActionRows } from "../../../access/policy.ts";
import { ensuringJob } from "../../../jobs/ensuring.ts";
import { owned } from "../../../storage/owned-tables.ts";
import { feature } from "../../feature.ts";
import { deletionFeature } from "../deletion/deletion.feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { createOldTracesService } from "./old-traces.service.ts";
import { createOldTracesStore } from "./old-traces.store.ts";
import { createPoliciesStore } from "./policies.store.ts";
import { createPolicyAssignmentsStore } from "./policy-assignments.store.ts";
import { createPreviewService } from "./preview.service.ts";
import { retentionRoutes } from "./retention.routes.ts";
import { createRetentionService } from "./retention.service.ts";
import { createSweepsService } from "./sweeps.service.ts";
import { createSweepsStore } from "./sweeps.store.ts";

/** Between two looks whether a policy is due. */
const LOOK_MS = 60_000;

const actions = {
  /** How long traces are stored. */
  retention: { read: "read", change: "administer" },
} as const satisfies ActionRows;
type RetentionActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends RetentionActions {}
}

export const retentionFeature = feature(
  "retention",
  { actions, ownedTables: [owned("project", "retention_sweeps", "project_id")] },
  ({ storage, clock, log: baseLog, settings, wakeJob, use }) => {
    const log = baseLog.named("retention");
    const projects = use(projectsFeature);
    const store = createPoliciesStore(storage.dialect);
    const assignments = createPolicyAssignmentsStore(storage.dialect);
    const retention = createRetentionService({
      store,
      assignments,
      storage,
      projects,
      clock,
      defaultDays: settings.defaultRetentionDays,
    });
    const oldTraces = createOldTracesService(createOldTracesStore(storage.dialect), clock);
    const sweeps = createSweepsService({
      policies: store,
      assignments,
      store: createSweepsStore(storage.dialect),
      oldTraces,
      deletion: use(deletionFeature).deletion,
      clock,
      log,
    });
    const services = {
      retention,
      sweeps,
      previews: createPreviewService(oldTraces),
      projects,
      wake: () => wakeJob("retention"),
    };
    return {
      service: services,
      routes: retentionRoutes(services),
      graphql: async () => {
        const { addRetentionTypes } = await import("./retention.graphql.ts");
        return (types) => addRetentionTypes(types, services);
      },
      jobs: [
        {
          name: "retention",
          changes: true,
          everyMilliseconds: LOOK_MS,
          lease: "retention",
          run: sweeps.serveSchedules,
        },
        ensuringJob("default-retention-policy", retention.ensureDefaultPolicy),
      ],
    };
  },
);
