// Lines of CSV files, and JSON as it stands in their cells.
import { isJsonObject, type Json, stringifyJson } from "./json.ts";

const NEEDS_QUOTES = /[",\r\n]/;

/** Spreadsheets run a cell that begins so as a formula, some of them also with the wide forms of the characters. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Quoted where that is needed (RFC 4180), ended by a line feed. What a spreadsheet would run has an apostrophe before it, which
 *  spreadsheets take for the sign of a text; numbers stay numbers. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(BEGINS_FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell)).join(",")}\n`;
}

const quoted = (cell: string) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** JSON with a blank behind commas and colons. */
export function spacedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member)}`);
  return `{${members.join(", ")}}`;
}
