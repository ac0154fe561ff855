// Bodies of uploads, read piece by piece by the thread of bodies in bulk: the main thread feeds it and takes rows in parts.
import { requireFewParts } from "../../../../api/body.ts";
import type { Asked, StreamedBody } from "../../../../kernel/bulk-body.ts";
import { createGarbageCount } from "../../../../kernel/free-bytes.ts";
import type { Json } from "../../../../kernel/json.ts";
import { syntaxErrorOffset } from "../../../../kernel/json-reader.ts";
import { uploadRefused, uploadTypeUnknown, uploadWithoutType } from "../datasets.errors.ts";
import { FileUpload, JsonUpload } from "./upload.schema.ts";
import { createFormReader } from "./upload-form.rules.ts";
import { readJsonUpload, uploadedJson } from "./upload-json.rules.ts";
import { requireFewMembersInRows, type UploadLimits } from "./upload-limits.rules.ts";
import { acquireLarge } from "./upload-mutex.rules.ts";
import {
  createPartGatherer,
  type PartGatherer,
  type UploadFacts,
  type UploadPart,
  type UploadRow,
} from "./upload-parts.rules.ts";

/** An upload that is being read. */
interface KeptUpload {
  /** Asked once, before anything is fed. */
  begin(limits: UploadLimits): void;
  /** Takes the next piece. True when a part can be taken. */
  feed(bytes: Uint8Array): Promise<boolean>;
  /** What the upload says. To be asked when every piece has been fed. Throws kind `invalid` for what is wrong with it. */
  end(): Promise<UploadFacts>;
  /** The next rows; null when more must be fed, after the end when there are no more. */
  take(): Promise<UploadPart | null>;
  /** Stops what is being read, and lets go of what it keeps outside memory. */
  release(): Promise<void>;
}

/** An upload as the main thread sees it. */
export type UploadReading = Asked<KeptUpload>;

/** Reads one kind of body. */
interface UploadReader {
  feed(bytes: Uint8Array): void;
  /** Throws kind `invalid` for a body that is wrong or not whole. */
  end(): Promise<UploadFacts> | UploadFacts;
  /** Does one step with what was fed, or with what is left after the end. False when there is nothing to do. */
  advance(): Promise<boolean> | boolean;
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
    let limits: UploadLimits;
    let gatherer: PartGatherer;
    let reader: UploadReader | null = null;
    let isEnded = false;
    let isReleased = false;
    let waiting: UploadPart | null = null;
    const opened = () => {
      reader ??= readerOf(contentType, limits, gatherer);
      return reader;
    };
    const next = () => {
      waiting ??= gatherer.take(false);
      return waiting !== null;
    };
    /** Goes on until a part is full. False when more must be fed. */
    const advance = async () => {
      while (!next()) if (isReleased || !(await opened().advance())) return false;
      return true;
    };
    return {
      begin(given) {
        limits = given;
        gatherer = createPartGatherer(given);
      },
      feed(bytes) {
        opened().feed(bytes);
        countGarbage(bytes.byteLength);
        return advance();
      },
      async end() {
        const facts = await opened().end();
        isEnded = true;
        return facts;
      },
      async take() {
        await advance();
        const part = waiting ?? gatherer.take(isEnded);
        waiting = null;
        return part;
      },
      async release() {
        isReleased = true;
        await reader?.release?.();
      },
    };
  },
};

function readerOf(contentType: string | null, limits: UploadLimits, { add }: PartGatherer): UploadReader {
  if (contentType === null || contentType === "") throw uploadWithoutType();
  if (contentType.startsWith("application/json")) return createJsonReader(limits, add);
  if (contentType.startsWith("multipart/form-data")) return createFormReader(contentType, limits, add);
  throw uploadTypeUnknown(contentType);
}

/** Holds the document until it is whole: its lists stand side by side. */
function createJsonReader({ maxRowMembers }: UploadLimits, add: PartGatherer["add"]): UploadReader {
  const pieces: Uint8Array[] = [];
  let rows: Iterator<UploadRow> | undefined;
  let size = 0;
  let acquired: Promise<() => void> | null = null;
  const release = () => void acquired?.then((free) => free());
  return {
    feed(bytes) {
      size += bytes.byteLength;
      pieces.push(bytes);
    },
    async end() {
      acquired = acquireLarge({ bytes: size });
      await acquired;
      const bytes = Buffer.concat(pieces);
      pieces.length = 0;
      requireFewParts(bytes, MOST_JSON_PARTS);
      requireFewMembersInRows(bytes, maxRowMembers);
      const read = readJsonUpload(parse(bytes));
      rows = read.rows[Symbol.iterator]();
      return read.facts;
    },
    advance() {
      const { done, value } = rows?.next() ?? { done: true };
      if (done === true) {
        release();
        return false;
      }
      add(value);
      return true;
    },
    async release() {
      rows = undefined;
      release();
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
  return uploadedJson(text, "The body", () => `is not JSON, it is wrong at character ${syntaxErrorOffset(text) + 1}`);
}
