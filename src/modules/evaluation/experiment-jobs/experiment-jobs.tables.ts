// The tables of experiments that the server runs, as Kysely sees them.
import type { Generated } from "kysely";
import type { ModelProvider, TemplateFormat, TemplateType } from "../../../model/prompt.ts";

export interface ExperimentJobsTable {
  experiment_id: number;
  status: string;
  stop_reason: string | null;
  stop_message: string | null;
  prompt_version_id: number | null;
  model_provider: ModelProvider;
  model_name: string;
  template_type: TemplateType;
  template_format: TemplateFormat;
  template: string;
  invocation_parameters: string;
  tools: string | null;
  response_format: string | null;
  custom_provider_id: number | null;
  uses_custom_provider: number;
  connection: string | null;
  template_variables_path: string;
  appended_messages_path: string | null;
  stream_model_output: number;
  tracing_enabled: number;
  max_concurrency: number;
  max_cost: number | null;
  max_tokens: number | null;
  estimate: string | null;
  user_id: number | null;
  api_key_id: number | null;
  needs_credentials: number;
  pausing: Generated<number>;
  retries_failed: Generated<number>;
  claimed_by: string | null;
  claimed_until_us: Generated<number>;
  claims: Generated<number>;
  calls: Generated<number>;
  prompt_tokens: Generated<number>;
  completion_tokens: Generated<number>;
  cost: Generated<number>;
  unpriced_calls: Generated<number>;
  created_us: number;
  started_us: number;
  done_before: Generated<number>;
  ended_us: number | null;
  toggled_us: number | null;
}

interface ExperimentJobEvaluatorsTable {
  experiment_id: number;
  dataset_evaluator_id: number;
  position: number;
}

export interface ExperimentLogsTable {
  id: Generated<number>;
  experiment_id: number;
  occurred_us: number;
  category: string;
  level: string;
  message: string;
  code: string | null;
  retries: number | null;
  example_id: number | null;
  repetition: number | null;
  run_id: number | null;
  dataset_evaluator_id: number | null;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    experiment_jobs: ExperimentJobsTable;
    experiment_job_evaluators: ExperimentJobEvaluatorsTable;
    experiment_logs: ExperimentLogsTable;
  }
}
