// Sessions: conversations of several traces.
import type { ActionRows } from "../../../access/policy.ts";
import { feature } from "../../feature.ts";
import { deletionFeature } from "../deletion/deletion.feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { tracesFeature } from "../traces/traces.feature.ts";
import { createSessionListStore } from "./session-list.store.ts";
import { createSessionReadsService } from "./session-reads.service.ts";
import { createSessionReadsStore } from "./session-reads.store.ts";
import { sessionRoutes } from "./sessions.routes.ts";
import { createSessionsService } from "./sessions.service.ts";
import { createSessionsStore } from "./sessions.store.ts";

const actions = {
  sessions: { read: "read", delete: "write" },
} as const satisfies ActionRows;
type SessionsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends SessionsActions {}
}

export const sessionsFeature = feature("sessions", { actions }, ({ storage: { dialect }, rollups, use }) => {
  const projects = use(projectsFeature);
  const { deletion } = use(deletionFeature);
  const { traceReads } = use(tracesFeature);
  const [store, list] = [createSessionsStore(dialect), createSessionListStore(dialect)];
  const service = createSessionsService({ store, list, projects, deletion, rollups });
  const sessionReads = createSessionReadsService(createSessionReadsStore(dialect), rollups);
  return {
    service,
    routes: sessionRoutes(service),
    graphql: async () => {
      const { addSessionTypes } = await import("./sessions.graphql.ts");
      return (types) => addSessionTypes(types, { sessions: service, sessionReads, projects, traceReads });
    },
  };
});
