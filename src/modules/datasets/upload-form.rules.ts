// Uploads as multipart form data: fields that say what the columns of a file are, and the file.
import { createGunzip, createInflate, type Gunzip, type Inflate } from "node:zlib";
import { uploadRefused } from "./datasets.errors.ts";
import type { SelectedColumns } from "./upload-columns.rules.ts";
import { createCsvReader, createJsonLinesReader, type FileReader } from "./upload-files.rules.ts";
import { actionOf, uploadNameOf } from "./upload-json.rules.ts";
import { boundaryOf, createMultipartReader, type PartHead } from "./upload-multipart.rules.ts";
import type { UploadFacts, UploadRow } from "./upload-parts.rules.ts";
import { createSpooledFile, type SpooledFile } from "./upload-spool.rules.ts";

interface FormReader {
  feed(bytes: Uint8Array): Promise<void>;
  end(): Promise<UploadFacts>;
  /** Rows of a file that is only read at its end. */
  readonly late: AsyncIterator<UploadRow> | undefined;
  release(): Promise<void>;
}

/** Bytes of the fields together, and of a file that stands before them: it has to wait. */
const MOST_FIELD_BYTES = 1024 * 1024;
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

const formats: Readonly<Record<string, (selected: SelectedColumns, add: (row: UploadRow) => void) => FileReader>> = {
  "text/csv": createCsvReader,
  "application/jsonl": createJsonLinesReader,
};

/** Reads files that must be whole before. */
type WholeReader = (file: SpooledFile, selected: SelectedColumns) => AsyncGenerator<UploadRow>;

// Loaded by the first file of their kind: most servers never see one.
const parquet: WholeReader = async function* (file, selected) {
  yield* (await import("./upload-parquet.rules.ts")).parquetRows(file, selected);
};
const arrow: WholeReader = async function* (file, selected) {
  yield* (await import("./upload-arrow.rules.ts")).arrowRows(file, selected);
};
const wholeFormats: Readonly<Record<string, WholeReader>> = {
  "application/vnd.apache.parquet": parquet,
  "application/vnd.apache.arrow.file": arrow,
  "application/vnd.apache.arrow.stream": arrow,
};

/** Takes the bytes of the file as they were sent. */
interface FileTaker {
  data(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
  /** Rows that are read when the file has ended. */
  late?(): AsyncIterator<UploadRow>;
  release?(): Promise<void>;
}

export function createFormReader(contentType: string, add: (row: UploadRow) => void): FormReader {
  const fields = new Map<string, string[]>();
  let fieldBytes = 0;
  let head: PartHead | null = null;
  let file: PartHead | null = null;
  let taker: FileTaker | null = null;
  let late: AsyncIterator<UploadRow> | undefined;
  const waiting: Uint8Array[] = [];
  let pieces: Uint8Array[] = [];

  async function endField(): Promise<void> {
    const { name } = head!;
    const text = new TextDecoder().decode(Buffer.concat(pieces));
    pieces = [];
    if (taker !== null) throw uploadRefused(`${name}: must stand before the file`);
    if (!name.endsWith("[]")) fields.set(name, [text]);
    else if (text !== "") fields.set(name, [...new Set([...(fields.get(name) ?? []), text])]);
  }

  const parts = createMultipartReader(boundaryOf(contentType), {
    begin(next) {
      head = next;
      if (next.name !== "file") return;
      if (next.fileName === null) throw uploadRefused("file: must be a file");
      if (file !== null) throw uploadRefused("file: is there twice");
      file = next;
      requireFormat(next);
      // Without the fields nobody knows what its columns are.
      if (fields.has("name")) taker = createFileTaker(next, selectedColumns(fields), add);
    },
    async data(bytes) {
      if (head!.name === "file") {
        if (taker !== null) return taker.data(bytes);
        waiting.push(bytes);
        if (waiting.reduce((sum, { byteLength }) => sum + byteLength, 0) > MOST_WAITING_BYTES) {
          throw uploadRefused(`file: must be the last part when it has more than ${MOST_WAITING_BYTES} bytes`);
        }
        return;
      }
      fieldBytes += bytes.byteLength;
      if (fieldBytes > MOST_FIELD_BYTES) throw uploadRefused(`The fields have more than ${MOST_FIELD_BYTES} bytes`);
      pieces.push(bytes);
    },
    async end() {
      if (head!.name !== "file") await endField();
      else await taker?.end();
    },
  });

  return {
    feed: (bytes) => parts.feed(bytes),
    async end() {
      parts.end();
      const name = uploadNameOf(fields.get("name")?.[0]);
      const action = actionOf(fields.get("action")?.[0]);
      if (file === null) throw uploadRefused("file: is missing");
      if (taker === null) {
        taker = createFileTaker(file, selectedColumns(fields), add);
        for (const bytes of waiting) await taker.data(bytes);
        await taker.end();
      }
      late = taker.late?.();
      const description = fields.get("description")?.[0] ?? "";
      return { name, action, description: description === "" ? file.fileName! : description, splitsGiven: true };
    },
    get late() {
      return late;
    },
    release: async () => taker?.release?.(),
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

/** Throws kind `invalid` for what does not go together. */
function selectedColumns(fields: ReadonlyMap<string, readonly string[]>): SelectedColumns {
  uploadNameOf(fields.get("name")?.[0]);
  actionOf(fields.get("action")?.[0]);
  const list = (name: string) => fields.get(`${name}[]`) ?? [];
  const single = (name: string) => fields.get(name)?.[0] || null;
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

function createFileTaker(head: PartHead, selected: SelectedColumns, add: (row: UploadRow) => void): FileTaker {
  const whole = wholeFormats[head.type];
  const plain = whole === undefined ? textTaker(formats[head.type]!(selected, add)) : spoolingTaker(whole, selected);
  if (head.encoding === "gzip") return unpacking(createGunzip(), plain);
  if (head.encoding === "deflate") return unpacking(createInflate(), plain);
  return plain;
}

function textTaker(reader: FileReader): FileTaker {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw uploadRefused("file: is not UTF-8");
    }
  };
  return {
    data: async (bytes) => reader.feed(decode(bytes)),
    async end() {
      const text = decode();
      if (text !== "") reader.feed(text);
      reader.end();
    },
  };
}

function spoolingTaker(read: WholeReader, selected: SelectedColumns): FileTaker {
  let file: SpooledFile | null = null;
  return {
    async data(bytes) {
      file ??= await createSpooledFile();
      await file.write(bytes);
    },
    async end() {
      if (file === null) throw uploadRefused("file: is empty");
    },
    late: () => read(file!, selected),
    async release() {
      await file?.close();
      file = null;
    },
  };
}

/** The same of packed bytes: what one piece unpacks to is taken before the next one is. */
function unpacking(stream: Gunzip | Inflate, into: FileTaker): FileTaker {
  const unpacked: Uint8Array[] = [];
  let failure: Error | null = null;
  stream.on("data", (bytes: Uint8Array) => unpacked.push(bytes));
  stream.on("error", (error) => {
    failure = error;
  });
  const settled = async (work: (done: (error?: Error | null) => void) => void) => {
    await new Promise<void>((resolve) => {
      stream.once("error", () => resolve());
      work(() => resolve());
    });
    if (failure !== null) throw uploadRefused("file: is not packed as its content-encoding says, or is cut off");
    for (const bytes of unpacked.splice(0)) await into.data(bytes);
  };
  return {
    ...into,
    data: (bytes) => settled((done) => stream.write(bytes, done)),
    async end() {
      await settled((done) => stream.end(() => done()));
      await settled((done) => (stream.readableEnded ? done() : stream.once("end", () => done())));
      await into.end();
    },
  };
}
