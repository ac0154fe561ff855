// Where variables stand in the text of a template, for the server and the pages.
import type { TemplateFormat } from "./prompt.ts";

/** A part of a template that is not its own text, from `start` to before `end`. */
type TemplateMark =
  | { readonly kind: "variable"; readonly name: string; readonly start: number; readonly end: number }
  /** A brace that stands for itself, written twice. */
  | { readonly kind: "brace"; readonly brace: "{" | "}"; readonly start: number; readonly end: number }
  | { readonly kind: "unclosed"; readonly start: number };

/** The first mark from `from` on; null when there is none. */
export function findVariable(text: string, format: TemplateFormat, from = 0): TemplateMark | null {
  switch (format) {
    case "MUSTACHE":
      return findDouble(text, from);
    case "F_STRING":
      return findSingle(text, from);
    case "NONE":
      return null;
  }
}

function findDouble(text: string, from: number): TemplateMark | null {
  const start = text.indexOf("{{", from);
  if (start < 0) return null;
  const close = text.indexOf("}}", start + 2);
  if (close < 0) return { kind: "unclosed", start };
  return { kind: "variable", name: text.slice(start + 2, close).trim(), start, end: close + 2 };
}

function findSingle(text: string, from: number): TemplateMark | null {
  for (let start = from; start < text.length; start++) {
    const brace = text[start];
    if (brace !== "{" && brace !== "}") continue;
    if (text[start + 1] === brace) return { kind: "brace", brace, start, end: start + 2 };
    // A lone closing brace is text.
    if (brace === "}") continue;
    const close = text.indexOf("}", start + 1);
    if (close < 0) return { kind: "unclosed", start };
    return { kind: "variable", name: text.slice(start + 1, close).trim(), start, end: close + 1 };
  }
  return null;
}

/** Names of the variables, each once, in the order in which they come. */
export function variablesOf(text: string, format: TemplateFormat): string[] {
  const names = new Set<string>();
  let position = 0;
  for (;;) {
    const found = findVariable(text, format, position);
    if (found === null || found.kind === "unclosed") return [...names];
    if (found.kind === "variable") names.add(found.name);
    position = found.end;
  }
}
