// Annotations: what people and programs say about spans, traces, sessions and documents.

import type { ActionRows } from "../../../access/policy.ts";
import { pendingRowsJob } from "../../../jobs/pending-rows.ts";
import { owned } from "../../../storage/owned-tables.ts";
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { feature } from "../../feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import { annotationRoutes } from "./annotations.routes.ts";
import { createAnnotationsService } from "./annotations.service.ts";
import { createAnnotationsStore } from "./annotations.store.ts";
import { createBulkAnnotationsService } from "./bulk/bulk-annotations.service.ts";
import { createBulkAnnotationsStore } from "./bulk/bulk-annotations.store.ts";
import { createAnnotationChangesService } from "./changes/annotation-changes.service.ts";
import { createListedAnnotationsService } from "./lists/listed-annotations.service.ts";
import { createListedAnnotationsStore } from "./lists/listed-annotations.store.ts";
import { createPendingAnnotations } from "./pending/pending-annotations.service.ts";
import { createPendingAnnotationsStore } from "./pending/pending-annotations.store.ts";
import { createAnnotationRequests } from "./requests/annotation-requests.service.ts";
import { createAgreementStore } from "./summaries/agreement.store.ts";
import { createAnnotationSummariesService } from "./summaries/annotation-summaries.service.ts";
import { createAnnotationSummariesStore } from "./summaries/annotation-summaries.store.ts";
import { createRetrievalMetricsService } from "./summaries/retrieval-metrics.service.ts";
import { createRetrievalMetricsStore } from "./summaries/retrieval-metrics.store.ts";
import { createScoreHistogramsStore } from "./summaries/score-histograms.store.ts";
import { createAnnotationOwnersStore } from "./writing/annotation-owners.store.ts";
import { createAnnotationRowsStore } from "./writing/annotation-rows.store.ts";
import { createAnnotationWriting } from "./writing/annotation-writing.service.ts";

const actions = {
  /** `delete` of others' annotations is for administrators: the rows know whose they are. `clear` removes everybody's of a name,
   *  `replace_others` writes in the place of what another user wrote. */
  annotations: { read: "read", write: "write", delete: "write", clear: "administer", replace_others: "administer" },
} as const satisfies ActionRows;
type AnnotationsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends AnnotationsActions {}
}

export const annotationsFeature = feature(
  "annotations",
  {
    actions,
    ownedTables: [
      owned("span", "span_annotations", "span_id"),
      owned("span", "document_annotations", "span_id"),
      owned("trace", "trace_annotations", "trace_id"),
      owned("session", "session_annotations", "session_id"),
    ],
  },
  ({ storage, clock, rollups, log, ownContext, use }) => {
    const { users } = use(givenAccounts);
    const { dialect } = storage;
    const store = createAnnotationsStore(dialect);
    const owners = createAnnotationOwnersStore(dialect);
    const rows = createAnnotationRowsStore(dialect);
    const uniqueText = () => crypto.randomUUID();
    const writing = createAnnotationWriting({ storage, owners, rows, clock });
    const pendingStore = createPendingAnnotationsStore(dialect);
    const pending = createPendingAnnotations({ store: pendingStore, writing, clock });
    const requests = createAnnotationRequests({ storage, ownContext, owners, rows, pending: pendingStore, writing });
    const projects = use(projectsFeature);
    const annotations = createAnnotationsService({ store, owners, writing, requests, pending, projects, uniqueText });
    const bulkStore = createBulkAnnotationsStore(dialect);
    const bulk = createBulkAnnotationsService({ store: bulkStore, owners, writing, projects, rollups, clock });
    const changes = createAnnotationChangesService({ storage, store, owners, rows, writing, clock, uniqueText });
    const summaries = createAnnotationSummariesService(
      createAnnotationSummariesStore(dialect),
      createScoreHistogramsStore(dialect),
      createAgreementStore(dialect),
      rollups,
    );
    const metrics = createRetrievalMetricsService(createRetrievalMetricsStore(dialect), owners, rollups);
    const listed = createListedAnnotationsService(dialect, createListedAnnotationsStore(dialect), rollups);
    return {
      service: { annotations, pending },
      jobs: [pendingRowsJob("annotations", pending, log.named("jobs"))],
      routes: annotationRoutes(annotations),
      graphql: async () => {
        const [
          { addAnnotationTypes },
          { annotationPayloads },
          { addAnnotationMutations },
          { addNoteMutations },
          { addAnnotationSummaries },
          { addRetrievalMetrics },
          { addBulkAnnotations },
          { addListedAnnotations },
          { addScoreHistograms },
          { addAgreement },
        ] = await Promise.all([
          import("./annotations.graphql.ts"),
          import("./changes/annotation-inputs.graphql.ts"),
          import("./changes/annotation-mutations.graphql.ts"),
          import("./changes/note-mutations.graphql.ts"),
          import("./summaries/annotation-summaries.graphql.ts"),
          import("./summaries/retrieval-metrics.graphql.ts"),
          import("./bulk/bulk-annotations.graphql.ts"),
          import("./lists/listed-annotations.graphql.ts"),
          import("./summaries/score-histograms.graphql.ts"),
          import("./summaries/agreement.graphql.ts"),
        ]);
        return (types) => {
          addAnnotationTypes(types, { annotations, users });
          const payloads = annotationPayloads(types);
          addAnnotationMutations(types, { annotations, changes }, payloads);
          addNoteMutations(types, changes, payloads);
          addAnnotationSummaries(types, annotations, summaries);
          addScoreHistograms(types, summaries);
          addAgreement(types, summaries);
          addRetrievalMetrics(types, annotations, metrics);
          addBulkAnnotations(types, bulk);
          addListedAnnotations(types, listed);
        };
      },
    };
  },
);
