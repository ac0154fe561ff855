// What a person reads of an output: its text, where it is one, or its members.
import { isJsonObject, isRawNumber, type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";

/** A text, also the only value of an object, such as `{"answer": "…"}`; null for anything else. */
export function textIn(value: Json | undefined): string | null {
  if (typeof value === "string") return value;
  if (!isJsonObject(value) || isRawNumber(value)) return null;
  const values = Object.values(value);
  return values.length === 1 && typeof values[0] === "string" ? values[0] : null;
}

/** The text of an object that another text is held against: `{"answer": "…", "sources": […]}` against `{"answer": "…"}` or the bare
 *  text. Null where nothing is alike. */
export function textBeside(value: Json | undefined, other: Json | undefined): string | null {
  const whole = textIn(value);
  if (whole !== null || !isJsonObject(value) || isRawNumber(value)) return whole;
  if (typeof other === "string") {
    const texts = Object.values(value).filter((member) => typeof member === "string");
    return texts.length === 1 ? texts[0]! : null;
  }
  const [name] = textIn(other) === null ? [] : Object.keys(other as JsonObject);
  const member = name !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === "string" ? member : null;
}

/** What is expected as the first of the outputs that is a text is held against it, and what else is expected; `shown` is null where no
 *  output is a text like it. */
export function expectedBeside(
  expected: Json,
  outputs: readonly (Json | undefined)[],
): { readonly shown: string | null; readonly rest: JsonObject | null } {
  const output = outputs.find((each) => textIn(each) !== null);
  const shown = output === undefined ? textIn(expected) : textBeside(expected, output);
  if (shown === null || !isJsonObject(expected) || isRawNumber(expected)) return { shown, rest: null };
  const [name] = Object.entries(expected).find(([, value]) => value === shown) ?? [];
  const rest = Object.entries(expected).filter(([each]) => each !== name);
  return { shown, rest: rest.length === 0 ? null : Object.fromEntries(rest) };
}

/** Two values as texts whose words can be compared: both as what they say, or both as JSON. `before` is null where there is nothing to
 *  compare with. */
export function comparable(
  before: Json | undefined,
  after: Json | undefined,
): { readonly before: string | null; readonly after: string } {
  const text = textIn(after);
  if (text !== null) return { before: textBeside(before, after), after: text };
  return { before: before === undefined ? null : written(before), after: readable(after) };
}

/** As it stands in a cell. */
export function readable(value: Json | undefined): string {
  if (value === undefined) return "";
  return textIn(value) ?? written(value);
}

/** Characters of a member that stands on the line of its name. */
const LINE = 80;

/** The members of an object each on a line of its own, texts as they are: a few lines say most of it. Anything else is JSON. */
function written(value: Json): string {
  const members = isJsonObject(value) && !isRawNumber(value) ? Object.entries(value) : [];
  if (members.length === 0) return indented(value, "");
  return members
    .map(([name, member]) => {
      if (typeof member === "string") return `${name}: ${member}`;
      const line = stringifyJson(member);
      return `${name}: ${line.length <= LINE ? line : indented(member, "")}`;
    })
    .join("\n");
}

/** Numbers as they were sent, two spaces a level. */
function indented(value: Json, margin: string): string {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return stringifyJson(value);
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((each) => indented(each, `${margin}  `))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${indented(each, `${margin}  `)}`);
  if (members.length === 0) return isList ? "[]" : "{}";
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${members.map((member) => `${margin}  ${member}`).join(",\n")}\n${margin}${close}`;
}

/** The JSON that a run put out; undefined without one. */
export function outputOf(run: { readonly output: unknown } | undefined): Json | undefined {
  return run?.output as Json | undefined;
}
