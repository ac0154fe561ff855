// What can be wrong with experiments, their runs and evaluations.
import { fail } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";
import { EXPERIMENT } from "./experiments.schema.ts";

export const unreadableId = (what: string, text: string) =>
  fail("experiments.not_an_id", "invalid", `${text} is not the id of ${what}`);

export const experimentNotFound = (id: string) =>
  fail("experiments.not_found", "not_found", `Experiment ${id} not found`);

export const experimentDatasetNotFound = (id: string) =>
  fail("experiments.dataset_not_found", "not_found", `No dataset has the id ${id}`);

export const noExperimentChange = () =>
  fail("experiments.nothing_to_change", "invalid", "Name at least one of name, description and metadata");

export const runExampleNotFound = (id: string) =>
  fail("experiments.example_not_found", "not_found", `No example has the id ${id}`);

export const runIsThere = (id: string) =>
  fail(
    "experiments.run_is_there",
    "conflict",
    `Experiment run ${id} already exists with a successful result and cannot be updated`,
  );

export const noEvaluationNames = () =>
  fail("experiments.no_evaluation_names", "malformed", "evaluation_name: name at least one evaluation");

export const noRunsToExport = (id: string) =>
  fail("experiments.no_runs", "not_found", `The experiment ${id} has no runs yet`);

export const runNotFound = (id: string) =>
  fail("experiments.run_not_found", "not_found", `No run of an experiment has the id ${id}`);

export const dismissedBaseline = () =>
  fail(
    "experiments.dismissed_baseline",
    "invalid",
    "Ephemeral experiments cannot be marked as baseline: take back that this one is dismissed",
  );

export const invalidExperimentTag = (text: string) =>
  fail("experiments.invalid_tag", "invalid", `${text} is neither the id nor a name of a tag`);

const experimentIdOf = (rowId: number) => globalId(EXPERIMENT, rowId);

export const unknownExperiment = (rowId: number) => experimentNotFound(experimentIdOf(rowId));

export const comparedWithItself = () =>
  fail("experiments.compared_with_itself", "invalid", "compareExperimentIds: must not hold the base experiment");

export const comparedTwice = () =>
  fail("experiments.compared_twice", "invalid", "compareExperimentIds: holds an experiment twice");

export const comparedWithNothing = () =>
  fail("experiments.compared_with_nothing", "invalid", "compareExperimentIds: name at least one experiment");

export const otherDataset = (rowId: number) =>
  fail(
    "experiments.other_dataset",
    "invalid",
    `compareExperimentIds: ${experimentIdOf(rowId)} is an experiment of another dataset than the base`,
  );
