// What differs between versions and how a model is asked, in words: `max_tokens` is "Max tokens", `top_p` is "Top P".
import type { Json } from "../../../kernel/json.ts";
import { text } from "../../texts/texts.ts";
import { type PromptVersionContent, parametersOf } from "./version-parts.ts";

/** The name of a parameter in words. */
export function parameterWords(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .split(/[_\s]+/)
    .filter((word) => word !== "")
    .map((word) => (word.length === 1 ? word.toUpperCase() : word.toLowerCase()));
  const [first = name, ...rest] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(" ");
}

/** Everything but the messages, by words. A parameter that has the name of something else keeps its own. */
export function namedValues(content: PromptVersionContent): Json {
  const { id: _id, template: _template, invocation_parameters: _parameters, ...rest } = content;
  const { description, model_provider, model_name, template_format, tools, response_format, metadata, ...others } =
    rest;
  const named: Record<string, unknown> = {
    [text("prompts.model")]: model_name,
    [text("prompts.provider")]: text(`prompts.provider.${model_provider}`),
    [text("prompts.variables")]: text(`prompts.template.${template_format}`),
    [text("prompts.description")]: description,
    [text("prompts.tools")]: tools,
    [text("prompts.format")]: response_format,
    [text("prompts.metadata")]: metadata,
  };
  const values = [...Object.entries(parametersOf(content)), ...Object.entries(others)];
  for (const [name, value] of values) {
    const words = parameterWords(name);
    named[Object.hasOwn(named, words) ? name : words] = value;
  }
  // JSON has no value for what a version does not have.
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Json;
}
