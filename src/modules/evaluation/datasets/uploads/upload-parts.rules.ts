// Rows of an upload on their way from the thread that reads them to the database: in parts that are good to write at once.
import type { ExampleName, HashedContent } from "../dataset-content.rules.ts";
import { requireFewMembers, tooManyRows, tooManyUnpackedBytes, type UploadLimits } from "./upload-limits.rules.ts";

/** One example of an upload. */
export interface UploadRow extends HashedContent, ExampleName {
  /** Of the span that it was made of, as its exporter sent it. */
  readonly spanKey: string | null;
  /** Its row id, where that is known. */
  readonly spanId?: number;
  readonly splits: readonly string[];
}

/** Rows that are written in one transaction: ingestion has its turn after each. They are JSON texts of lists, as the database takes
 *  them, so that the main thread only hands them on; each begins with the position of its row among those of the upload. */
export interface UploadPart {
  /** Of the first row. */
  readonly position: number;
  readonly count: number;
  /** Position, input, output, metadata. */
  readonly contents: string;
  /** Position, hash, own id, row id of the example that is named, row id of the span. */
  readonly named: string;
  /** Position, name of a split; null where no row names any. */
  readonly splits: string | null;
  /** Spans that rows name by their exporters' ids. */
  readonly spanKeys: readonly (readonly [position: number, spanKey: string])[];
}

/** The rows from that position on, ready to be written. */
export function uploadPart(position: number, rows: readonly UploadRow[]): UploadPart {
  const splits = rows.flatMap(({ splits: names }, at) => [...new Set(names)].map((name) => [position + at, name]));
  return {
    position,
    count: rows.length,
    contents: JSON.stringify(rows.map(({ input, output, metadata }, at) => [position + at, input, output, metadata])),
    named: JSON.stringify(
      rows.map(({ hash, externalId, namedExample, spanId }, at) => [
        position + at,
        hash,
        externalId,
        namedExample,
        spanId ?? null,
      ]),
    ),
    splits: splits.length === 0 ? null : JSON.stringify(splits),
    spanKeys: rows.flatMap(({ spanKey }, at) => (spanKey === null ? [] : [[position + at, spanKey] as const])),
  };
}

export type UploadAction = "create" | "append" | "update";

/** What an upload says beside its rows. */
export interface UploadFacts {
  readonly name: string;
  readonly action: UploadAction;
  readonly description: string;
  /** Whether it assigns splits: then no example keeps its earlier splits. */
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
const PART_CHARACTERS = 1024 * 1024;

/** Gathers rows into parts. */
export interface PartGatherer {
  add(row: UploadRow): void;
  /** A full part; with `last`, what there is. Null when there is none. */
  take(last: boolean): UploadPart | null;
  readonly count: number;
}

/** Throws kind `too_large` for more rows than the limits allow, or larger ones. */
export function createPartGatherer(limits: UploadLimits): PartGatherer {
  const full: UploadPart[] = [];
  let rows: UploadRow[] = [];
  let characters = 0;
  let position = 0;
  let bytes = 0;
  const count = () => position + rows.length;
  const requireFitting = (row: UploadRow) => {
    const place = `Row ${count() + 1}`;
    if (count() >= limits.maxRows) throw tooManyRows(limits.maxRows);
    for (const text of [row.input, row.output, row.metadata]) {
      requireFewMembers(text, limits.maxRowMembers, place);
      bytes += Buffer.byteLength(text);
    }
    if (bytes > limits.maxUnpackedBytes) {
      throw tooManyUnpackedBytes("The examples of the upload have", limits.maxUnpackedBytes);
    }
  };
  const close = () => {
    full.push(uploadPart(position, rows));
    position += rows.length;
    rows = [];
    characters = 0;
  };
  return {
    add(row) {
      requireFitting(row);
      rows.push(row);
      characters += row.input.length + row.output.length + row.metadata.length;
      if (rows.length >= PART_ROWS || characters >= PART_CHARACTERS) close();
    },
    take(last) {
      if (full.length === 0 && last && rows.length > 0) close();
      return full.shift() ?? null;
    },
    get count() {
      return count();
    },
  };
}
