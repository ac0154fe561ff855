// Variables of a chat and what takes their place, as the official clients write them: `{{name}}` (MUSTACHE) or `{name}` with `{{` and
// `}}` for the braces themselves (F_STRING).
import { fail } from "../../kernel/failure.ts";
import { type Json, type JsonObject, stringifyJson } from "../../kernel/json.ts";
import type { TemplateFormat } from "../../model/prompt.ts";
import { findVariable } from "../../model/template-variables.ts";
import type { MessagePart, PromptMessage, Template } from "./prompt-content.schema.ts";

type Chat = Extract<Template, { readonly type: "chat" }>;

/** The chat with the values in place. Throws kind `invalid` for a variable without a value and for one that is never closed. */
export function filledTemplate(template: Chat, format: TemplateFormat, values: JsonObject): Chat {
  const fill = (text: string) => filledText(text, format, values);
  const part = (given: MessagePart): MessagePart =>
    given.type === "text" ? { ...given, text: fill(given.text) } : given;
  const filled = ({ role, content }: PromptMessage): PromptMessage => ({
    role,
    content: typeof content === "string" ? fill(content) : content.map(part),
  });
  return { ...template, messages: template.messages.map(filled) };
}

function filledText(text: string, format: TemplateFormat, values: JsonObject): string {
  let filled = "";
  let position = 0;
  for (;;) {
    const found = findVariable(text, format, position);
    if (found === null) return filled + text.slice(position);
    filled += text.slice(position, found.start);
    if (found.kind === "unclosed") {
      throw fail(
        "prompts.variable_unclosed",
        "invalid",
        `A variable is never closed: ${text.slice(found.start, found.start + 40)}`,
      );
    }
    filled += found.kind === "brace" ? found.brace : textOfValue(found.name, values);
    position = found.end;
  }
}

function textOfValue(name: string, values: JsonObject): string {
  if (!Object.hasOwn(values, name)) {
    throw fail("prompts.variable_missing", "invalid", `The variable ${JSON.stringify(name)} has no value`);
  }
  const value = values[name] as Json;
  return typeof value === "string" ? value : stringifyJson(value);
}
