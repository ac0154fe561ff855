// The prompt of an LLM evaluator: its inputs, and the messages that are sent.
import type { JsonObject } from "../../../../kernel/json.ts";
import type { TemplateFormat } from "../../../../model/prompt.ts";
import type { CallMessage } from "../../../../providers/model-call.ts";
import { chatVariables, filledTemplate } from "../../prompts/content/template-filling.rules.ts";
import type { PromptMessage, Template } from "../../prompts/prompt-content.schema.ts";
import type { InputSchema } from "../mapping/input-schema.rules.ts";

/** Characters of the messages with the inputs in place. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** What the template needs: every variable, as text if it is only written out. Throws kind `invalid` for a template with a mistake. */
export function promptInputSchema(messages: readonly PromptMessage[], format: TemplateFormat): InputSchema {
  const variables = [...chatVariables(messages.map(textMessage), format)];
  return {
    type: "object",
    properties: Object.fromEntries(variables.map(([name, use]) => [name, use === "text" ? { type: "string" } : {}])),
    required: variables.map(([name]) => name),
  };
}

/** Texts with the inputs in place; other parts of messages are not sent. Throws kind `invalid`. */
export function evaluatorMessages(
  messages: readonly PromptMessage[],
  format: TemplateFormat,
  inputs: JsonObject,
): CallMessage[] {
  const template = { type: "chat" as const, messages: messages.map(textMessage) };
  return filledTemplate(template, format, inputs, MAX_CHARACTERS).chat.messages.map(({ role, content }) => ({
    role,
    content: content as string,
  }));
}

function textMessage({ role, content }: PromptMessage): PromptMessage {
  if (typeof content === "string") return { role, content };
  return { role, content: content.map((part) => (part.type === "text" ? part.text : "")).join("") };
}

/** The messages of a template; one that is a single text is a message of the user. */
export function chatOf(template: Template): readonly PromptMessage[] {
  return template.type === "chat" ? template.messages : [{ role: "user", content: template.template }];
}
