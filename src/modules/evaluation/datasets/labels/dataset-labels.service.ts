// The use cases of labels of datasets, which are shared by all datasets.
import { authorIdOf } from "../../../../access/principal.ts";
import { findRowId } from "../../../../kernel/ids.ts";
import { isDuplicate } from "../../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { datasetNotFound, labelNameTaken, labelNotFound, noLabelChange, notAnIdOf } from "../datasets.errors.ts";
import type { DatasetsService } from "../datasets.service.ts";
import type { DatasetsStore } from "../datasets.store.ts";
import { DATASET_LABEL, type DatasetLabel, type LabelChanges, type NewDatasetLabel } from "./dataset-labels.schema.ts";
import type { DatasetLabelsStore } from "./dataset-labels.store.ts";

interface LabelsDependencies {
  readonly store: DatasetLabelsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly datasets: DatasetsService;
  readonly datasetRows: DatasetsStore;
}

export interface DatasetLabelsService {
  /** `names` null is all. */
  listLabels: DatasetLabelsStore["list"];
  findLabels(context: CallContext, ids: readonly number[]): Promise<Map<number, DatasetLabel>>;
  listOfDatasets(context: CallContext, datasetIds: readonly number[]): Promise<Map<number, DatasetLabel[]>>;
  countUses(context: CallContext, labelIds: readonly number[]): Promise<Map<number, number>>;
  /** Throws kind `invalid` for what is no id, `not_found`. */
  getLabel(context: CallContext, id: string): Promise<DatasetLabel>;
  /** With datasets, by id or name, that have it at once. Throws kind `conflict` for a name that is taken, `not_found`. */
  createLabel(context: CallContext, label: NewDatasetLabel, datasetIds?: readonly string[]): Promise<DatasetLabel>;
  /** Throws as `getLabel` and `createLabel`, and kind `invalid` when nothing is to be changed. */
  updateLabel(context: CallContext, id: string, changes: LabelChanges): Promise<DatasetLabel>;
  /** All or none, in the order of the ids. Throws as `getLabel`. */
  deleteLabels(context: CallContext, ids: readonly string[]): Promise<DatasetLabel[]>;
  /** Newest first. Throws kind `not_found` for the dataset. */
  listOfDataset(context: CallContext, identifier: string): Promise<DatasetLabel[]>;
  /** Also when the dataset has it already. Throws as `getLabel`, and kind `not_found` for the dataset. */
  addLabel(context: CallContext, identifier: string, id: string): Promise<DatasetLabel>;
  /** Also when the dataset does not have it. */
  removeLabel(context: CallContext, identifier: string, id: string): Promise<void>;
  /** The dataset then has exactly these, newest first. */
  setLabels(context: CallContext, identifier: string, ids: readonly string[]): Promise<DatasetLabel[]>;
}

/** The row id in an id of a label. Throws kind `invalid` for any other text. */
export function requireLabelId(id: string): number {
  const rowId = findRowId(DATASET_LABEL, id);
  if (rowId === null) throw notAnIdOf("label of datasets", id);
  return rowId;
}

export function createDatasetLabelsService(dependencies: LabelsDependencies): DatasetLabelsService {
  const { store, storage, datasets, datasetRows } = dependencies;

  /** Runs `work` with the dataset held, so that its deletion and other changes of its labels wait. */
  const holding = <Result>(
    context: CallContext,
    identifier: string,
    work: (inner: CallContext, datasetId: number) => Promise<Result>,
  ): Promise<Result> =>
    storage.transaction(context, async (inner) => {
      const { id } = await datasets.getIdentified(inner, identifier);
      if ((await datasetRows.lock(inner, { id })) === null) throw datasetNotFound(identifier);
      return work(inner, id);
    });

  async function requireLabels(context: CallContext, ids: readonly string[]): Promise<DatasetLabel[]> {
    const rowIds = ids.map(requireLabelId);
    const found = await store.find(context, rowIds);
    return ids.map((id, position) => {
      const label = found.get(rowIds[position]!);
      if (label === undefined) throw labelNotFound(id);
      return label;
    });
  }

  return {
    listLabels: store.list,
    findLabels: (context, ids) => store.find(context, ids),
    listOfDatasets: (context, ids) => store.listOfDatasets(context, ids),
    countUses: (context, ids) => store.countUses(context, ids),

    getLabel: async (context, id) => (await requireLabels(context, [id]))[0]!,

    createLabel: (context, label, datasetIds = []) =>
      storage.transaction(context, async (inner) => {
        const created = await store.insert(inner, label, authorIdOf(inner.principal));
        if (created === null) throw labelNameTaken(label.name);
        const found = new Map<number, string>();
        for (const identifier of datasetIds)
          found.set((await datasets.getIdentified(inner, identifier)).id, identifier);
        // In the order of their ids: two callers who name the same ones never wait for each other.
        for (const [id, identifier] of [...found].sort(([one], [other]) => one - other)) {
          if ((await datasetRows.lock(inner, { id })) === null) throw datasetNotFound(identifier);
          await store.add(inner, id, [created.id]);
        }
        return created;
      }),

    async updateLabel(context, id, { name, color, description }) {
      const rowId = requireLabelId(id);
      const changes = {
        ...(typeof name === "string" ? { name } : {}),
        ...(typeof color === "string" ? { color } : {}),
        ...(description === undefined ? {} : { description }),
      };
      if (Object.keys(changes).length === 0) throw noLabelChange();
      try {
        const updated = await store.update(context, rowId, changes);
        if (updated === null) throw labelNotFound(id);
        return updated;
      } catch (error) {
        throw isDuplicate(error) ? labelNameTaken(`${name}`) : error;
      }
    },

    async deleteLabels(context, ids) {
      const rowIds = ids.map(requireLabelId);
      return storage.transaction(context, async (inner) => {
        const removed = new Map((await store.remove(inner, rowIds)).map((label) => [label.id, label]));
        return ids.map((id, position) => {
          const label = removed.get(rowIds[position]!);
          if (label === undefined) throw labelNotFound(id);
          return label;
        });
      });
    },

    async listOfDataset(context, identifier) {
      const { id } = await datasets.getIdentified(context, identifier);
      return (await store.listOfDatasets(context, [id])).get(id) ?? [];
    },

    async addLabel(context, identifier, id) {
      requireLabelId(id);
      return holding(context, identifier, async (inner, datasetId) => {
        const [label] = await requireLabels(inner, [id]);
        await store.add(inner, datasetId, [label!.id]);
        return label!;
      });
    },

    async removeLabel(context, identifier, id) {
      const rowId = requireLabelId(id);
      await holding(context, identifier, (inner, datasetId) => store.take(inner, datasetId, [rowId]));
    },

    async setLabels(context, identifier, ids) {
      for (const id of ids) requireLabelId(id);
      return holding(context, identifier, async (inner, datasetId) => {
        const labels = await requireLabels(inner, ids);
        await store.take(inner, datasetId, null);
        await store.add(
          inner,
          datasetId,
          labels.map(({ id }) => id),
        );
        return (await store.listOfDatasets(inner, [datasetId])).get(datasetId) ?? [];
      });
    },
  };
}
