// Why a text is no JSON, and where.
import { syntaxErrorOffset } from "../../../kernel/json-reader.ts";
import { text } from "../../texts/texts.ts";

interface JsonProblem {
  /** In UTF-16 units from the beginning; the length of the text where something lacks at its end. */
  readonly offset: number;
  /** With line and column, both from 1. */
  readonly message: string;
}

/** Null for JSON. */
export function jsonProblem(source: string): JsonProblem | null {
  if (isJson(source)) return null;
  if (source.trim() === "") return { offset: source.length, message: text("editor.json.empty") };
  const offset = syntaxErrorOffset(source);
  const before = source.slice(0, offset).split("\n");
  const place = { line: before.length, column: before.at(-1)!.length + 1 };
  const character = source.at(offset);
  const message =
    character === undefined
      ? text("editor.json.short", place)
      : character === '"'
        ? text("editor.json.broken", place)
        : text("editor.json.wrong", { ...place, character });
  return { offset, message };
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}
