// The parts of what a version of a prompt says.
import type { JsonObject } from "../../../kernel/json.ts";
import type { TemplateFormat } from "../../../model/prompt.ts";
import type { MessagePart, PromptMessage, Template, Tools } from "../../../modules/prompts/prompt-content.schema.ts";

export interface PromptVersionContent {
  readonly id: string;
  readonly description: string;
  readonly model_provider: string;
  readonly model_name: string;
  readonly template_format: TemplateFormat;
  readonly template: Template;
  /** `{"type": family, family: {…}}` */
  readonly invocation_parameters: JsonObject;
  readonly tools?: Tools;
  readonly response_format?: JsonObject;
}

/** A template of one text is shown as a message of the user. */
export function messagesOf({ template }: Pick<PromptVersionContent, "template">): readonly PromptMessage[] {
  return template.type === "chat" ? template.messages : [{ role: "user", content: template.template }];
}

export function partsOf({ content }: PromptMessage): readonly MessagePart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The parameters without the name of their family. */
export function parametersOf({
  invocation_parameters: sent,
}: Pick<PromptVersionContent, "invocation_parameters">): JsonObject {
  return (sent[String(sent.type)] ?? {}) as JsonObject;
}
