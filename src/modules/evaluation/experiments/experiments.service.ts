// The use cases of experiments. Who may call them is decided by the policy before.
import { randomBytes } from "node:crypto";
import { authorIdOf } from "../../../access/principal.ts";
import { globalId } from "../../../kernel/ids.ts";
import { stringifyJson } from "../../../kernel/json.ts";
import type { PlacedPage, SortedRequest } from "../../../kernel/list.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import { DATASET, DATASET_VERSION } from "../datasets/datasets.schema.ts";
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
  /** Throws as `getExperiment`, and kind `invalid` without any change. */
  updateExperiment(context: CallContext, id: string, changes: ExperimentChanges): Promise<CountedExperiment>;
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
        const number = await store.takeNumber(inner, dataset.id);
        if (number === null) throw experimentDatasetNotFound(datasetId);
        const projectName = `Experiment-${randomBytes(12).toString("hex")}`;
        await projects.createProject(inner, {
          name: projectName,
          description: `dataset_id: ${globalId(DATASET, dataset.id)}\ndataset_version_id: ${globalId(DATASET_VERSION, version.id)}`,
        });
        const experiment = await store.insert(
          inner,
          {
            datasetId: dataset.id,
            versionId: version.id,
            userId: authorIdOf(context.principal),
            number,
            name: words.name || givenName(dataset.name),
            description: words.description ?? null,
            metadata: stringifyJson(words.metadata ?? {}),
            repetitions: words.repetitions ?? 1,
            projectName,
            createdUs: clock.now(),
          },
          chosen.map((split) => split.id),
        );
        return { ...experiment, successfulRuns: 0, failedRuns: 0 };
      }),

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
