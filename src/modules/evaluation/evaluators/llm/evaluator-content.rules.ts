// What the prompt of an LLM evaluator has to be.
import { Failure } from "../../../../kernel/failure.ts";
import { parseStoredJson } from "../../../../kernel/json.ts";
import type { NewAnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";
import type { ResponseFormat, Template, Tools } from "../../prompts/prompt-content.schema.ts";
import type { VersionContent } from "../../prompts/prompts.schema.ts";
import type { InputSchema } from "../mapping/input-schema.rules.ts";
import { chatOf, promptInputSchema } from "./evaluator-prompt.rules.ts";
import { requireFit } from "./fit.rules.ts";

interface EvaluatorFields {
  readonly description: string | null;
  readonly outputs: readonly NewAnnotationConfig[];
  readonly content: VersionContent;
}

/** Throws kind `invalid` or `malformed` for a template with a mistake, and for tools and outputs that do not fit together. */
export function requireEvaluatorContent({ description, outputs, content }: EvaluatorFields): void {
  const { tools, responseFormat, template, templateFormat } = content;
  requireFit({
    description,
    outputs,
    tools: tools === null ? null : parseStoredJson<Tools>(tools),
    responseFormat: responseFormat === null ? null : parseStoredJson<ResponseFormat>(responseFormat),
  });
  promptInputSchema(chatOf(parseStoredJson<Template>(template)), templateFormat);
}

/** The inputs that a version asks for; null for a template with a mistake. */
export function schemaOfVersion({ template, templateFormat }: VersionContent): InputSchema | null {
  try {
    return promptInputSchema(chatOf(parseStoredJson<Template>(template)), templateFormat);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
