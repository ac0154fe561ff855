// The tables of evaluators, as Kysely sees them.
import type { Generated } from "kysely";
import type { EvaluatorKind } from "../../../model/evaluator.ts";

export interface EvaluatorsTable {
  id: Generated<number>;
  kind: EvaluatorKind;
  name: string;
  description: string | null;
  user_id: number | null;
  created_us: number;
  updated_us: number;
  prompt_id: number | null;
  prompt_tag_id: number | null;
  made_prompt: Generated<number>;
  outputs: string | null;
}

export interface DatasetEvaluatorsTable {
  id: Generated<number>;
  dataset_id: number;
  evaluator_id: number;
  name: string;
  description: string | null;
  input_mapping: string;
  outputs: string | null;
  project_name: string;
  user_id: number | null;
  created_us: number;
  updated_us: number;
  deletion_began_us: number | null;
  deletes_prompt: Generated<number>;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    evaluators: EvaluatorsTable;
    dataset_evaluators: DatasetEvaluatorsTable;
  }
}
