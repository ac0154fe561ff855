// Experiments as services hand them around, what requests send and what the API answers.

import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../kernel/json.ts";
import type { ARRIVAL } from "../../../kernel/list.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { AnyObject, InstantText, Nullable, Ruled } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import { DATASET, DATASET_VERSION } from "../datasets/datasets.schema.ts";

/** In the order of arrival the numbers count up, too. */
export type ExperimentSort = typeof ARRIVAL | "createdAt";

/** A task over the examples of a dataset at a version. Instants are microseconds UTC. */
export interface Experiment {
  readonly id: number;
  readonly datasetId: number;
  readonly versionId: number;
  readonly userId: number | null;
  /** Counts the experiments of the dataset; none is given twice. */
  readonly number: number;
  readonly name: string;
  readonly description: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
  /** Runs that each example is to have. */
  readonly repetitions: number;
  /** Where the traces of the task go. */
  readonly projectName: string;
  /** Examples of the snapshot. */
  readonly exampleCount: number;
  readonly createdUs: number;
  readonly updatedUs: number;
  /** Since when it is dismissed; null for one that is not. */
  readonly dismissedUs: number | null;
  /** Since when it is being deleted; null for one that is not. Only the deletion sees such an experiment. */
  readonly deletionBeganUs: number | null;
  /** Its project is deleted with it. */
  readonly deletesProject: boolean;
}

/** With its runs so far: also those beyond the snapshot and the repetitions. */
export interface CountedExperiment extends Experiment {
  readonly successfulRuns: number;
  readonly failedRuns: number;
}

export const EXPERIMENT: TypeWord<Experiment> = "Experiment";

/** Repetitions at most: the numbers of those that are missing are listed one by one. */
const MAX_REPETITIONS = 10_000;

export const NewExperiment = Type.Object({
  name: Type.Optional(Nullable(Type.String(), { description: "Made of the name of the dataset when there is none." })),
  description: Type.Optional(Nullable(Type.String())),
  metadata: Type.Optional(Nullable(AnyObject())),
  version_id: Type.Optional(Nullable(Type.String(), { description: "Id of a version; without it the newest one." })),
  splits: Type.Optional(
    Nullable(Type.Array(Type.String()), { description: "Only examples of one of these, each by its id or name." }),
  ),
  repetitions: Type.Optional(Type.Integer({ exclusiveMinimum: 0, maximum: MAX_REPETITIONS, default: 1 })),
});
export type NewExperiment = Static<typeof NewExperiment>;

export const ExperimentChanges = Ruled(
  Type.Object({
    name: Type.Optional(Nullable(Type.String())),
    description: Type.Optional(Nullable(Type.String())),
    metadata: Type.Optional(Nullable(AnyObject())),
  }),
  ({ name, metadata }) => {
    if (name === null) return "name must not be null";
    return metadata === null ? "metadata must not be null" : null;
  },
);
export type ExperimentChanges = Static<typeof ExperimentChanges>;

export const ExperimentQuery = Type.Object({ cursor: cursorParameter, limit: limitParameter({ default: 50 }) });
export const ExperimentDeletionQuery = Type.Object({
  delete_project: Type.Boolean({
    default: false,
    description: "Also its traces: the project of its task, and what evaluators of the server recorded of it.",
  }),
});

const ExperimentAnswer = Type.Object(
  {
    id: Type.String(),
    dataset_id: Type.String(),
    dataset_version_id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    repetitions: Type.Integer(),
    metadata: AnyObject(),
    project_name: Nullable(Type.String(), { description: "Where the traces of its task go." }),
    created_at: InstantText(),
    updated_at: InstantText(),
    example_count: Type.Integer(),
    successful_run_count: Type.Integer(),
    failed_run_count: Type.Integer(),
    missing_run_count: Type.Integer({ description: "Below zero when there are more runs than were asked for." }),
  },
  { $id: "Experiment" },
);
export const ExperimentPageAnswer = pageOf(ExperimentAnswer);
export const OneExperiment = Type.Object({ data: ExperimentAnswer });

export function experimentBody(experiment: CountedExperiment): Static<typeof ExperimentAnswer> {
  const { exampleCount, repetitions, successfulRuns, failedRuns } = experiment;
  return {
    id: globalId(EXPERIMENT, experiment.id),
    dataset_id: globalId(DATASET, experiment.datasetId),
    dataset_version_id: globalId(DATASET_VERSION, experiment.versionId),
    name: experiment.name,
    description: experiment.description,
    repetitions,
    metadata: parseJson(experiment.metadata) as JsonObject,
    project_name: experiment.projectName,
    created_at: formatInstant(experiment.createdUs),
    updated_at: formatInstant(experiment.updatedUs),
    example_count: exampleCount,
    successful_run_count: successfulRuns,
    failed_run_count: failedRuns,
    missing_run_count: exampleCount * repetitions - successfulRuns - failedRuns,
  };
}
