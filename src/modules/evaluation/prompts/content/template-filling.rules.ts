// Chats with values in the place of their variables.
import { fail } from "../../../../kernel/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import type { TemplateFormat } from "../../../../model/prompt.ts";
import {
  parseTemplate,
  type RenderingBudget,
  renderingBudget,
  renderTemplate,
  type VariableUse,
  variablesOfTemplates,
} from "../../../../model/templates/template.ts";
import type { TemplateNode } from "../../../../model/templates/template-node.ts";
import type { MessagePart, PromptMessage, Template } from "../prompt-content.schema.ts";

type Chat = Extract<Template, { readonly type: "chat" }>;
type Messages = readonly PromptMessage[];

interface FilledChat {
  readonly chat: Chat;
  /** Of its texts. */
  readonly characters: number;
}

/** The chat with the values in place. Texts are filled, and texts in results of tools; arguments of tool calls stay. Throws kind `invalid`
 *  for a variable without a value, for a template with a mistake, and beyond `mostCharacters`: the same variable may stand in it 100,000
 *  times. */
export function filledTemplate(
  template: Chat,
  format: TemplateFormat,
  values: JsonObject,
  mostCharacters: number,
): FilledChat {
  const { parsed, variables } = parsedChat(template, format);
  requireValues(variables, values);
  const budget: RenderingBudget = renderingBudget(mostCharacters);
  const fill = (text: string) => renderTemplate(parsed.get(text)!, values, budget);
  const messages = template.messages.map(({ role, content }): PromptMessage => {
    if (typeof content === "string") return { role, content: fill(content) };
    return { role, content: content.map((part) => filledPart(part, fill)) };
  });
  return { chat: { ...template, messages }, characters: mostCharacters - budget.characters };
}

interface ParsedChat {
  readonly format: TemplateFormat;
  /** By the text of the template. */
  readonly parsed: ReadonlyMap<string, readonly TemplateNode[]>;
  readonly variables: ReadonlyMap<string, VariableUse>;
}

/** A run over a dataset fills the same chat for each of its examples. */
const parsedChats = new WeakMap<Chat, ParsedChat>();

function parsedChat(template: Chat, format: TemplateFormat): ParsedChat {
  const known = parsedChats.get(template);
  if (known?.format === format) return known;
  const parsed = new Map<string, readonly TemplateNode[]>();
  for (const text of textsOf(template.messages)) if (!parsed.has(text)) parsed.set(text, parseTemplate(text, format));
  const chat = { format, parsed, variables: variablesOfTemplates(parsed.values()) };
  parsedChats.set(template, chat);
  return chat;
}

/** The variables that a chat needs, by name. Throws kind `invalid` for a template with a mistake. */
export function chatVariables(messages: Messages, format: TemplateFormat): Map<string, VariableUse> {
  return variablesOfTemplates([...textsOf(messages)].map((text) => parseTemplate(text, format)));
}

function requireValues(variables: ReadonlyMap<string, VariableUse>, values: JsonObject): void {
  const missing = [...variables.keys()].filter((name) => !Object.hasOwn(values, name)).sort();
  if (missing.length === 0) return;
  throw fail("prompts.variable_missing", "invalid", `Missing template variable(s): ${missing.join(", ")}`);
}

function* textsOf(messages: Messages): Generator<string> {
  for (const { content } of messages) {
    if (typeof content === "string") yield content;
    else for (const part of content) yield* textsOfPart(part);
  }
}

function* textsOfPart(part: MessagePart): Generator<string> {
  if (part.type === "text") yield part.text;
  else if (part.type === "tool_result") yield* textsOfJson(part.tool_result as Json);
}

function* textsOfJson(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsOfJson(item);
  else if (isJsonObject(value)) for (const item of Object.values(value)) yield* textsOfJson(item);
}

function filledPart(part: MessagePart, fill: (text: string) => string): MessagePart {
  if (part.type === "text") return { ...part, text: fill(part.text) };
  return part.type === "tool_result" ? { ...part, tool_result: filledJson(part.tool_result as Json, fill) } : part;
}

function filledJson(value: Json, fill: (text: string) => string): Json {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => filledJson(item, fill));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filledJson(item, fill)]));
}
