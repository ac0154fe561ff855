// What can be wrong with datasets and with what is asked of them.
import { fail } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";

/** Ids that a message names. */
const MOST_NAMED = 20;

function named(ids: readonly string[]): string {
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : "";
  return `${ids.slice(0, MOST_NAMED).join(", ")}${more}`;
}

export const datasetNotFound = (identifier: string) =>
  fail("datasets.not_found", "not_found", `No dataset has the identifier ${identifier}`);

export const versionNotFound = (id: string) =>
  fail("datasets.version_not_found", "not_found", `The dataset has no version with the id ${id}`);

export const noVersion = (name: string) =>
  fail("datasets.no_version", "not_found", `The dataset ${name} has no version yet`);

export const notAnIdOf = (what: string, text: string) =>
  fail("datasets.not_an_id", "invalid", `${text} is not the id of a ${what}`);

export const datasetNameTaken = (name: string) =>
  fail("datasets.name_taken", "conflict", `A dataset named "${name}" exists`);

export const datasetNameRefused = (problem: string) => fail("datasets.name_refused", "invalid", `name: ${problem}`);

export const uploadRefused = (problem: string) => fail("datasets.upload_refused", "invalid", problem);

export const uploadWithoutType = () =>
  fail("datasets.upload_without_type", "malformed", "The upload has no content-type");

export const uploadTypeUnknown = (type: string) =>
  uploadRefused(`content-type: ${type} is neither application/json nor multipart/form-data`);

/** Clients look for the beginning. */
export const actionRefused = (action: string) =>
  uploadRefused(`Invalid dataset action: ${action} is none of create, append and update`);

export const foreignExamples = (ids: readonly string[]) =>
  uploadRefused(`Examples that do not live in this dataset: ${named(ids)}`);

export const exampleNamedTwice = (ids: readonly string[]) =>
  uploadRefused(`More than one row is for the same example: ${named(ids)}`);

export const blankRefused = (field: string) => fail("datasets.blank", "invalid", `${field}: must not be blank`);

export const colorRefused = (color: string) =>
  fail("datasets.color_invalid", "invalid", `color: must be # and six hexadecimal digits, got ${color.slice(0, 100)}`);

export const longNameRefused = (field: string, most: number) =>
  fail("datasets.long_name", "invalid", `${field}: must not be longer than ${most} bytes`);

export const splitNotFound = (identifier: string) =>
  fail("datasets.split_not_found", "not_found", `No split has the identifier ${identifier}`);

export const splitNameTaken = (name: string) =>
  fail("datasets.split_name_taken", "conflict", `A split named "${name}" exists`);

export const examplesNotFound = (ids: readonly string[]) =>
  fail("datasets.examples_not_found", "not_found", `Dataset examples not found in this dataset: ${named(ids)}`);

export const labelNotFound = (id: string) =>
  fail("datasets.label_not_found", "not_found", `No label of datasets has the id ${id}`);

export const labelNameTaken = (name: string) =>
  fail("datasets.label_name_taken", "conflict", `A label named "${name}" exists`);

export const noLabelChange = () =>
  fail("datasets.no_label_change", "invalid", "Name at least one of name, color and description");

export const operationRefused = (problem: string) => fail("datasets.operation_refused", "invalid", problem);

export const examplesMissing = (ids: readonly string[]) =>
  fail("datasets.examples_missing", "not_found", `Examples ${named(ids)} could not be found in this dataset.`);

export const examplesDeleted = (ids: readonly string[]) =>
  fail("datasets.examples_deleted", "not_found", `Examples ${named(ids)} have already been deleted.`);

export const ownIdRepeated = (id: string) => operationRefused(`Custom ID '${id}' appears more than once in the input.`);

export const ownIdsTaken = (ids: readonly string[]) =>
  fail(
    "datasets.own_ids_taken",
    "conflict",
    `Custom IDs ${named(ids)} are already taken in this dataset. A custom ID stays taken even after its example is deleted.`,
  );

export const exampleNotFound = (id: string) =>
  fail("datasets.example_not_found", "not_found", `No example has the id ${id}`);

export const unknownDataset = (id: string) => fail("datasets.unknown", "not_found", `Unknown dataset: ${id}`);

export const wrongDatasetId = (id: string) => fail("datasets.wrong_id", "invalid", `Invalid dataset ID: ${id}`);

export const nothingChosen = () => operationRefused("No span is chosen: nothing matches");

export const editsOfOthers = (spanIds: readonly number[]) =>
  operationRefused(`edits: not among what is chosen: ${named(spanIds.map((id) => globalId("Span", id)))}`);

export const sourcesNotFound = (type: string, rowIds: readonly number[]) =>
  fail(
    "datasets.sources_not_found",
    "not_found",
    `These are not there: ${named(rowIds.map((rowId) => globalId(type, rowId)))}`,
  );

export function uploadGivenUp() {
  return fail("datasets.upload_given_up", "unavailable", "The upload took too long and was given up");
}
