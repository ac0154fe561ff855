// The tables of datasets, as Kysely sees them.
import type { Generated } from "kysely";
import type { RevisionKind } from "../../../model/dataset.ts";

export interface DatasetsTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  metadata: string;
  user_id: number | null;
  created_us: number;
  updated_us: number;
  /** 1 while it is being deleted, 2 while its first upload is made into it: seen is only 0. */
  deleting: Generated<number>;
  last_experiment: Generated<number>;
}

export interface DatasetVersionsTable {
  id: Generated<number>;
  dataset_id: number;
  description: string | null;
  metadata: string;
  user_id: number | null;
  created_us: number;
  example_count: number;
  created_count: number;
  updated_count: number;
  deleted_count: number;
}

interface DatasetExamplesTable {
  id: Generated<number>;
  dataset_id: number;
  external_id: string | null;
  origin: number;
  created_us: number;
}

interface DatasetContentsTable {
  id: number;
  input: string;
  output: string;
  metadata: string;
}

interface DatasetRevisionsTable {
  dataset_id: number;
  example_id: number;
  version_id: number;
  until_version_id: number | null;
  kind: RevisionKind;
  content_id: number | null;
  hash: string | null;
}

interface DatasetExampleSpansTable {
  example_id: number;
  span_id: number;
}

interface DatasetUploadsTable {
  id: Generated<number>;
  committed: Generated<number>;
  touched_us: number;
}

interface DatasetUploadRowsTable {
  content_id: number;
  hash: string;
  external_id: string | null;
  named_example: number | null;
  linked_span: number | null;
  example_id: number | null;
  kind: string | null;
}

interface DatasetUploadSplitsTable {
  content_id: number;
  name: string;
}

export interface DatasetSplitsTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  color: string;
  metadata: string;
  user_id: number | null;
  created_us: number;
  updated_us: number;
}

interface DatasetSplitExamplesTable {
  split_id: number;
  example_id: number;
}

interface DatasetLabelsTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  color: string;
  user_id: number | null;
}

interface DatasetLabelUsesTable {
  dataset_id: number;
  label_id: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    datasets: DatasetsTable;
    dataset_versions: DatasetVersionsTable;
    dataset_examples: DatasetExamplesTable;
    dataset_contents: DatasetContentsTable;
    dataset_revisions: DatasetRevisionsTable;
    dataset_example_spans: DatasetExampleSpansTable;
    dataset_uploads: DatasetUploadsTable;
    dataset_upload_rows: DatasetUploadRowsTable;
    dataset_upload_splits: DatasetUploadSplitsTable;
    dataset_splits: DatasetSplitsTable;
    dataset_split_examples: DatasetSplitExamplesTable;
    dataset_labels: DatasetLabelsTable;
    dataset_label_uses: DatasetLabelUsesTable;
  }
}
