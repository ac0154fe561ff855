// Retention: how long traces are kept, and the sweeps that delete what is older.
import { createRetentionJob } from "../../jobs/retention.ts";
import { withLease } from "../../storage/lease.ts";
import { feature } from "../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { deletionFeature } from "../traces/delete/deletion.feature.ts";
import { createOldTracesService } from "./old-traces.service.ts";
import { createOldTracesStore } from "./old-traces.store.ts";
import { createPoliciesStore } from "./policies.store.ts";
import { createPolicyAssignmentsStore } from "./policy-assignments.store.ts";
import { retentionRoutes } from "./retention.routes.ts";
import { createRetentionService } from "./retention.service.ts";
import { createSweepsService } from "./sweeps.service.ts";
import { createSweepsStore } from "./sweeps.store.ts";

export const retentionFeature = feature(
  "retention",
  ({ storage, clock, log: baseLog, settings, ownContext, watchJob, use }) => {
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
    const sweeps = createSweepsService({
      policies: store,
      assignments,
      store: createSweepsStore(),
      oldTraces: createOldTracesService(createOldTracesStore(storage.dialect), clock),
      deletion: use(deletionFeature).deletion,
      withLease: (context, work) => withLease(storage, context, "retention", work),
      clock,
      log,
    });
    const job = createRetentionJob((goOn) => watchJob("retention", () => sweeps.serveSchedules(ownContext, goOn)), log);
    const services = { retention, sweeps, projects, wake: job.wake };
    return {
      service: services,
      routes: retentionRoutes(services),
      graphql: async () => {
        const { addRetentionTypes } = await import("./retention.graphql.ts");
        return (types) => addRetentionTypes(types, services);
      },
      parts: [
        {
          name: "retention",
          changes: true,
          async start() {
            await retention.ensureDefaultPolicy(ownContext());
            job.start();
          },
          stop: job.stop,
        },
      ],
    };
  },
);
