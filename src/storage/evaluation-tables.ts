// The tables of datasets, experiments and prompts as Kysely sees them, a part of tables.ts.
import type { Generated } from "kysely";
import type { AnnotatorKind, BetterDirection } from "../model/annotation.ts";
import type { CustomProviderSdk } from "../model/custom-provider.ts";
import type { RevisionKind } from "../model/dataset.ts";
import type { ModelProvider, TemplateFormat, TemplateType } from "../model/prompt.ts";

/** A double, also where it happens to be whole. */
type Real = number;

export interface PromptsTable {
  id: Generated<number>;
  source_prompt_id: number | null;
  name: string;
  description: string | null;
  metadata: string;
  created_us: number;
  updated_us: number;
}

export interface PromptVersionsTable {
  id: Generated<number>;
  prompt_id: number;
  user_id: number | null;
  number: number;
  description: string | null;
  model_provider: ModelProvider;
  model_name: string;
  template_type: TemplateType;
  template_format: TemplateFormat;
  template: string;
  invocation_parameters: string;
  tools: string | null;
  response_format: string | null;
  metadata: string;
  created_us: number;
  custom_provider_id: number | null;
}

export interface CustomProvidersTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  provider: string;
  sdk: CustomProviderSdk;
  config: Uint8Array;
  user_id: number | null;
  created_us: number;
  updated_us: number;
}

export interface PromptVersionTagsTable {
  id: Generated<number>;
  prompt_id: number;
  version_id: number;
  user_id: number | null;
  name: string;
  description: string | null;
  updated_us: number;
}

export interface PromptTagMovesTable {
  id: Generated<number>;
  prompt_id: number;
  version_id: number | null;
  user_id: number | null;
  name: string;
  moved_us: number;
}

export interface PromptLabelsTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  color: string | null;
}

export interface PromptsPromptLabelsTable {
  prompt_id: number;
  label_id: number;
}

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

export interface DatasetExamplesTable {
  id: Generated<number>;
  dataset_id: number;
  external_id: string | null;
  origin: number;
  created_us: number;
}

export interface DatasetContentsTable {
  id: number;
  input: string;
  output: string;
  metadata: string;
}

export interface DatasetRevisionsTable {
  dataset_id: number;
  example_id: number;
  version_id: number;
  until_version_id: number | null;
  kind: RevisionKind;
  content_id: number | null;
  hash: string | null;
}

export interface DatasetExampleSpansTable {
  example_id: number;
  span_id: number;
}

export interface DatasetUploadsTable {
  id: Generated<number>;
  committed: Generated<number>;
  touched_us: number;
}

export interface DatasetUploadRowsTable {
  content_id: number;
  hash: string;
  external_id: string | null;
  named_example: number | null;
  linked_span: number | null;
  example_id: number | null;
  kind: string | null;
}

export interface DatasetUploadSplitsTable {
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

export interface DatasetSplitExamplesTable {
  split_id: number;
  example_id: number;
}

export interface DatasetLabelsTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  color: string;
  user_id: number | null;
}

export interface DatasetLabelUsesTable {
  dataset_id: number;
  label_id: number;
}

export interface ExperimentsTable {
  id: Generated<number>;
  dataset_id: number;
  version_id: number;
  user_id: number | null;
  number: number;
  name: string;
  description: string | null;
  metadata: string;
  repetitions: number;
  project_name: string;
  example_count: number;
  created_us: number;
  updated_us: number;
  dismissed_us: number | null;
  deletion_began_us: number | null;
  deletes_project: Generated<number>;
}

export interface ExperimentTagsTable {
  id: Generated<number>;
  dataset_id: number;
  name: string;
  experiment_id: number;
  user_id: number | null;
  description: string | null;
}

export interface ExperimentExamplesTable {
  experiment_id: number;
  example_id: number;
  revision_id: number;
}

export interface ExperimentSplitsTable {
  experiment_id: number;
  split_id: number;
}

export interface ExperimentRunsTable {
  id: Generated<number>;
  experiment_id: number;
  example_id: number;
  repetition: number;
  output: string;
  error: string | null;
  trace_key: string | null;
  start_us: number;
  end_us: number;
}

export interface ExperimentEvaluationsTable {
  id: Generated<number>;
  run_id: number;
  name: string;
  annotator_kind: AnnotatorKind;
  label: string | null;
  score: Real | null;
  explanation: string | null;
  error: string | null;
  metadata: string;
  trace_key: string | null;
  start_us: number;
  end_us: number;
}

export interface MeasureDirectionsTable {
  measure: string;
  /** Empty but for scores. */
  evaluation: string;
  direction: BetterDirection;
}
