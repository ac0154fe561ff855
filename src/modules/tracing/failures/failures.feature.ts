// Failures: spans that failed fall into groups of one cause.
import type { ActionRows } from "../../../access/policy.ts";
import { owned } from "../../../storage/owned-tables.ts";
import { feature } from "../../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { createSpanPayloadsStore } from "../spans/payload/span-payloads.store.ts";
import { spansFeature } from "../spans/spans.feature.ts";
import { createFailureDecisionsService } from "./decisions/failure-decisions.service.ts";
import { createFailureDecisionsStore } from "./decisions/failure-decisions.store.ts";
import { createFailureFiguresStore } from "./failure-figures.store.ts";
import { createFailureGroupsService } from "./failure-groups.service.ts";
import { createFailureGroupsStore } from "./failure-groups.store.ts";
import { failureRoutes } from "./failures.routes.ts";
import { failuresJob } from "./failures-job.service.ts";
import { createExaminedSpansStore } from "./settlement/examined-spans.store.ts";
import { createFailedSpans } from "./settlement/failed-spans.service.ts";
import { createGroupCountsStore } from "./settlement/group-counts.store.ts";
import { createPendingFailuresStore } from "./settlement/pending-failures.store.ts";
import { createSettlementService } from "./settlement/settlement.service.ts";
import { createSettlementStore } from "./settlement/settlement.store.ts";

const actions = {
  failures: { read: "read", change: "write" },
} as const satisfies ActionRows;
type FailuresActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends FailuresActions {}
}

const ownedTables = [
  // The failures first: those that passed one on wait to be examined then, and some of them are removed as well.
  owned("span", "failures", "span_id"),
  owned("span", "pending_failures", "span_id"),
  owned("project", "failure_splits", "project_id"),
  owned("project", "failure_fingerprints", "project_id"),
  owned("project", "failure_groups", "project_id"),
];

export const failuresFeature = feature(
  "failures",
  { actions, ownedTables },
  ({ storage, clock, log, rollups, settings, use }) => {
    const { spanReads } = use(spansFeature);
    const projects = use(projectsFeature);
    const pending = createPendingFailuresStore(storage.dialect);
    const settlementStore = createSettlementStore(storage.dialect);
    const groups = createFailureGroupsStore(storage.dialect);
    const settlement = createSettlementService({
      storage,
      pending,
      store: settlementStore,
      counts: createGroupCountsStore(storage.dialect),
      failed: createFailedSpans(
        createExaminedSpansStore(storage.dialect),
        createSpanPayloadsStore(storage.dialect, log.named("spans")),
      ),
      isReadOnly: settings.readOnly,
      log: log.named("failures"),
    });
    rollups.settleFailuresBy(settlement.settle);
    const service = createFailureGroupsService({
      store: groups,
      figures: createFailureFiguresStore(storage.dialect),
      settlement,
      spanReads,
      projects,
      clock,
    });
    const decisions = createFailureDecisionsService({
      storage,
      store: createFailureDecisionsStore(storage.dialect),
      groups,
      pending,
      recounts: settlementStore,
      settlement,
      clock,
    });
    return {
      service: { groups: service, settlement },
      routes: failureRoutes({ groups: service, decisions, projects, clock }),
      jobs: [failuresJob(settlement)],
      graphql: async () => {
        const { addFailureTypes } = await import("./failures.graphql.ts");
        const { addFailureDecisions } = await import("./decisions/failure-decisions.graphql.ts");
        return (types) => {
          addFailureTypes(types, service);
          addFailureDecisions(types, decisions);
        };
      },
    };
  },
);
