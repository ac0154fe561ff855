// Rows of an upload on their way from the thread that reads them to the database: in parts that are good to write at once.
import type { ExampleName, HashedContent } from "./dataset-content.rules.ts";

/** One example of an upload. */
export interface UploadRow extends HashedContent, ExampleName {
  /** Of the span that it was made of, as its exporter sent it. */
  readonly spanKey: string | null;
  /** Its row id, where that is known. */
  readonly spanId?: number;
  readonly splits: readonly string[];
}

/** Rows that are written in one transaction: ingestion has its turn after each. */
export interface UploadPart {
  /** Of the first row, among the rows of the upload. */
  readonly position: number;
  readonly rows: readonly UploadRow[];
}

export type UploadAction = "create" | "append" | "update";

/** What an upload says beside its rows. */
export interface UploadFacts {
  readonly name: string;
  readonly action: UploadAction;
  readonly description: string;
  /** Whether it says who is in which split: then nobody stays in one by itself. */
  readonly splitsGiven: boolean;
}

/** The rows of an upload as they arrive. */
export interface UploadSource {
  /** Null at the end. */
  next(): Promise<UploadPart | null>;
  /** Asked at the end. */
  facts(): Promise<UploadFacts>;
}

const PART_ROWS = 1000;
const PART_CHARACTERS = 2 * 1024 * 1024;

/** Gathers rows into parts. */
export interface PartGatherer {
  add(row: UploadRow): void;
  /** A full part; with `last`, what there is. Null when there is none. */
  take(last: boolean): UploadPart | null;
  readonly count: number;
}

export function createPartGatherer(): PartGatherer {
  const full: UploadPart[] = [];
  let rows: UploadRow[] = [];
  let characters = 0;
  let position = 0;
  const close = () => {
    full.push({ position, rows });
    position += rows.length;
    rows = [];
    characters = 0;
  };
  return {
    add(row) {
      rows.push(row);
      characters += row.input.length + row.output.length + row.metadata.length;
      if (rows.length >= PART_ROWS || characters >= PART_CHARACTERS) close();
    },
    take(last) {
      if (full.length === 0 && last && rows.length > 0) close();
      return full.shift() ?? null;
    },
    get count() {
      return position + rows.length;
    },
  };
}
