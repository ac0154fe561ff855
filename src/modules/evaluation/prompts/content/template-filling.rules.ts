// Variables of a chat and what takes their place, as the official clients write them: `{{name}}` (MUSTACHE) or `{name}` with `{{` and
// `}}` for the braces themselves (F_STRING).
import { fail } from "../../../../kernel/failure.ts";
import { type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import type { TemplateFormat } from "../../../../model/prompt.ts";
import { findVariable } from "../../../../model/template-variables.ts";
import type { MessagePart, PromptMessage, Template } from "../prompt-content.schema.ts";

type Chat = Extract<Template, { readonly type: "chat" }>;

interface FilledChat {
  readonly chat: Chat;
  /** Of its texts. */
  readonly characters: number;
}

/** The chat with the values in place. Throws kind `invalid` for a variable without a value, for one that is never closed, and beyond
 *  `mostCharacters`: the same variable may stand in it 100,000 times. */
export function filledTemplate(
  template: Chat,
  format: TemplateFormat,
  values: JsonObject,
  mostCharacters: number,
): FilledChat {
  let characters = 0;
  const textOf = valueTexts(values);
  const fill = (text: string) => {
    let filled = "";
    const add = (more: string) => {
      characters += more.length;
      if (characters > mostCharacters) throw filledTooLarge(mostCharacters);
      filled += more;
    };
    let position = 0;
    for (;;) {
      const found = findVariable(text, format, position);
      add(text.slice(position, found?.start));
      if (found === null) return filled;
      if (found.kind === "unclosed") throw neverClosed(text.slice(found.start, found.start + 40));
      if (found.kind === "brace") add(found.brace);
      else add(textOf(found.name));
      position = found.end;
    }
  };
  const part = (given: MessagePart): MessagePart =>
    given.type === "text" ? { ...given, text: fill(given.text) } : given;
  const filled = ({ role, content }: PromptMessage): PromptMessage => ({
    role,
    content: typeof content === "string" ? fill(content) : content.map(part),
  });
  return { chat: { ...template, messages: template.messages.map(filled) }, characters };
}

/** The text of a value by its name, written once for all the places where it stands. */
function valueTexts(values: JsonObject) {
  const known = new Map<string, string>();
  return (name: string) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (!Object.hasOwn(values, name)) {
      throw fail("prompts.variable_missing", "invalid", `The variable ${JSON.stringify(name)} has no value`);
    }
    const value = values[name] as Json;
    const text = typeof value === "string" ? value : stringifyJson(value);
    known.set(name, text);
    return text;
  };
}

function neverClosed(beginning: string) {
  return fail("prompts.variable_unclosed", "invalid", `A variable is never closed: ${beginning}`);
}

function filledTooLarge(mostCharacters: number) {
  return fail(
    "prompts.filled_too_large",
    "invalid",
    `templateOptions.variables: the messages with the values in place have more than ${mostCharacters} characters`,
  );
}
