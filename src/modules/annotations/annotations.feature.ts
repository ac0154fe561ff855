// Annotations: what people and programs say about spans, traces, sessions and documents.
import { feature } from "../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { createAnnotationOwnersStore } from "./annotation-owners.store.ts";
import { createAnnotationRowsStore } from "./annotation-rows.store.ts";
import { createAnnotationWriting } from "./annotation-writing.service.ts";
import { annotationRoutes } from "./annotations.routes.ts";
import { createAnnotationsService } from "./annotations.service.ts";
import { createAnnotationsStore } from "./annotations.store.ts";
import { createKeptAnnotations } from "./kept-annotations.service.ts";
import { createPendingAnnotationsStore } from "./pending-annotations.store.ts";

export const annotationsFeature = feature("annotations", ({ storage, clock, use }) => {
  const { dialect } = storage;
  const owners = createAnnotationOwnersStore(dialect);
  const writing = createAnnotationWriting({ storage, owners, rows: createAnnotationRowsStore(dialect), clock });
  const kept = createKeptAnnotations({ store: createPendingAnnotationsStore(dialect), writing, clock });
  const annotations = createAnnotationsService({
    store: createAnnotationsStore(dialect),
    owners,
    writing,
    kept,
    projects: use(projectsFeature),
    uniqueText: () => crypto.randomUUID(),
  });
  return { service: { annotations, kept }, routes: annotationRoutes(annotations) };
});
