// Datasets, their versions and examples as services hand them around, what requests send and what the API answers.
import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../kernel/json.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { AnyObject, InstantText, Nullable } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import type { RevisionKind } from "../../../model/dataset.ts";

/** A dataset at its newest version. Instants are microseconds UTC. */
export interface Dataset {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
  readonly userId: number | null;
  readonly createdUs: number;
  readonly updatedUs: number;
}

export interface DatasetVersion {
  readonly id: number;
  readonly datasetId: number;
  readonly description: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
  readonly userId: number | null;
  readonly createdUs: number;
  /** Examples that live at the version, and how many it made, changed and removed. */
  readonly exampleCount: number;
  readonly createdCount: number;
  readonly updatedCount: number;
  readonly deletedCount: number;
}

/** `datasets.deleting` of one that its first upload is not wholly in: nothing shows it. */
export const BEING_MADE = 2;

/** Description and metadata of a new version. */
export interface VersionWords {
  readonly description: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
}

export const noWords: VersionWords = { description: null, metadata: "{}" };

/** An example, whatever it says at a version. */
export interface DatasetExample {
  readonly id: number;
  readonly datasetId: number;
  readonly externalId: string | null;
  readonly createdUs: number;
}

/** What an example says at a version. */
export interface ExampleRevision {
  readonly exampleId: number;
  readonly versionId: number;
  readonly kind: RevisionKind;
  /** When its version was made. */
  readonly revisedUs: number;
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
}

export const DATASET: TypeWord<Dataset> = "Dataset";
export const DATASET_VERSION: TypeWord<DatasetVersion> = "DatasetVersion";
export const EXAMPLE: TypeWord<DatasetExample> = "DatasetExample";

/** An example with what it says at the version that was asked for. */
export interface LivingExample extends DatasetExample, ExampleRevision {
  /** The span that it was made of, while that is stored. */
  readonly span: { readonly id: number; readonly key: string } | null;
}

export interface ExampleFilter {
  /** Row ids: in one of these splits. */
  readonly splits?: readonly number[] | undefined;
  /** In any letter case, somewhere in the JSON text of input, output or metadata. */
  readonly text?: string | undefined;
  /** Row ids. */
  readonly ids?: readonly number[] | undefined;
}

/** How an example differs between two versions. */
export type ExampleDifference = "ADDED" | "CHANGED" | "REMOVED";

export interface DifferenceCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** What a change of a dataset did. */
export interface DatasetChange {
  readonly datasetId: number;
  readonly versionId: number;
  readonly createdCount: number;
  readonly updatedCount: number;
  readonly deletedCount: number;
}

export const DatasetQuery = Type.Object({
  cursor: cursorParameter,
  name: Type.Optional(Type.String({ description: "Only the dataset of exactly this name." })),
  limit: limitParameter({ default: 10 }),
});
export type DatasetQuery = Static<typeof DatasetQuery>;
export const VersionQuery = Type.Object({ cursor: cursorParameter, limit: limitParameter({ default: 10 }) });
const versionId = Type.Optional(Type.String({ description: "Id of a version; without it the newest one." }));
export const ExampleQuery = Type.Object({
  version_id: versionId,
  split: Type.Optional(
    Type.Array(Type.String(), { description: "Only examples of one of these splits, each by its id or name." }),
  ),
});
export const ExportQuery = Type.Object({ version_id: versionId });
export const UploadQuery = Type.Object({
  sync: Type.Boolean({
    default: false,
    description: "True answers with what was done, and with what is wrong; false only logs what fails at the end.",
  }),
});

const DatasetAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    metadata: AnyObject(),
    created_at: InstantText(),
    updated_at: InstantText(),
    example_count: Type.Integer({ description: "Examples of the newest version." }),
  },
  { $id: "Dataset" },
);
export const DatasetPageAnswer = pageOf(DatasetAnswer);
export const OneDataset = Type.Object({ data: DatasetAnswer });
export const VersionPageAnswer = pageOf(
  Type.Object(
    {
      version_id: Type.String(),
      description: Nullable(Type.String()),
      metadata: AnyObject(),
      created_at: InstantText(),
    },
    { $id: "DatasetVersion" },
  ),
);
export const ChangeAnswer = Type.Object({
  data: Type.Object({
    dataset_id: Type.String(),
    version_id: Type.String(),
    num_created_examples: Type.Integer(),
    num_updated_examples: Type.Integer(),
    num_deleted_examples: Type.Integer(),
  }),
});
export const UploadAnswer = Nullable(ChangeAnswer);
const ExampleAnswer = Type.Object(
  {
    id: Type.String({ description: "The sender's own id where there is one, else that of `node_id`." }),
    node_id: Type.String(),
    input: AnyObject(),
    output: AnyObject(),
    metadata: AnyObject(),
    updated_at: InstantText({ description: "When this content came about." }),
    source: Nullable(Type.Object({ span_id: Type.String(), span_node_id: Type.String() })),
  },
  { $id: "DatasetExample" },
);
export const ExamplesAnswer = Type.Object({
  data: Type.Object({
    dataset_id: Type.String(),
    version_id: Type.String(),
    filtered_splits: Type.Array(Type.String(), { description: "Names of the splits that were asked for." }),
    examples: Type.Array(ExampleAnswer),
  }),
});

export function datasetBody(dataset: Dataset, exampleCount: number): Static<typeof DatasetAnswer> {
  return {
    id: globalId(DATASET, dataset.id),
    name: dataset.name,
    description: dataset.description,
    metadata: parseJson(dataset.metadata) as JsonObject,
    created_at: formatInstant(dataset.createdUs),
    updated_at: formatInstant(dataset.updatedUs),
    example_count: exampleCount,
  };
}

export function versionBody(version: DatasetVersion) {
  return {
    version_id: globalId(DATASET_VERSION, version.id),
    description: version.description,
    metadata: parseJson(version.metadata) as JsonObject,
    created_at: formatInstant(version.createdUs),
  };
}

export function changeBody(change: DatasetChange): Static<typeof ChangeAnswer> {
  return {
    data: {
      dataset_id: globalId(DATASET, change.datasetId),
      version_id: globalId(DATASET_VERSION, change.versionId),
      num_created_examples: change.createdCount,
      num_updated_examples: change.updatedCount,
      num_deleted_examples: change.deletedCount,
    },
  };
}

/** The JSON text of an example in an answer; its parts are JSON already. */
export function exampleText(example: LivingExample): string {
  const nodeId = globalId(EXAMPLE, example.id);
  const { span } = example;
  const source = span === null ? null : { span_id: span.key, span_node_id: globalId("Span", span.id) };
  return `{"id":${JSON.stringify(example.externalId ?? nodeId)},"node_id":"${nodeId}","input":${example.input},"output":${example.output},"metadata":${example.metadata},"updated_at":"${formatInstant(example.revisedUs)}","source":${JSON.stringify(source)}}`;
}
