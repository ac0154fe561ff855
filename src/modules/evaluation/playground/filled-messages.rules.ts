// Messages of a call with the values of their variables.
import type { CallMessage } from "../../../providers/model-call.ts";
import { filledTemplate } from "../prompts/content/template-filling.rules.ts";
import type { PromptMessage } from "../prompts/prompt-content.schema.ts";
import type { ChatVariant } from "./chats.schema.ts";

/** UTF-16 units of a chat with the values in place. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Throws kind `invalid` for variables without values, for a template with a mistake, and for a chat that becomes too long. */
export function filledMessages({
  messages,
  template,
}: Pick<ChatVariant, "messages" | "template">): readonly CallMessage[] {
  if (template === null) return messages;
  // Images, which stored prompts do not have, are passed through.
  const chat = { type: "chat" as const, messages: messages as PromptMessage[] };
  return filledTemplate(chat, template.format, template.variables, MAX_CHARACTERS).chat.messages;
}
