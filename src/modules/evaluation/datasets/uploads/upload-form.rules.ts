// Uploads as multipart form data: fields that say what the columns of a file are, and the file.
import { uploadRefused } from "../datasets.errors.ts";
import type { SelectedColumns } from "./files/upload-columns.rules.ts";
import { createCsvReader, createJsonLinesReader, type FileReader } from "./files/upload-files.rules.ts";
import {
  type FileTaker,
  spoolingTaker,
  textTaker,
  unpackingTaker,
  type WholeReader,
} from "./files/upload-takers.rules.ts";
import { actionOf, uploadNameOf } from "./upload-json.rules.ts";
import type { UploadLimits } from "./upload-limits.rules.ts";
import { boundaryOf, createMultipartReader, type PartHead } from "./upload-multipart.rules.ts";
import type { UploadFacts, UploadRow } from "./upload-parts.rules.ts";

interface FormReader {
  feed(bytes: Uint8Array): void;
  end(): UploadFacts;
  /** Does one step with what was fed. False when there is nothing to do until more comes. */
  advance(): Promise<boolean>;
  release(): Promise<void>;
}

/** Each column of a file may be named in several of them. */
const MOST_FIELDS = 10_000;
/** Bytes of the fields together with their names, and of a file that stands before them: it has to wait. */
const MOST_FIELD_BYTES = 1024 * 1024;
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

type TextReader = (selected: SelectedColumns, limits: UploadLimits, add: (row: UploadRow) => void) => FileReader;

const formats: Readonly<Record<string, TextReader>> = {
  "text/csv": createCsvReader,
  "application/jsonl": createJsonLinesReader,
};

// Loaded by the first file of their kind: most servers never see one.
const parquet: WholeReader = async function* (...file) {
  yield* (await import("./files/upload-parquet.rules.ts")).parquetRows(...file);
};
const arrow: WholeReader = async function* (...file) {
  yield* (await import("./files/upload-arrow.rules.ts")).arrowRows(...file);
};
const wholeFormats: Readonly<Record<string, WholeReader>> = {
  "application/vnd.apache.parquet": parquet,
  "application/vnd.apache.arrow.file": arrow,
  "application/vnd.apache.arrow.stream": arrow,
};

export function createFormReader(contentType: string, limits: UploadLimits, add: (row: UploadRow) => void): FormReader {
  const fields = new Map<string, Set<string>>();
  let fieldCount = 0;
  let fieldBytes = 0;
  let head: PartHead | null = null;
  let file: PartHead | null = null;
  let taker: FileTaker | null = null;
  /** Bytes of a file that stands before the fields. */
  let waiting: Uint8Array[] | null = null;
  let waitingBytes = 0;
  let pieces: Uint8Array[] = [];

  async function endField(): Promise<void> {
    const { name } = head!;
    const text = new TextDecoder().decode(Buffer.concat(pieces));
    pieces = [];
    if (taker !== null) throw uploadRefused(`${name}: must stand before the file`);
    const texts = name.endsWith("[]") ? fields.get(name) : undefined;
    if (texts !== undefined) texts.add(text);
    else fields.set(name, new Set([text]));
  }

  function countField({ name }: PartHead): void {
    if (++fieldCount > MOST_FIELDS) throw uploadRefused(`The form data has more than ${MOST_FIELDS} fields`);
    countBytes(Buffer.byteLength(name));
  }

  function countBytes(bytes: number): void {
    fieldBytes += bytes;
    if (fieldBytes > MOST_FIELD_BYTES) throw uploadRefused(`The fields have more than ${MOST_FIELD_BYTES} bytes`);
  }

  function wait(bytes: Uint8Array): void {
    waitingBytes += bytes.byteLength;
    if (waitingBytes > MOST_WAITING_BYTES) {
      throw uploadRefused(`file: must be the last part when it has more than ${MOST_WAITING_BYTES} bytes`);
    }
    waiting!.push(bytes);
  }

  const parts = createMultipartReader(boundaryOf(contentType), {
    begin(next) {
      head = next;
      if (next.name !== "file") return countField(next);
      if (next.fileName === null) throw uploadRefused("file: must be a file");
      if (file !== null) throw uploadRefused("file: is there twice");
      file = next;
      requireFormat(next);
      // Without the fields its columns are unknown.
      if (fields.has("name")) taker = createFileTaker(next, selectedColumns(fields), limits, add);
      else waiting = [];
    },
    async data(bytes) {
      if (head!.name === "file") return taker === null ? wait(bytes) : taker.data(bytes);
      countBytes(bytes.byteLength);
      pieces.push(bytes);
    },
    async end() {
      if (head!.name !== "file") await endField();
      else await taker?.end();
    },
  });

  /** Hands on what has waited for the fields. */
  async function takeWaiting(): Promise<boolean> {
    if (taker === null || waiting === null) return false;
    const bytes = waiting.shift();
    if (bytes !== undefined) await taker.data(bytes);
    else {
      waiting = null;
      await taker.end();
    }
    return true;
  }

  return {
    feed: (bytes) => parts.feed(bytes),
    advance: async () =>
      (taker !== null && (await taker.advance())) ||
      (await takeWaiting()) ||
      (await parts.step()) ||
      (taker !== null && (await taker.advance())),
    end() {
      parts.end();
      const name = uploadNameOf(textOf(fields, "name"));
      const action = actionOf(textOf(fields, "action"));
      if (file === null) throw uploadRefused("file: is missing");
      taker ??= createFileTaker(file, selectedColumns(fields), limits, add);
      const description = textOf(fields, "description") ?? "";
      return { name, action, description: description === "" ? file.fileName! : description, splitsGiven: true };
    },
    release: async () => taker?.release(),
  };
}

function requireFormat({ type, encoding }: PartHead): void {
  const known = { ...formats, ...wholeFormats };
  if (known[type] === undefined) {
    throw uploadRefused(`file: its content-type ${type} is none of ${Object.keys(known).join(", ")}`);
  }
  if (!["", "none", "gzip", "deflate"].includes(encoding)) {
    throw uploadRefused(`file: its content-encoding ${encoding} is none of gzip and deflate`);
  }
}

/** The texts of each field, in order. */
type Fields = ReadonlyMap<string, ReadonlySet<string>>;

function textOf(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.values().next().value;
}

/** Throws kind `invalid` for what does not go together. */
function selectedColumns(fields: Fields): SelectedColumns {
  uploadNameOf(textOf(fields, "name"));
  actionOf(textOf(fields, "action"));
  const list = (name: string) => [...(fields.get(`${name}[]`) ?? [])].filter((text) => text !== "");
  const single = (name: string) => textOf(fields, name) || null;
  const selected = {
    input: list("input_keys"),
    output: list("output_keys"),
    metadata: list("metadata_keys"),
    flatten: list("flatten_keys"),
    splits: list("split_keys"),
    split: single("split_key"),
    spanId: single("span_id_key"),
    exampleId: single("example_id_key"),
  };
  if (selected.split !== null && selected.splits.length > 0) {
    throw uploadRefused("split_key: goes not together with split_keys[]");
  }
  return selected;
}

function createFileTaker(
  head: PartHead,
  selected: SelectedColumns,
  limits: UploadLimits,
  add: (row: UploadRow) => void,
): FileTaker {
  const whole = wholeFormats[head.type];
  const plain =
    whole === undefined
      ? textTaker(formats[head.type]!(selected, limits, add))
      : spoolingTaker((file) => whole(file, selected, limits), limits, add);
  return unpackingTaker(head.encoding, limits, plain) ?? plain;
}
