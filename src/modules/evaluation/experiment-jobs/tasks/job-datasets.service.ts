// Which examples a job is about: of a dataset at a version, of some of its splits, with a text in them.
import { findGlobalId } from "../../../../kernel/ids.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { DATASET, DATASET_VERSION, type Dataset, type DatasetVersion } from "../../datasets/datasets.schema.ts";
import type { DatasetsService } from "../../datasets/datasets.service.ts";
import { SPLIT } from "../../datasets/splits/dataset-splits.schema.ts";
import type { DatasetSplitsService } from "../../datasets/splits/dataset-splits.service.ts";
import {
  countRefused,
  jobDatasetNotFound,
  jobVersionNotFound,
  nodeOfOther,
  noExamples,
  noVersions,
} from "../experiment-jobs.errors.ts";

/** As it is asked for, by global ids. */
export interface ChosenExamples {
  readonly datasetId: string;
  /** Null for the newest one. */
  readonly datasetVersionId: string | null;
  /** None for all. */
  readonly splitIds: readonly string[];
  /** A text that examples have in their input, output or metadata, in any letter case; null for all. */
  readonly filter: string | null;
}

export interface FoundExamples {
  readonly dataset: Dataset;
  readonly version: DatasetVersion;
  /** Row ids; none for all. */
  readonly splitIds: readonly number[];
  /** Row ids; null for all. */
  readonly exampleIds: readonly number[] | null;
}

export interface JobDatasets {
  /** Throws kind `invalid`, `not_found`. */
  find(context: CallContext, chosen: ChosenExamples): Promise<FoundExamples>;
}

interface JobDatasetsDependencies {
  readonly datasets: DatasetsService;
  readonly splits: DatasetSplitsService;
}

const MOST_REPETITIONS = 100;
const MOST_CONCURRENT = 100;

export function createJobDatasets({ datasets, splits }: JobDatasetsDependencies): JobDatasets {
  async function splitIdsOf(context: CallContext, ids: readonly string[]): Promise<number[]> {
    const wanted = [...new Set(ids.map((id) => requireNode(SPLIT, id)))];
    const found = await splits.findSplits(context, wanted);
    if (wanted.length > 0 && found.size === 0) throw noExamples();
    return [...found.keys()];
  }

  async function exampleIdsOf(
    context: CallContext,
    at: { readonly datasetId: number; readonly versionId: number },
    filter: string | null,
  ): Promise<number[] | null> {
    if (filter === null || filter === "") return null;
    const ids: number[] = [];
    for await (const part of datasets.walkExamples(context, at, { text: filter }))
      ids.push(...part.map(({ id }) => id));
    return ids;
  }

  return {
    async find(context, { datasetId: datasetText, datasetVersionId, splitIds, filter }) {
      const datasetId = requireNode(DATASET, datasetText);
      const wantedVersion = datasetVersionId === null ? null : requireNode(DATASET_VERSION, datasetVersionId);
      const dataset = (await datasets.findDatasets(context, [datasetId])).get(datasetId);
      if (dataset === undefined) throw jobDatasetNotFound(datasetId);
      const version =
        wantedVersion === null
          ? (await datasets.findNewestVersions(context, [datasetId])).get(datasetId)
          : (await datasets.findVersions(context, [wantedVersion])).get(wantedVersion);
      if (version === undefined)
        throw wantedVersion === null ? noVersions(datasetId) : jobVersionNotFound(wantedVersion);
      if (version.datasetId !== datasetId) throw jobVersionNotFound(version.id);
      return {
        dataset,
        version,
        splitIds: await splitIdsOf(context, splitIds),
        exampleIds: await exampleIdsOf(context, { datasetId, versionId: version.id }, filter),
      };
    },
  };
}

/** Throws kind `invalid`. */
export function requireCounts(counts: { readonly repetitions: number; readonly maxConcurrency: number }): void {
  const { repetitions, maxConcurrency } = counts;
  if (repetitions < 1 || repetitions > MOST_REPETITIONS)
    throw countRefused("repetitions", MOST_REPETITIONS, repetitions);
  if (maxConcurrency < 1 || maxConcurrency > MOST_CONCURRENT) {
    throw countRefused("maxConcurrency", MOST_CONCURRENT, maxConcurrency);
  }
}

/** The row id of a node. Throws kind `invalid` for what is no id, and for the id of something else. */
export function requireNode(type: string, id: string): number {
  const found = findGlobalId(id);
  if (found === null || found.type !== type) throw nodeOfOther(type, found?.type ?? null, id);
  // Named in messages as it was sent.
  return found.rowId;
}
