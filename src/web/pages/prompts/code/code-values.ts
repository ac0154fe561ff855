// Values as TypeScript and Python write them. Every text is escaped so that the program holds exactly what the prompt says, whatever
// stands in it.
import { isRawNumber, type Json, type JsonObject } from "../../../../kernel/json.ts";

export type Language = "typescript" | "python";

export type TextPiece = { readonly text: string } | { readonly parameter: string };

/** A text in which parameters of the function stand. */
export interface FilledText {
  readonly kind: "text";
  readonly pieces: readonly TextPiece[];
}

/** Code as it stands. */
interface Expression {
  readonly kind: "expression";
  readonly code: string;
}

interface CodeList {
  readonly kind: "list";
  readonly items: readonly Code[];
}

/** Members in their order. One that is undefined is left out. */
interface CodeObject {
  readonly kind: "object";
  readonly members: readonly (readonly [name: string, value: Code])[];
}

export type Code = FilledText | Expression | CodeList | CodeObject | { readonly kind: "json"; readonly value: Json };

export const textOf = (text: string): FilledText => ({ kind: "text", pieces: [{ text }] });
export const expression = (code: string): Code => ({ kind: "expression", code });
export const listOf = (items: readonly Code[]): Code => ({ kind: "list", items });
export const jsonOf = (value: unknown): Code => ({ kind: "json", value: value as Json });

export function objectOf(members: Readonly<Record<string, Code | undefined>>): CodeObject {
  return {
    kind: "object",
    members: Object.entries(members).filter((entry): entry is [string, Code] => entry[1] !== undefined),
  };
}

/** What stands longer than this on one line is written one member a line. */
const MAX_LINE = 100;
const INDENT = { typescript: "  ", python: "    " } as const;

/** The code of a value whose first line stands behind `indent` spaces. */
export function written(code: Code, language: Language, indent = ""): string {
  switch (code.kind) {
    case "expression":
      return code.code;
    case "text":
      return language === "typescript" ? templateLiteral(code) : pythonText(code, indent);
    case "json":
      return jsonWritten(code.value, language, indent);
    case "list":
      return bracketed("[", "]", code.items, (item, inner) => written(item, language, inner), { language, indent });
    case "object":
      return bracketed(
        "{",
        "}",
        code.members,
        ([name, value], inner) => `${key(name, language)}: ${written(value, language, inner)}`,
        { language, indent },
      );
  }
}

/** A call with named values. `undeclared` are those that the library sends but does not declare. */
export function callOf(
  name: string,
  values: Readonly<Record<string, Code | undefined>>,
  undeclared: JsonObject,
  { language, indent }: Place,
): string {
  const inner = indent + INDENT[language];
  const members = Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [`${key}${language === "typescript" ? ": " : "="}${written(value, language, inner)}`];
  });
  if (Object.keys(undeclared).length > 0) {
    const rest = written(jsonOf(undeclared), language, inner);
    // Spread, they pass the types of the library.
    members.push(language === "typescript" ? `...${rest}` : `extra_body=${rest}`);
  }
  const lines = members.map((member) => `${inner}${member},\n`).join("");
  return language === "typescript" ? `${name}({\n${lines}${indent}})` : `${name}(\n${lines}${indent})`;
}

/** Behind `indent` spaces. */
interface Place {
  readonly language: Language;
  readonly indent: string;
}

function bracketed<Item>(
  open: string,
  close: string,
  items: readonly Item[],
  write: (item: Item, indent: string) => string,
  { language, indent }: Place,
): string {
  if (items.length === 0) return `${open}${close}`;
  const inner = indent + INDENT[language];
  const parts = items.map((item) => write(item, inner));
  const space = open === "{" && language === "typescript" ? " " : "";
  const length = parts.reduce((sum, part) => sum + part.length + 2, inner.length);
  if (length <= MAX_LINE && !parts.some((part) => part.includes("\n"))) {
    return `${open}${space}${parts.join(", ")}${space}${close}`;
  }
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

function key(name: string, language: Language): string {
  if (language === "python") return quoted(name);
  // Written plainly it would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function jsonWritten(value: Json, language: Language, indent: string): string {
  if (value === null) return language === "typescript" ? "null" : "None";
  if (typeof value === "boolean") return language === "typescript" ? String(value) : value ? "True" : "False";
  if (typeof value === "string") return written(textOf(value), language, indent);
  if (typeof value === "number") return String(value);
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return written(listOf(value.map(jsonOf)), language, indent);
  return written(objectOfMembers(value), language, indent);
}

/** Not by `objectOf`: a member may be called `__proto__`. */
function objectOfMembers(value: JsonObject): CodeObject {
  return { kind: "object", members: Object.entries(value).map(([name, member]) => [name, jsonOf(member)] as const) };
}

/** What a reader would not see, and what ends a line for some. */
const INVISIBLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A text in double quotes that both languages read alike. JSON escapes lone surrogates too. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(INVISIBLE, escaped);
}

/** The parameter, where a text is nothing else. */
function parameterAlone([first, ...others]: readonly TextPiece[]): string | null {
  return first !== undefined && "parameter" in first && others.length === 0 ? first.parameter : null;
}

/** Between back-ticks as soon as there are parameters or lines; what stands in it is the text, not code. */
function templateLiteral({ pieces }: FilledText): string {
  const alone = parameterAlone(pieces);
  if (alone !== null) return alone;
  const plain = pieces.every((piece) => "text" in piece && !piece.text.includes("\n"));
  if (plain) return quoted(pieces.map((piece) => ("text" in piece ? piece.text : "")).join(""));
  const parts = pieces.map((piece) => {
    if (!("text" in piece)) return `\${${piece.parameter}}`;
    return piece.text
      .replaceAll(/[\\`]|\$(?=\{)/g, "\\$&")
      .replaceAll(INVISIBLE, escaped)
      .replaceAll(LONE_SURROGATE, escaped);
  });
  return `\`${parts.join("")}\``;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A string for each line, which Python joins. Those with parameters are f-strings, where a brace is written twice. */
function pythonText({ pieces }: FilledText, indent: string): string {
  const alone = parameterAlone(pieces);
  if (alone !== null) return alone;
  const lines: { parts: TextPiece[] }[] = [{ parts: [] }];
  for (const piece of pieces) {
    if (!("text" in piece)) {
      lines.at(-1)?.parts.push(piece);
      continue;
    }
    const [first = "", ...rest] = piece.text.split(/(?<=\n)/);
    lines.at(-1)?.parts.push({ text: first });
    // Behind the end of a line a parameter stands on the next one.
    for (const text of rest) lines.push({ parts: [{ text }] });
    if (piece.text.endsWith("\n")) lines.push({ parts: [] });
  }
  const strings = lines.filter(({ parts }) => parts.length > 0).map(({ parts }) => pythonLine(parts));
  const [only = '""', ...others] = strings;
  if (others.length === 0) return only;
  const inner = indent + INDENT.python;
  return `(\n${strings.map((each) => `${inner}${each}\n`).join("")}${indent})`;
}

function pythonLine(parts: readonly TextPiece[]): string {
  const filled = parts.some((part) => !("text" in part));
  const content = parts.map((part) => {
    if (!("text" in part)) return `{${part.parameter}}`;
    const inside = quoted(part.text).slice(1, -1);
    return filled ? inside.replaceAll(/[{}]/g, "$&$&") : inside;
  });
  return `${filled ? "f" : ""}"${content.join("")}"`;
}
