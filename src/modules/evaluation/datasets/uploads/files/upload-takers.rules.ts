// Takers of the file of an upload: they get its bytes as they were sent, and make rows of them in steps, so that no piece makes
// more than a step of it before the rows are taken.
import { createGunzip, createInflate, type Gunzip, type Inflate } from "node:zlib";
import { uploadRefused } from "../../datasets.errors.ts";
import { tooManyUnpackedBytes, type UploadLimits } from "../upload-limits.rules.ts";
import type { UploadRow } from "../upload-parts.rules.ts";
import type { SelectedColumns } from "./upload-columns.rules.ts";
import type { FileReader } from "./upload-files.rules.ts";
import { createSpooledFile, type SpooledFile } from "./upload-spool.rules.ts";

export interface FileTaker {
  /** The next bytes. Only when `advance` has nothing to do. */
  data(bytes: Uint8Array): Promise<void> | void;
  /** The file has ended; what is left of it comes with `advance`. */
  end(): Promise<void> | void;
  /** Does one step of what is left to do. False when there is nothing until more comes. */
  advance(): Promise<boolean> | boolean;
  release(): Promise<void>;
}

/** Reads files that must be whole before. */
export type WholeReader = (
  file: SpooledFile,
  selected: SelectedColumns,
  limits: UploadLimits,
) => AsyncGenerator<UploadRow>;

export function textTaker(reader: FileReader): FileTaker {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw uploadRefused("file: is not UTF-8");
    }
  };
  return {
    data: (bytes) => reader.feed(decode(bytes)),
    end() {
      const text = decode();
      if (text !== "") reader.feed(text);
      reader.end();
    },
    advance: () => false,
    release: async () => {},
  };
}

export function spoolingTaker(
  read: (file: SpooledFile) => AsyncGenerator<UploadRow>,
  { spool }: UploadLimits,
  add: (row: UploadRow) => void,
): FileTaker {
  let file: SpooledFile | null = null;
  let rows: AsyncGenerator<UploadRow> | null = null;
  return {
    async data(bytes) {
      file ??= await createSpooledFile(spool);
      await file.write(bytes);
    },
    end() {
      if (file === null) throw uploadRefused("file: is empty");
      rows = read(file);
    },
    async advance() {
      if (rows === null) return false;
      const { done, value } = await rows.next();
      if (done === true) return false;
      add(value);
      return true;
    },
    async release() {
      await file?.close();
      file = null;
      // What it holds goes, too; one that still reads fails at the closed file.
      rows?.return(undefined).catch(() => {});
    },
  };
}

/** The same of bytes that are packed as `encoding` says; null for those that are not. */
export function unpackingTaker(encoding: string, limits: UploadLimits, into: FileTaker): FileTaker | null {
  if (encoding === "gzip") return unpacking(createGunzip(), limits, into);
  return encoding === "deflate" ? unpacking(createInflate(), limits, into) : null;
}

/** The stream unpacks no more than it may hold back while it is not read. */
function unpacking(stream: Gunzip | Inflate, { maxUnpackedBytes }: UploadLimits, into: FileTaker): FileTaker {
  let unpackedBytes = 0;
  let isWritten = true;
  let end: "to come" | "wanted" | "begun" | "done" = "to come";
  let isWrong = false;
  let event = Promise.withResolvers<void>();
  const tell = () => event.resolve();
  stream.on("readable", tell);
  stream.on("end", tell);
  stream.on("error", () => {
    isWrong = true;
    tell();
  });

  async function step(): Promise<boolean> {
    if (isWrong) throw uploadRefused("file: is not packed as its content-encoding says, or is cut off");
    event = Promise.withResolvers();
    const bytes = stream.read() as Uint8Array | null;
    if (bytes !== null) {
      unpackedBytes += bytes.byteLength;
      if (unpackedBytes > maxUnpackedBytes) throw tooManyUnpackedBytes("file: unpacks to", maxUnpackedBytes);
      await into.data(bytes);
    } else if (end === "wanted" && isWritten) {
      end = "begun";
      stream.end();
    } else if (end === "begun" && stream.readableEnded) {
      end = "done";
      await into.end();
    } else if (end === "begun" || !isWritten) await event.promise;
    else return false;
    return true;
  }

  return {
    data(bytes) {
      isWritten = false;
      stream.write(bytes, () => {
        isWritten = true;
        tell();
      });
    },
    end() {
      end = "wanted";
    },
    advance: async () => (await into.advance()) || (end !== "done" && (await step())),
    async release() {
      stream.destroy();
      await into.release();
    },
  };
}
