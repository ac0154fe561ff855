// Lines of CSV files, and JSON as it stands in their cells.
import { isJsonObject, type Json, stringifyJson } from "./json.ts";

const NEEDS_QUOTES = /[",\r\n]/;

/** Quoted where that is needed (RFC 4180), ended by a line feed. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}

/** JSON with a blank behind commas and colons. */
export function spacedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member)}`);
  return `{${members.join(", ")}}`;
}
