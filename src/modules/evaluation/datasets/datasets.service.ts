// The use cases of datasets, their versions and examples. Who may call them is decided by the policy before.
import { authorIdOf } from "../../../access/principal.ts";
import type { JobContext } from "../../../jobs/job.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { findGlobalId, findRowId, globalId } from "../../../kernel/ids.ts";
import { type PageRequest, startBehind } from "../../../kernel/list.ts";
import { createNoticedChanges } from "../../../kernel/noticed-changes.ts";
import { MAX_KEY_BYTES } from "../../../model/span.ts";
import { duplicateAs } from "../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { DatasetDeletionStore } from "./dataset-deletion.store.ts";
import type { DatasetExamplesStore } from "./dataset-examples.store.ts";
import {
  datasetNameRefused,
  datasetNameTaken,
  datasetNotFound,
  notAnIdOf,
  noVersion,
  versionNotFound,
} from "./datasets.errors.ts";
import {
  DATASET,
  DATASET_VERSION,
  type Dataset,
  type DatasetExample,
  type DatasetVersion,
  type DifferenceCounts,
  type ExampleDifference,
  type ExampleFilter,
  type ExampleRevision,
  type LivingExample,
} from "./datasets.schema.ts";
import type { DatasetsStore } from "./datasets.store.ts";

interface DatasetsDependencies {
  readonly store: DatasetsStore;
  readonly examples: DatasetExamplesStore;
  readonly deletion: DatasetDeletionStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly clock: Clock;
}

/** A dataset at one of its versions. */
interface DatasetAtVersion {
  readonly dataset: Dataset;
  readonly version: DatasetVersion;
}

interface NewDatasetWords {
  readonly name: string;
  readonly description: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
}

export interface DatasetsService {
  listDatasets: DatasetsStore["list"];
  countDatasets(context: CallContext): Promise<number>;
  /** When this server noticed that a dataset was made, changed or deleted, microseconds UTC; the first answer is the time of the question.
   *  Null without datasets. */
  findLastChange(context: CallContext): Promise<number | null>;
  /** By row id. */
  findDatasets(context: CallContext, ids: readonly number[]): Promise<Map<number, Dataset>>;
  /** By global id. Throws kind `invalid` for a text that is no id, `not_found`. */
  getDataset(context: CallContext, id: string): Promise<Dataset>;
  /** By global id or name. Throws kind `not_found`. */
  getIdentified(context: CallContext, identifier: string): Promise<Dataset>;
  /** By dataset; those without any version are left out. */
  findNewestVersions(context: CallContext, datasetIds: readonly number[]): Promise<Map<number, DatasetVersion>>;
  findVersions(context: CallContext, ids: readonly number[]): Promise<Map<number, DatasetVersion>>;
  /** By dataset. */
  listVersions: DatasetsStore["listVersions"];
  /** The dataset and the version that are asked for; without a version its newest one. Throws kind `invalid` for what is no id,
   *  `not_found`. */
  getAtVersion(context: CallContext, id: string, versionId: string | undefined): Promise<DatasetAtVersion>;
  /** Living examples at a version, or now, by dataset, in the order of their ids. */
  listExamples: DatasetExamplesStore["listOfDatasets"];
  /** The contents of all examples of a dataset, in small parts. */
  walkExamples(
    context: CallContext,
    at: { readonly datasetId: number; readonly versionId: number },
    filter: ExampleFilter,
  ): AsyncGenerator<readonly LivingExample[]>;
  /** By dataset; one without such examples is left out. */
  countExamples: DatasetExamplesStore["count"];
  /** By row id, deleted ones too. */
  findExamples(context: CallContext, ids: readonly number[]): Promise<Map<number, DatasetExample>>;
  findExampleByExternalId(context: CallContext, datasetId: number, externalId: string): Promise<DatasetExample | null>;
  /** What examples are at a version, or are now. */
  findRevisions(
    context: CallContext,
    exampleIds: readonly number[],
    versionId: number | null,
  ): Promise<Map<number, ExampleRevision>>;
  /** Spans that examples were made of, by example. */
  findSpanIds(context: CallContext, exampleIds: readonly number[]): Promise<Map<number, number>>;
  /** Examples that were made of spans, by span. */
  findExamplesOfSpans(context: CallContext, spanIds: readonly number[]): Promise<Map<number, DatasetExample[]>>;
  countDifferences(
    context: CallContext,
    versions: { readonly from: DatasetVersion; readonly to: DatasetVersion },
  ): Promise<DifferenceCounts>;
  /** In the order of the examples' ids. */
  listDifferences(
    context: CallContext,
    versions: { readonly from: DatasetVersion; readonly to: DatasetVersion },
    kinds: readonly ExampleDifference[],
    page: { readonly after: number; readonly limit: number },
  ): Promise<{ readonly exampleId: number; readonly kind: ExampleDifference }[]>;
  /** Throws kind `conflict` for a name that is taken, `invalid` for an invalid one. */
  createDataset(context: CallContext, words: NewDatasetWords): Promise<Dataset>;
  /** Throws as `createDataset`, and kind `not_found`. */
  updateDataset(context: CallContext, id: number, changes: Partial<NewDatasetWords>): Promise<Dataset>;
  /** With its versions and examples; splits and labels stay. Asked again after a failure, it goes on. Throws kind `invalid` for what is
   *  no id, `not_found`. */
  deleteDataset(context: CallContext, id: string): Promise<Dataset>;
  /** Goes on with deletions that were cut off. Resolves to false when more is left. */
  finishDeletions(job: JobContext): Promise<boolean>;
}

/** Examples that are read at once where all are wanted, and their characters together. */
const WALK_ROWS = 500;
const WALK_CHARACTERS = 4 * 1024 * 1024;

/** Throws kind `invalid` for a name that no dataset can have. */
export function requireDatasetName(name: string): void {
  if (name === "") throw datasetNameRefused("must not be empty");
  if (Buffer.byteLength(name) > MAX_KEY_BYTES)
    throw datasetNameRefused(`must not be longer than ${MAX_KEY_BYTES} bytes`);
}

/** The row id in an id of a type. Throws kind `invalid` for a text that is no id, `not_found` for the id of something else. */
function requireId(type: string, what: string, text: string, notFound: (text: string) => Error): number {
  const found = findGlobalId(text);
  if (found === null) throw notAnIdOf(what, text);
  if (found.type !== type) throw notFound(text);
  return found.rowId;
}

/** The row id in an id of a type. Throws kind `invalid` for any other text. */
export function requireIdOf(type: string, what: string, text: string): number {
  const found = findRowId(type, text);
  if (found === null) throw notAnIdOf(what, text);
  return found;
}

type Reads = Omit<DatasetsService, keyof Changes | keyof ExampleReads>;
type Changes = Pick<DatasetsService, "createDataset" | "updateDataset" | "deleteDataset" | "finishDeletions">;
type ExampleReads = Pick<
  DatasetsService,
  | "listExamples"
  | "walkExamples"
  | "countExamples"
  | "findExamples"
  | "findExampleByExternalId"
  | "findRevisions"
  | "findSpanIds"
  | "findExamplesOfSpans"
  | "countDifferences"
  | "listDifferences"
>;

async function requireDataset(
  { store }: Pick<DatasetsDependencies, "store">,
  context: CallContext,
  rowId: number,
  identifier: string,
): Promise<Dataset> {
  const dataset = await store.find(context, { id: rowId });
  if (dataset === null) throw datasetNotFound(identifier);
  return dataset;
}

export function createDatasetsService(dependencies: DatasetsDependencies): DatasetsService {
  return { ...datasetReads(dependencies), ...exampleReads(dependencies), ...datasetChanges(dependencies) };
}

function datasetReads(dependencies: DatasetsDependencies): Reads {
  const { store, clock } = dependencies;
  const noticed = createNoticedChanges<"datasets">(clock, 1);
  return {
    findNewestVersions: (context, ids) => store.findNewestVersions(context, ids),

    listDatasets: store.list,
    countDatasets: (context) => store.count(context),
    findLastChange: async (context) => noticed.notice("datasets", await store.findEnds(context)),

    findDatasets: async (context, ids) =>
      new Map((await store.findAll(context, ids)).map((dataset) => [dataset.id, dataset])),

    getDataset: async (context, id) =>
      requireDataset(dependencies, context, requireId(DATASET, "dataset", id, datasetNotFound), id),

    async getIdentified(context, identifier) {
      const rowId = findRowId(DATASET, identifier);
      const dataset = await store.find(context, rowId === null ? { name: identifier } : { id: rowId });
      if (dataset === null) throw datasetNotFound(identifier);
      return dataset;
    },

    findVersions: async (context, ids) =>
      new Map((await store.findVersions(context, ids)).map((version) => [version.id, version])),

    listVersions: store.listVersions,

    async getAtVersion(context, id, versionText) {
      const wanted = versionText === undefined || versionText === "" ? null : versionText;
      // An invalid id is reported before the id of another type.
      if (findGlobalId(id) === null) throw notAnIdOf("dataset", id);
      if (wanted !== null && findGlobalId(wanted) === null) throw notAnIdOf("version", wanted);
      const datasetId = requireId(DATASET, "dataset", id, datasetNotFound);
      const versionId = wanted === null ? null : requireId(DATASET_VERSION, "version", wanted, versionNotFound);
      const dataset = await requireDataset(dependencies, context, datasetId, id);
      if (versionId === null) {
        const newest = (await store.findNewestVersions(context, [datasetId])).get(datasetId);
        if (newest === undefined) throw noVersion(dataset.name);
        return { dataset, version: newest };
      }
      const [version] = await store.findVersions(context, [versionId]);
      if (version === undefined || version.datasetId !== datasetId) throw versionNotFound(wanted!);
      return { dataset, version };
    },
  };
}

function exampleReads({ examples }: DatasetsDependencies): ExampleReads {
  return {
    listExamples: examples.listOfDatasets,

    async *walkExamples(context, { datasetId, versionId }, filter) {
      let request: PageRequest = { start: null, limit: WALK_ROWS };
      for (;;) {
        const page = await examples.list(context, datasetId, versionId, filter, request);
        if (page.items.length > 0) yield page.items;
        if (page.next === null) return;
        const last = page.items.at(-1)!;
        const characters = page.items.reduce(
          (sum, { input, output, metadata }) => sum + input.length + output.length + metadata.length,
          0,
        );
        // Large ones come in smaller parts, small ones in whole ones.
        const limit = Math.max(
          1,
          Math.min(WALK_ROWS, Math.floor((WALK_CHARACTERS * page.items.length) / (characters + 1))),
        );
        request = { start: startBehind({ value: last.id, rowId: last.id }), limit };
      }
    },

    countExamples: examples.count,

    findExamples: (context, ids) => examples.find(context, ids),

    findExampleByExternalId: async (context, datasetId, externalId) =>
      (await examples.findByExternalIds(context, datasetId, [externalId])).get(externalId) ?? null,

    findRevisions: (context, exampleIds, versionId) => examples.findRevisions(context, exampleIds, versionId),

    findSpanIds: (context, exampleIds) => examples.findSpanIds(context, exampleIds),

    findExamplesOfSpans: (context, spanIds) => examples.findOfSpans(context, spanIds),

    countDifferences: (context, { from, to }) => examples.countDifferences(context, to.datasetId, from.id, to.id),

    listDifferences: (context, { from, to }, kinds, { after, limit }) =>
      examples.listDifferences(context, to.datasetId, { from: from.id, to: to.id, kinds }, after, limit),
  };
}

function datasetChanges(dependencies: DatasetsDependencies): Changes {
  const { store, deletion, storage, clock } = dependencies;

  /** Datasets whose rows are being removed by this server: a request and the job do not remove the same slices. */
  const removing = new Map<number, Promise<void>>();

  async function removeWholly(context: () => CallContext, datasetId: number, goOn = () => true): Promise<void> {
    for (let other = removing.get(datasetId); other !== undefined; other = removing.get(datasetId)) {
      await other.catch(() => {});
    }
    const work = removeSlices(context, datasetId, goOn).finally(() => removing.delete(datasetId));
    removing.set(datasetId, work);
    await work;
  }

  async function removeSlices(context: () => CallContext, datasetId: number, goOn: () => boolean): Promise<void> {
    let isLeft = true;
    while (isLeft && goOn()) {
      isLeft = await storage.transaction(context(), (inner) => deletion.removeSlice(inner, datasetId));
    }
  }

  return {
    async createDataset(context, words) {
      requireDatasetName(words.name);
      const userId = authorIdOf(context.principal);
      const dataset = await store.insert(context, { ...words, userId, nowUs: clock.now() });
      if (dataset === null) throw datasetNameTaken(words.name);
      return dataset;
    },

    async updateDataset(context, id, changes) {
      if (changes.name !== undefined) requireDatasetName(changes.name);
      const dataset = await store
        .update(context, id, { ...changes, updatedUs: clock.now() })
        .catch(duplicateAs(() => datasetNameTaken(changes.name ?? "")));
      if (dataset === null) throw datasetNotFound(globalId(DATASET, id));
      return dataset;
    },

    async deleteDataset(context, id) {
      const rowId = requireIdOf(DATASET, "dataset", id);
      const dataset = await store.findWithDeleting(context, rowId);
      if (dataset === null || !(await deletion.mark(context, rowId))) throw datasetNotFound(id);
      await removeWholly(() => context, rowId);
      return dataset;
    },

    async finishDeletions({ context, goOn, attempt }) {
      for (const datasetId of await deletion.listMarked(context())) {
        if (!goOn()) return false;
        await attempt(globalId(DATASET, datasetId), () => removeWholly(context, datasetId, goOn));
      }
      return goOn();
    },
  };
}
