// Templates of prompts: reading one, the variables that it needs, and filling them in.
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { TemplateFormat } from "../prompt.ts";
import { parseFormatString } from "./format-string.ts";
import { parseMustache } from "./mustache.ts";
import { type TemplateNode, templateRefused } from "./template-node.ts";

/** Nodes that one rendering visits: a list in a list in a list multiplies without writing a character. */
const MAX_STEPS = 1_000_000;

/** Throws kind `invalid` with the position of what is wrong. */
export function parseTemplate(source: string, format: TemplateFormat): readonly TemplateNode[] {
  switch (format) {
    case "MUSTACHE":
      return parseMustache(source);
    case "F_STRING":
      return parseFormatString(source);
    case "NONE":
      return source === "" ? [] : [{ type: "text", text: source }];
  }
}

/** How a name is used: only as text, or also with members or as a section, for which any value will do. */
export type VariableUse = "text" | "any";

/** The names that have to be given, in the order in which they come: those that stand outside of sections. */
export function variablesOfTemplates(templates: Iterable<readonly TemplateNode[]>): Map<string, VariableUse> {
  const uses = new Map<string, VariableUse>();
  for (const nodes of templates) {
    for (const node of nodes) {
      if (node.type === "text") continue;
      const [name] = node.path;
      if (name === undefined) continue;
      const isText = node.type === "variable" && node.path.length === 1;
      uses.set(name, isText && uses.get(name) !== "any" ? "text" : "any");
    }
  }
  return uses;
}

/** What renderings that share it may still do. */
export interface RenderingBudget {
  readonly mostCharacters: number;
  characters: number;
  steps: number;
}

export function renderingBudget(mostCharacters: number): RenderingBudget {
  return { mostCharacters, characters: mostCharacters, steps: MAX_STEPS };
}

/** The text with the values in place. What a Mustache template does not find below a name is empty; what a format string does not find is
 *  refused. Throws kind `invalid`, also when the budget is used up. */
export function renderTemplate(nodes: readonly TemplateNode[], values: JsonObject, budget: RenderingBudget): string {
  const pieces: string[] = [];
  const write = (text: string) => {
    budget.characters -= text.length;
    if (budget.characters < 0) {
      throw templateRefused(`the texts with the values in place have more than ${budget.mostCharacters} characters`);
    }
    pieces.push(text);
  };
  render(nodes, [values], budget, write);
  return pieces.join("");
}

function render(
  nodes: readonly TemplateNode[],
  scopes: Json[],
  budget: RenderingBudget,
  write: (text: string) => void,
): void {
  for (const node of nodes) {
    if (--budget.steps < 0) throw templateRefused("sections repeat too often");
    if (node.type === "text") {
      write(node.text);
      continue;
    }
    const value = lookUp(node.path, scopes);
    if (node.type === "variable") {
      if (value === undefined && node.isStrict) throw templateRefused(`nothing is at "${node.path.join(".")}"`);
      write(node.print(value ?? null));
      continue;
    }
    const items = itemsOf(value);
    if (node.isInverted) {
      if (items.length === 0) render(node.children, scopes, budget, write);
      continue;
    }
    for (const item of items) {
      scopes.push(item);
      render(node.children, scopes, budget, write);
      scopes.pop();
      if (--budget.steps < 0) throw templateRefused("sections repeat too often");
    }
  }
}

/** For which values a section is repeated. */
function itemsOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null || value === false || value === "" || value === 0 ? [] : [value];
}

/** The first name in the innermost scope that has it, then member by member. */
function lookUp(path: readonly string[], scopes: readonly Json[]): Json | undefined {
  const [name, ...members] = path;
  if (name === undefined) return scopes.at(-1);
  for (let at = scopes.length - 1; at >= 0; at--) {
    const scope = scopes[at];
    if (!isJsonObject(scope) || !Object.hasOwn(scope, name)) continue;
    let value: Json | undefined = scope[name];
    for (const member of members) value = memberOf(value, member);
    return value;
  }
  return undefined;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return /^\d{1,15}$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
