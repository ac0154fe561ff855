// The tables of experiments, as Kysely sees them.
import type { Generated } from "kysely";
import type { AnnotatorKind, BetterDirection } from "../../../model/annotation.ts";
import type { Real } from "../../../storage/column-types.ts";

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

interface ExperimentExamplesTable {
  experiment_id: number;
  example_id: number;
  revision_id: number;
}

interface ExperimentSplitsTable {
  experiment_id: number;
  split_id: number;
}

interface ExperimentTagsTable {
  id: Generated<number>;
  dataset_id: number;
  name: string;
  experiment_id: number;
  user_id: number | null;
  description: string | null;
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

interface MeasureDirectionsTable {
  measure: string;
  /** Empty but for scores. */
  evaluation: string;
  direction: BetterDirection;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    experiments: ExperimentsTable;
    experiment_examples: ExperimentExamplesTable;
    experiment_splits: ExperimentSplitsTable;
    experiment_tags: ExperimentTagsTable;
    experiment_runs: ExperimentRunsTable;
    experiment_evaluations: ExperimentEvaluationsTable;
    measure_directions: MeasureDirectionsTable;
  }
}
