// The variables of a draft and its messages with their values, by the rules of the server.
import { Failure } from "../../../../kernel/failure.ts";
import { type Json, parseJson } from "../../../../kernel/json.ts";
import type { TemplateFormat } from "../../../../model/prompt.ts";
import {
  chatVariables,
  filledTemplate,
} from "../../../../modules/evaluation/prompts/content/template-filling.rules.ts";
import type { MessagePart, PromptMessage } from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { at } from "../../trace/payload/values.ts";
import type { MessageDraft, PartDraft } from "./prompt-draft.ts";

/** What is typed for the variables, by their names. */
type TypedValues = Readonly<Record<string, string>>;

interface FilledPreview {
  readonly names: readonly string[];
  readonly filled: readonly PromptMessage[];
  /** What is wrong with the template or the values; null if nothing is. */
  readonly problem: string | null;
}

/** What has no value yet stands for itself. */
export function filledPreview(
  messages: readonly MessageDraft[],
  format: TemplateFormat,
  typed: TypedValues,
): FilledPreview {
  const chat = { type: "chat" as const, messages: messages.map(textsOf) };
  let names: readonly string[] = [];
  try {
    names = [...chatVariables(chat.messages, format).keys()];
    const mark = (name: string) => (format === "F_STRING" ? `{${name}}` : `{{${name}}}`);
    const filledIn = { ...Object.fromEntries(names.map((name) => [name, mark(name)])), ...withoutEmpty(typed) };
    const values = valuesOf(messages, format, filledIn);
    return { names, filled: filledTemplate(chat, format, values, Infinity).chat.messages, problem: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { names, filled: [], problem: error.message };
  }
}

/** Names in the order in which they come; none of a template with a mistake. */
export function variableNames(messages: readonly MessageDraft[], format: TemplateFormat): readonly string[] {
  try {
    return [...chatVariables(messages.map(textsOf), format).keys()];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [];
  }
}

/** Values of the variables of these messages: JSON where a section or a path needs more than a text. */
export function valuesOf(
  messages: readonly MessageDraft[],
  format: TemplateFormat,
  typed: TypedValues,
): Readonly<Record<string, Json>> {
  const uses = [...chatVariables(messages.map(textsOf), format)];
  return Object.fromEntries(
    uses.map(([name, use]) => {
      const value = typed[name] ?? "";
      return [name, use === "any" ? typedValue(value) : value] as const;
    }),
  );
}

function withoutEmpty(typed: TypedValues): TypedValues {
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ""));
}

/** JSON, or else the text itself. */
function typedValue(typed: string): Json {
  try {
    return parseJson(typed);
  } catch {
    return typed;
  }
}

function textsOf({ role, parts }: MessageDraft): PromptMessage {
  return { role, content: parts.flatMap(filledPart) };
}

/** Calls of tools and images have no variables. */
function filledPart({ kind, source }: PartDraft): readonly MessagePart[] {
  if (kind === "image") return [];
  if (kind === "text") return [{ type: "text", text: source }];
  const result = kind === "result" ? source : at(typedValue(source), "tool_result");
  return result === undefined ? [] : [{ type: "tool_result", tool_call_id: "", tool_result: result }];
}
