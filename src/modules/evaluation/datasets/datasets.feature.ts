// Datasets: examples in versions, their splits and labels, uploads and exports.

import type { ActionRows } from "../../../access/policy.ts";
import { requireUnlockedStorage } from "../../../api/storage-lock.ts";
import { owned } from "../../../storage/owned-tables.ts";
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { type FeatureSettings, feature } from "../../feature.ts";
import { sessionsFeature } from "../../tracing/sessions/sessions.feature.ts";
import { spansFeature } from "../../tracing/spans/spans.feature.ts";
import { annotationConfigsFeature } from "../annotation-configs/annotation-configs.feature.ts";
import { annotationsFeature } from "../annotations/annotations.feature.ts";
import { createLabelsService } from "../labels/labels.service.ts";
import { createLabelsStore } from "../labels/labels.store.ts";
import { createDatasetDeletionStore } from "./dataset-deletion.store.ts";
import { createDatasetExamplesStore } from "./dataset-examples.store.ts";
import { notAnIdOf } from "./datasets.errors.ts";
import { datasetRoutes } from "./datasets.routes.ts";
import { createDatasetsService } from "./datasets.service.ts";
import { createDatasetsStore } from "./datasets.store.ts";
import { createDatasetChangesService } from "./examples/dataset-changes.service.ts";
import { createDatasetExportsService } from "./exports/dataset-exports.service.ts";
import { createSelectedExamplesService } from "./from-spans/selected-examples.service.ts";
import { createSpanSelections } from "./from-spans/span-selections.service.ts";
import { createSpanSourcesService } from "./from-spans/span-sources.service.ts";
import { createSpanSourcesStore } from "./from-spans/span-sources.store.ts";
import { type DatasetLabel, datasetLabels } from "./labels/dataset-labels.schema.ts";
import { createDatasetSplitsService } from "./splits/dataset-splits.service.ts";
import { createDatasetSplitsStore } from "./splits/dataset-splits.store.ts";
import { createDatasetUploadsService } from "./uploads/dataset-uploads.service.ts";
import type { UploadBounds } from "./uploads/upload-feed.rules.ts";
import { createUploadedDatasets } from "./uploads/upload-new-dataset.service.ts";
import { createUploadSplitsStore } from "./uploads/upload-splits.store.ts";
import { createUploadVersion } from "./uploads/upload-version.service.ts";
import { type UploadsConfig, uploadSettings } from "./uploads/uploads.settings.ts";
import { createUploadsStore } from "./uploads/uploads.store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const actions = {
  /** With their versions, examples, splits and labels. */
  datasets: { read: "read", change: "write" },
} as const satisfies ActionRows;
type DatasetsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends DatasetsActions {}
}

export const datasetsFeature = feature(
  "datasets",
  { actions, settings: uploadSettings, ownedTables: [owned("span", "dataset_example_spans", "span_id")] },
  ({ storage, clock, log, isStorageLocked, lookAtStorage, settings, own, use }) => {
    const { users } = use(givenAccounts);
    const { dialect } = storage;
    const store = createDatasetsStore(dialect);
    const examples = createDatasetExamplesStore(dialect);
    const spanSources = createSpanSourcesStore(dialect);
    const splits = createDatasetSplitsService({ store: createDatasetSplitsStore(dialect), examples, storage, clock });
    const datasets = createDatasetsService({
      store,
      examples,
      deletion: createDatasetDeletionStore(dialect),
      storage,
      clock,
    });
    const uploadRows = createUploadsStore(dialect);
    const uploadSplits = createUploadSplitsStore();
    const uploads = createDatasetUploadsService({
      storage,
      store: uploadRows,
      apply: createUploadVersion({ store: uploadRows, splits: uploadSplits, datasets: store }),
      uploadedDatasets: createUploadedDatasets({ storage, store: uploadRows, splits: uploadSplits, datasets: store }),
      clock,
      findSpans: spanSources.findSpans,
    });
    const labels = createLabelsService({
      kind: datasetLabels,
      store: createLabelsStore<DatasetLabel>(dialect, datasetLabels),
      storage,
      owners: {
        idOf: async (context, identifier) => (await datasets.getIdentified(context, identifier)).id,
        lock: async (inner, id) => (await store.lock(inner, { id })) !== null,
      },
    });
    const exports = createDatasetExportsService({ datasets, splits, notFound: (id) => notAnIdOf("dataset", id) });
    const changes = createDatasetChangesService({
      datasets: store,
      examples,
      rows: uploadRows,
      splits: uploadSplits,
      uploads,
      clock,
    });
    const { spanReads } = use(spansFeature);
    const selections = createSpanSelections({ store: spanSources, spanReads, sessions: use(sessionsFeature), clock });
    const { annotations } = use(annotationsFeature);
    const { configs } = use(annotationConfigsFeature);
    const selected = createSelectedExamplesService({ spanReads, annotations, configs });
    const sources = createSpanSourcesService({ selections, spanReads, selected, changes });
    const services = { datasets, uploads, exports, splits, labels, changes, sources };
    return {
      service: services,
      routes: datasetRoutes({
        ...services,
        log: log.named("datasets"),
        uploadBounds: uploadBoundsOf(own, settings, isStorageLocked, lookAtStorage),
        maxUploadsAtOnce: own.maxAtOnce,
      }),
      graphql: async () => {
        const [
          { addDatasetTypes },
          { addDatasetMutations },
          { addSplitAndLabelMutations },
          { addDatasetDifferences },
          { addSpanSources },
        ] = await Promise.all([
          import("./datasets.graphql.ts"),
          import("./dataset-mutations.graphql.ts"),
          import("./splits/dataset-split-mutations.graphql.ts"),
          import("./examples/dataset-differences.graphql.ts"),
          import("./from-spans/span-sources.graphql.ts"),
        ]);
        return (types) => {
          addDatasetTypes(types, { ...services, users });
          addDatasetMutations(types, services);
          addSplitAndLabelMutations(types, services);
          addDatasetDifferences(types, datasets);
          addSpanSources(types, services);
        };
      },
      jobs: [
        {
          name: "deleted-datasets",
          changes: true,
          everyMilliseconds: MINUTE_MS,
          lease: "datasetDeletions",
          run: datasets.finishDeletions,
        },
        { name: "left-uploads", changes: true, everyMilliseconds: HOUR_MS, run: uploads.sweep },
      ],
    };
  },
);

function uploadBoundsOf(
  uploads: UploadsConfig,
  { uploadFolder, minimumFreeBytes, bodyLimit, supportEmail }: FeatureSettings,
  isStorageLocked: () => boolean,
  lookAtStorage: () => Promise<void>,
): UploadBounds {
  const { maxBytes, maxSeconds, maxUnpackedBytes, maxRows, maxColumns, maxRowMembers } = uploads;
  const spool = { folder: uploadFolder, maxBytes: uploads.maxSpooledBytes, minimumFreeBytes };
  return {
    maxBytes,
    bodyLimit,
    maxSeconds,
    limits: { maxUnpackedBytes, maxRows, maxColumns, maxRowMembers, spool },
    async requireUnlocked() {
      await lookAtStorage();
      requireUnlockedStorage(true, isStorageLocked(), supportEmail);
    },
  };
}
