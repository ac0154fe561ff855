// The first rows of a file, as far as a look at its beginning tells: what the columns are called and what stands in them.
import Papa from "papaparse";
import type { Json } from "../../../../kernel/json.ts";
import { PageFailure } from "../../../lib/failure.ts";
import { uploadText } from "./upload-text.ts";

export interface FirstRows {
  readonly type: "text/csv" | "application/jsonl";
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Json>>[];
}

const HEAD_BYTES = 512 * 1024;
const MOST_ROWS = 20;

/** Throws for a file that is of neither kind or has no rows. What is wrong further down, the server tells. */
export async function readFirstRows(file: File): Promise<FirstRows> {
  const { name } = file;
  const head = (await file.slice(0, HEAD_BYTES).text()).replace(/^\uFEFF/, "");
  const isWhole = file.size <= HEAD_BYTES;
  const read = /\.csv$/i.test(name) ? csvRows : /\.(jsonl|ndjson)$/i.test(name) ? jsonRows : null;
  if (read === null) throw new PageFailure("refused", uploadText("upload.kind", { name }));
  const found = read(head, isWhole, name);
  if (found.rows.length === 0) throw new PageFailure("refused", uploadText("upload.empty", { name }));
  return found;
}

function csvRows(head: string, isWhole: boolean): FirstRows {
  const { data } = Papa.parse<string[]>(head, { delimiter: ",", preview: MOST_ROWS + 1, skipEmptyLines: true });
  // The last one may be cut.
  const [columns = [], ...rows] = isWhole || data.length > MOST_ROWS ? data : data.slice(0, -1);
  return {
    type: "text/csv",
    columns: [...new Set(columns)],
    rows: rows.map((row) => Object.fromEntries(columns.flatMap((column, at) => (row[at] ? [[column, row[at]]] : [])))),
  };
}

function jsonRows(head: string, isWhole: boolean, name: string): FirstRows {
  const lines = head.split("\n");
  const whole = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== "").slice(0, MOST_ROWS);
  const rows = whole.map((line, at) => {
    try {
      return JSON.parse(line) as Readonly<Record<string, Json>>;
    } catch (error) {
      const reason = `${at + 1}: ${(error as Error).message}`;
      throw new PageFailure("refused", uploadText("upload.unreadable", { name, reason }));
    }
  });
  return { type: "application/jsonl", columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows };
}
