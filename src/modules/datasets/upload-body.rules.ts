// Bodies of uploads, read piece by piece by the thread of bodies in bulk: the main thread feeds it and takes rows in parts.
import { requireFewParts } from "../../api/body.ts";
import type { Asked, StreamedBody } from "../../kernel/bulk-body.ts";
import { createGarbageCount } from "../../kernel/free-bytes.ts";
import { type Json, parseJson } from "../../kernel/json.ts";
import { syntaxErrorOffset } from "../../kernel/json-reader.ts";
import { uploadRefused, uploadTypeUnknown, uploadWithoutType } from "./datasets.errors.ts";
import { FileUpload, JsonUpload } from "./upload.schema.ts";
import { createFormReader } from "./upload-form.rules.ts";
import { readJsonUpload } from "./upload-json.rules.ts";
import {
  createPartGatherer,
  type PartGatherer,
  type UploadFacts,
  type UploadPart,
  type UploadRow,
} from "./upload-parts.rules.ts";

/** An upload that is being read. */
interface KeptUpload {
  /** Takes the next piece. True when a part can be taken. */
  feed(bytes: Uint8Array): Promise<boolean> | boolean;
  /** What the upload says. To be asked when every piece has been fed. Throws kind `invalid` for what is wrong with it. */
  end(): Promise<UploadFacts> | UploadFacts;
  /** The next rows; null when more must be fed, after the end when there are no more. */
  take(): Promise<UploadPart | null>;
  /** Lets go of what it keeps outside memory. */
  release(): Promise<void>;
}

/** An upload as the main thread sees it. */
export type UploadReading = Asked<KeptUpload>;

/** Reads one kind of body. */
interface UploadReader {
  feed(bytes: Uint8Array): Promise<void> | void;
  /** Throws kind `invalid` for a body that is wrong or not whole. */
  end(): Promise<UploadFacts> | UploadFacts;
  /** More rows, where the body is only read at its end; they are taken as they are wanted. */
  readonly late?: Iterator<UploadRow> | AsyncIterator<UploadRow> | undefined;
  release?(): Promise<void>;
}

/** Bytes that were fed before what is left of them is collected: rows and their texts take several times as much. */
const MOST_GARBAGE_BYTES = 4 * 1024 * 1024;
const countGarbage = createGarbageCount(MOST_GARBAGE_BYTES, () => setImmediate(() => Bun.gc(true)));

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Lists and objects of a JSON document. */
const MOST_JSON_PARTS = 8_000_000;

export const datasetUploadBody: StreamedBody<KeptUpload> = {
  name: "uploadDataset",
  contents: { "application/json": JsonUpload, "multipart/form-data": FileUpload },
  open(contentType) {
    const gatherer = createPartGatherer();
    let reader: UploadReader | null = null;
    let isEnded = false;
    let waiting: UploadPart | null = null;
    const next = () => {
      waiting ??= gatherer.take(false);
      return waiting !== null;
    };
    return {
      async feed(bytes) {
        reader ??= readerOf(contentType, gatherer);
        await reader.feed(bytes);
        countGarbage(bytes.byteLength);
        return next();
      },
      async end() {
        reader ??= readerOf(contentType, gatherer);
        const facts = await reader.end();
        isEnded = true;
        return facts;
      },
      async take() {
        const late = reader?.late;
        while (isEnded && late !== undefined && !next()) {
          const { done, value } = await late.next();
          if (done === true) break;
          gatherer.add(value);
        }
        const part = waiting ?? gatherer.take(isEnded);
        waiting = null;
        return part;
      },
      release: async () => reader?.release?.(),
    };
  },
};

function readerOf(contentType: string | null, gatherer: PartGatherer): UploadReader {
  if (contentType === null || contentType === "") throw uploadWithoutType();
  if (contentType.startsWith("application/json")) return createJsonReader();
  if (contentType.startsWith("multipart/form-data")) return createFormReader(contentType, gatherer.add);
  throw uploadTypeUnknown(contentType);
}

/** Holds the document until it is whole: its lists stand side by side. */
function createJsonReader(): UploadReader {
  const pieces: Uint8Array[] = [];
  let rows: Iterator<UploadRow> | undefined;
  return {
    feed(bytes) {
      pieces.push(bytes);
    },
    end() {
      const bytes = Buffer.concat(pieces);
      pieces.length = 0;
      requireFewParts(bytes, MOST_JSON_PARTS);
      const read = readJsonUpload(parse(bytes));
      rows = read.rows[Symbol.iterator]();
      return read.facts;
    },
    get late() {
      return rows;
    },
  };
}

function parse(bytes: Uint8Array): Json {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw uploadRefused("The body is not UTF-8");
  }
  try {
    return parseJson(text);
  } catch {
    throw uploadRefused(`The body is not JSON: it is wrong at character ${syntaxErrorOffset(text) + 1}`);
  }
}
