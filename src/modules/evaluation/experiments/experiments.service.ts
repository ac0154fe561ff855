// The use cases of experiments. Who may call them is decided by the policy before.
import { randomBytes } from "node:crypto";
import { authorIdOf } from "../../../access/principal.ts";
import { globalId } from "../../../kernel/ids.ts";
import { type JsonObject, stringifyJson } from "../../../kernel/json.ts";
import type { PlacedPage, SortedRequest } from "../../../kernel/list.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import { DATASET, DATASET_VERSION, type Dataset, type DatasetVersion } from "../datasets/datasets.schema.ts";
import type { DatasetsService } from "../datasets/datasets.service.ts";
import type { DatasetSplitsService } from "../datasets/splits/dataset-splits.service.ts";
import {
  type DeletionDependencies,
  type ExperimentDeletions,
  experimentDeletions,
} from "./experiment-deletion.service.ts";
import { requireExperimentId } from "./experiment-ids.rules.ts";
import { experimentDatasetNotFound, experimentNotFound, noExperimentChange } from "./experiments.errors.ts";
import type {
  CountedExperiment,
  Experiment,
  ExperimentChanges,
  ExperimentSort,
  NewExperiment,
} from "./experiments.schema.ts";
import type { ChosenExperiments, ExperimentsStore } from "./experiments.store.ts";

interface ExperimentsDependencies extends DeletionDependencies {
  readonly store: ExperimentsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly datasets: DatasetsService;
  readonly splits: DatasetSplitsService;
  readonly projects: ProjectsService;
}

export interface ExperimentsService extends ExperimentDeletions {
  /** Those that are chosen, by row id of the dataset. */
  listOfDatasets: ExperimentsStore["listOfDatasets"];
  /** All of a dataset, by row id, with their runs so far. */
  listCounted(
    context: CallContext,
    datasetId: number,
    request: SortedRequest<ExperimentSort>,
  ): Promise<PlacedPage<CountedExperiment>>;
  /** By row id of the dataset; one without such experiments is left out. */
  countChosen(
    context: CallContext,
    datasetIds: readonly number[],
    choice: ChosenExperiments,
  ): Promise<Map<number, number>>;
  /** By row id; one that is not there is left out. */
  findExperiments(context: CallContext, ids: readonly number[]): Promise<Map<number, Experiment>>;
  /** Row ids of the splits by which the examples were chosen, by experiment. */
  findSplitIds(context: CallContext, ids: readonly number[]): Promise<Map<number, number[]>>;
  /** Dismisses it: lists leave it out, and it is deleted a day later; or takes that back. Throws as `getExperiment`. */
  setDismissed(context: CallContext, id: string, isDismissed: boolean): Promise<Experiment>;
  /** By global id. Throws kind `invalid` for a text that is no id, `not_found`. */
  getExperiment(context: CallContext, id: string): Promise<Experiment>;
  /** With its runs so far. Throws as `getExperiment`. */
  getCounted(context: CallContext, id: string): Promise<CountedExperiment>;
  /** Of the examples at a version, with a project of its own. Throws kind `invalid` for what is no id, `not_found`. */
  createExperiment(context: CallContext, datasetId: string, words: NewExperiment): Promise<CountedExperiment>;
  /** The same in the transaction of the caller, of a dataset at a version that was found in it. */
  insertExperiment(context: CallContext, experiment: FoundExperiment): Promise<Experiment>;
  /** Throws as `getExperiment`, and kind `invalid` without any change. */
  updateExperiment(context: CallContext, id: string, changes: ExperimentChanges): Promise<CountedExperiment>;
}

interface FoundExperiment {
  readonly dataset: Dataset;
  readonly version: DatasetVersion;
  /** Row ids; none for all examples. */
  readonly splitIds: readonly number[];
  /** Row ids of examples: no others are taken. Null for all. */
  readonly exampleIds: readonly number[] | null;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: JsonObject;
  readonly repetitions: number;
  /** It is dismissed from the beginning. */
  readonly isEphemeral: boolean;
}

/** Of the name of the dataset. */
const NAME_BEGINNING = 8;

const givenName = (datasetName: string) =>
  `${[...datasetName].slice(0, NAME_BEGINNING).join("").replaceAll(" ", "-")}-${randomBytes(4).toString("hex")}`;

export function createExperimentsService(dependencies: ExperimentsDependencies): ExperimentsService {
  const { store, storage, clock, datasets, splits, projects } = dependencies;

  async function getExperiment(context: CallContext, id: string): Promise<Experiment> {
    const experiment = await store.find(context, requireExperimentId(id));
    if (experiment === null) throw experimentNotFound(id);
    return experiment;
  }

  const counted = async (context: CallContext, experiment: Experiment) =>
    (await store.counted(context, [experiment]))[0]!;

  async function insertExperiment(context: CallContext, given: FoundExperiment): Promise<Experiment> {
    const { dataset, version, splitIds, exampleIds, isEphemeral, metadata, ...fields } = given;
    const number = await store.takeNumber(context, dataset.id);
    if (number === null) throw experimentDatasetNotFound(globalId(DATASET, dataset.id));
    const projectName = `Experiment-${randomBytes(12).toString("hex")}`;
    await projects.createProject(context, {
      name: projectName,
      description: `dataset_id: ${globalId(DATASET, dataset.id)}\ndataset_version_id: ${globalId(DATASET_VERSION, version.id)}`,
    });
    const nowUs = clock.now();
    const experiment = await store.insert(
      context,
      {
        ...fields,
        datasetId: dataset.id,
        versionId: version.id,
        userId: authorIdOf(context.principal),
        number,
        metadata: stringifyJson(metadata),
        projectName,
        createdUs: nowUs,
      },
      { splitIds, exampleIds },
    );
    return isEphemeral ? (await store.dismiss(context, experiment.id, nowUs))! : experiment;
  }

  return {
    getExperiment,

    listOfDatasets: store.listOfDatasets,

    async listCounted(context, datasetId, request) {
      const pages = await store.listOfDatasets(context, [datasetId], { ...request, withDismissed: true });
      const page = pages.get(datasetId)!;
      return { ...page, items: await store.counted(context, page.items) };
    },

    countChosen: store.countChosen,
    findExperiments: async (context, ids) =>
      new Map((await store.findAll(context, ids)).map((experiment) => [experiment.id, experiment])),
    findSplitIds: store.findSplitIds,

    async setDismissed(context, id, isDismissed) {
      const { id: rowId, dismissedUs } = await getExperiment(context, id);
      const since = isDismissed ? (dismissedUs ?? clock.now()) : null;
      const experiment = await store.dismiss(context, rowId, since);
      if (experiment === null) throw experimentNotFound(id);
      return experiment;
    },

    getCounted: async (context, id) => counted(context, await getExperiment(context, id)),

    createExperiment: (context, datasetId, words) =>
      storage.transaction(context, async (inner) => {
        const { dataset, version } = await datasets.getAtVersion(inner, datasetId, words.version_id ?? undefined);
        const chosen = await splits.resolveSplits(inner, words.splits ?? []);
        const experiment = await insertExperiment(inner, {
          dataset,
          version,
          splitIds: chosen.map((split) => split.id),
          exampleIds: null,
          name: words.name || givenName(dataset.name),
          description: words.description ?? null,
          metadata: (words.metadata ?? {}) as JsonObject,
          repetitions: words.repetitions ?? 1,
          isEphemeral: false,
        });
        return { ...experiment, successfulRuns: 0, failedRuns: 0 };
      }),

    insertExperiment,

    async updateExperiment(context, id, { name, description, metadata }) {
      const rowId = requireExperimentId(id);
      const changes = {
        ...(name == null ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(metadata == null ? {} : { metadata: stringifyJson(metadata) }),
      };
      if (Object.keys(changes).length === 0) throw noExperimentChange();
      await getExperiment(context, id);
      const experiment = await store.update(context, rowId, changes, clock.now());
      if (experiment === null) throw experimentNotFound(id);
      return counted(context, experiment);
    },

    ...experimentDeletions(dependencies),
  };
}
