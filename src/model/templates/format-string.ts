// Templates as Python's str.format writes them: {name}, {a.b}, {a[0]}, {name!r}, {name:>10}, {{ and }} for braces.
import { type Json, stringifyJson } from "../../kernel/json.ts";
import { formatValue } from "./format-specification.ts";
import { printValue } from "./mustache.ts";
import { type TemplateNode, templateRefused } from "./template-node.ts";

const FIELD = /^([^!:]*)(?:!([^:]*))?(?::(.*))?$/s;
const PART = /\.([^.[\]]*)|\[([^\]]*)\]/sy;

/** Throws kind `invalid` that names the position. */
export function parseFormatString(source: string): TemplateNode[] {
  const nodes: TemplateNode[] = [];
  let text = "";
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!;
    if (character !== "{" && character !== "}") {
      text += character;
      continue;
    }
    if (source[at + 1] === character) {
      text += character;
      at++;
      continue;
    }
    // A lone closing brace is text.
    if (character === "}") {
      text += character;
      continue;
    }
    const end = source.indexOf("}", at);
    if (end < 0) throw templateRefused('"{" is never closed; the brace itself is written "{{"', at);
    if (text !== "") nodes.push({ type: "text", text });
    text = "";
    nodes.push(fieldOf(source.slice(at + 1, end), at));
    at = end;
  }
  if (text !== "") nodes.push({ type: "text", text });
  return nodes;
}

function fieldOf(field: string, position: number): TemplateNode {
  if (field.includes("{")) throw templateRefused("a field inside a field", position);
  const [, written = "", conversion, specification = ""] = FIELD.exec(field)!;
  if (conversion !== undefined && !["r", "s", "a"].includes(conversion))
    throw templateRefused(`unknown conversion "!${conversion}"`, position);
  const path = pathOf(written, position);
  const isText = conversion !== undefined;
  const converted = (value: Json) => (conversion === "r" || conversion === "a" ? quoted(value) : printValue(value));
  return {
    type: "variable",
    path,
    isStrict: true,
    print:
      specification === ""
        ? converted
        : (value) => formatValue(isText ? converted(value) : value, specification, position),
  };
}

function pathOf(written: string, position: number): string[] {
  const name = /^[^.[]*/.exec(written)![0];
  if (name.trim() === "" || /^\d+$/.test(name.trim())) throw templateRefused("a field without a name", position);
  const path = [name.trim()];
  PART.lastIndex = name.length;
  while (PART.lastIndex < written.length) {
    const from = PART.lastIndex;
    const part = PART.exec(written);
    const [, attribute, member] = part ?? [];
    if (part === null || (attribute ?? member) === "") {
      throw templateRefused(`"${written.slice(from)}" is not a member or a position`, position);
    }
    if (attribute?.startsWith("_"))
      throw templateRefused(`Access to attribute '${attribute}' is not permitted in templates`, position);
    path.push((attribute ?? member)!);
  }
  return path;
}

/** As Python shows a text; other values as JSON. */
function quoted(value: Json): string {
  if (typeof value !== "string") return stringifyJson(value);
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`;
}
