// A file of an upload that can only be read when it is whole: kept on the disk until then, where nobody else finds it.
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "../../kernel/failure.ts";

/** A file that is written once, from its beginning, and then read. */
export interface SpooledFile {
  readonly size: number;
  /** Throws kind `unavailable` when the disk does not take it. */
  write(bytes: Uint8Array): Promise<void>;
  /** As many bytes as there are up to `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

export async function createSpooledFile(): Promise<SpooledFile> {
  const file = await openNameless();
  let size = 0;
  return {
    get size() {
      return size;
    },
    async write(bytes) {
      try {
        for (let at = 0; at < bytes.byteLength; ) {
          const { bytesWritten } = await file.write(bytes, at, bytes.byteLength - at, size);
          at += bytesWritten;
          size += bytesWritten;
        }
      } catch (cause) {
        throw noRoom(cause);
      }
    },
    async read(start, end) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
      for (let at = 0; at < bytes.byteLength; ) {
        const { bytesRead } = await file.read(bytes, at, bytes.byteLength - at, start + at);
        if (bytesRead === 0) return bytes.slice(0, at);
        at += bytesRead;
      }
      return bytes;
    },
    close: () => file.close(),
  };
}

/** Its name is removed at once: the system frees it when it is closed, or when the process ends. */
async function openNameless(): Promise<FileHandle> {
  try {
    const folder = await mkdtemp(join(tmpdir(), "spanlight-upload-"));
    const file = await open(join(folder, "file"), "wx+", 0o600);
    await rm(folder, { recursive: true });
    return file;
  } catch (cause) {
    throw noRoom(cause);
  }
}

function noRoom(cause: unknown) {
  const message = "The folder for temporary files does not take the file";
  return fail("datasets.upload_not_kept", "unavailable", message, { cause, retryAfterSeconds: 30 });
}
