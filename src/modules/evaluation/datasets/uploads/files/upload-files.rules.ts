// Files of examples, read piece by piece: CSV and lines of JSON. What is refused is named by line and column.
import Papa from "papaparse";
import { isJsonObject } from "../../../../../kernel/json.ts";
import { syntaxErrorOffset } from "../../../../../kernel/json-reader.ts";
import { uploadRefused } from "../../datasets.errors.ts";
import { uploadedJson } from "../upload-json.rules.ts";
import { requireFewMembers, tooManyColumns, type UploadLimits } from "../upload-limits.rules.ts";
import type { UploadRow } from "../upload-parts.rules.ts";
import { createRowMaker, neededColumns, requireColumns, type SelectedColumns } from "./upload-columns.rules.ts";

/** Takes the text of a file in pieces. */
export interface FileReader {
  feed(text: string): void;
  /** Throws kind `invalid` for a file that is wrong at its end. */
  end(): void;
}

/** UTF-16 units of one row: it is held whole. */
const MOST_ROW_LENGTH = 16 * 1024 * 1024;

function rowTooLong(line: number) {
  return uploadRefused(`Line ${line}: a row is longer than ${MOST_ROW_LENGTH} characters, or a quote is never closed`);
}

/** The same of a row that was not read from text. */
export function requireShortRow({ input, output, metadata }: UploadRow, place: string): void {
  if (input.length + output.length + metadata.length <= MOST_ROW_LENGTH) return;
  throw uploadRefused(`${place}: is longer than ${MOST_ROW_LENGTH} characters`);
}

const csvErrors: Readonly<Record<string, string>> = {
  MissingQuotes: "a quote is never closed",
  InvalidQuotes: "a quote inside a quoted cell must be doubled",
};

export function createCsvReader(
  selected: SelectedColumns,
  limits: UploadLimits,
  add: (row: UploadRow) => void,
): FileReader {
  const rowOf = createRowMaker(selected, true, limits);
  let rest = "";
  /** Not tried again before it is longer: a long cell would be read over and over. */
  let retryAt = 0;
  let line = 1;
  let columns: ReadonlyMap<string, number> | null = null;

  function takeRow(cells: readonly string[]): void {
    const first = line;
    line += 1 + cells.reduce((breaks, cell) => breaks + countBreaks(cell), 0);
    // The break of a line may be two characters.
    const last = cells.at(-1);
    const row = last?.endsWith("\r") ? [...cells.slice(0, -1), last.slice(0, -1)] : cells;
    if (row.length === 1 && row[0] === "") return;
    if (columns === null) {
      columns = headerOf(row, selected, limits);
      return;
    }
    const known = columns;
    if (row.length > limits.maxColumns) throw tooManyColumns(`Line ${first}`, limits.maxColumns);
    add(
      rowOf((column) => {
        const at = known.get(column);
        return at === undefined ? undefined : row[at];
      }, `Line ${first}`),
    );
  }

  function parse(isLast: boolean): void {
    // The library drops a byte order mark at the beginning of a text. The line break keeps one that is part of a cell.
    const text = `\n${rest}`;
    let end = 1;
    Papa.parse<string[]>(text, {
      delimiter: ",",
      newline: "\n",
      step({ data, errors, meta }) {
        // The last row may continue in the next piece.
        if (meta.cursor === 1 || (meta.cursor === text.length && !isLast)) return;
        if (errors[0] !== undefined) throw uploadRefused(`Line ${line}: ${csvErrors[errors[0].code] ?? "is not CSV"}`);
        takeRow(data);
        end = meta.cursor;
      },
    });
    rest = text.slice(end);
  }

  return {
    feed(text) {
      rest += text;
      if (rest.length < retryAt) return;
      parse(false);
      retryAt = rest.length * 2;
      if (rest.length > MOST_ROW_LENGTH) throw rowTooLong(line);
    },
    end() {
      if (rest !== "") parse(true);
      if (columns === null) throw uploadRefused("The file is empty: its first line must name the columns");
    },
  };
}

function countBreaks(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf("\n"); at >= 0; at = cell.indexOf("\n", at + 1)) count++;
  return count;
}

function headerOf(
  row: readonly string[],
  selected: SelectedColumns,
  limits: UploadLimits,
): ReadonlyMap<string, number> {
  requireColumns("Line 1", row, neededColumns(selected), limits);
  return new Map(row.map((name, at) => [name, at]));
}

export function createJsonLinesReader(
  selected: SelectedColumns,
  limits: UploadLimits,
  add: (row: UploadRow) => void,
): FileReader {
  const rowOf = createRowMaker(selected, false, limits);
  let rest = "";
  let line = 0;

  function takeLine(text: string): void {
    line++;
    const place = `Line ${line}`;
    if (text.trim() === "") throw uploadRefused(`${place}: is blank`);
    requireFewMembers(text, limits.maxRowMembers, place);
    const wrong = () => `is not JSON, it is wrong at character ${syntaxErrorOffset(text) + 1}`;
    const value = uploadedJson(text, place, wrong);
    if (!isJsonObject(value)) throw uploadRefused(`${place}: is no JSON object`);
    const object = value;
    add(rowOf((column) => (Object.hasOwn(object, column) ? object[column] : undefined), place));
  }

  return {
    feed(text) {
      const end = text.lastIndexOf("\n");
      if (end < 0) {
        rest += text;
        if (rest.length > MOST_ROW_LENGTH) throw rowTooLong(line + 1);
        return;
      }
      for (const each of (rest + text.slice(0, end)).split("\n")) {
        if (each.length > MOST_ROW_LENGTH) throw rowTooLong(line + 1);
        takeLine(each);
      }
      rest = text.slice(end + 1);
    },
    end() {
      if (rest !== "") takeLine(rest);
    },
  };
}
