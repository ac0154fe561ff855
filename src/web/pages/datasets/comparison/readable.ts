// What a person reads of an output: its text, where it is one, or JSON.
import { isJsonObject, isRawNumber, type Json, stringifyJson } from "../../../../kernel/json.ts";

/** A text, also the only value of an object, such as `{"answer": "…"}`; null for anything else. */
export function textIn(value: Json | undefined): string | null {
  if (typeof value === "string") return value;
  if (!isJsonObject(value) || isRawNumber(value)) return null;
  const values = Object.values(value);
  return values.length === 1 && typeof values[0] === "string" ? values[0] : null;
}

/** As it stands in a cell. */
export function readable(value: Json | undefined): string {
  if (value === undefined) return "";
  return textIn(value) ?? indented(value, "");
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
