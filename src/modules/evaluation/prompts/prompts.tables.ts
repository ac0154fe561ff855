// The tables of prompts, their versions, tags and labels, as Kysely sees them.
import type { Generated } from "kysely";
import type { ModelProvider, TemplateFormat, TemplateType } from "../../../model/prompt.ts";

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

export interface PromptVersionTagsTable {
  id: Generated<number>;
  prompt_id: number;
  version_id: number;
  user_id: number | null;
  name: string;
  description: string | null;
  updated_us: number;
}

interface PromptTagMovesTable {
  id: Generated<number>;
  prompt_id: number;
  version_id: number | null;
  user_id: number | null;
  name: string;
  moved_us: number;
}

interface PromptLabelsTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  color: string | null;
}

interface PromptsPromptLabelsTable {
  prompt_id: number;
  label_id: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    prompts: PromptsTable;
    prompt_versions: PromptVersionsTable;
    prompt_version_tags: PromptVersionTagsTable;
    prompt_tag_moves: PromptTagMovesTable;
    prompt_labels: PromptLabelsTable;
    prompts_prompt_labels: PromptsPromptLabelsTable;
  }
}
