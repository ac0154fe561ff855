// A prompt as it is called, to the columns that hold it and back.
import type { FrozenPrompt } from "./prompts.schema.ts";
import type { PromptVersionsTable } from "./prompts.tables.ts";

type FrozenPromptColumns = Pick<
  PromptVersionsTable,
  | "model_provider"
  | "model_name"
  | "template_type"
  | "template_format"
  | "template"
  | "invocation_parameters"
  | "tools"
  | "response_format"
>;

export function promptColumns(prompt: FrozenPrompt): FrozenPromptColumns {
  return {
    model_provider: prompt.modelProvider,
    model_name: prompt.modelName,
    template_type: prompt.templateType,
    template_format: prompt.templateFormat,
    template: prompt.template,
    invocation_parameters: prompt.invocationParameters,
    tools: prompt.tools,
    response_format: prompt.responseFormat,
  };
}

export function promptOfRow(row: FrozenPromptColumns): FrozenPrompt {
  return {
    modelProvider: row.model_provider,
    modelName: row.model_name,
    templateType: row.template_type,
    templateFormat: row.template_format,
    template: row.template,
    invocationParameters: row.invocation_parameters,
    tools: row.tools,
    responseFormat: row.response_format,
  };
}
