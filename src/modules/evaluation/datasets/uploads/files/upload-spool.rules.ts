// A file of an upload that can only be read when it is whole: stored on the disk until then, in a private file.
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import { storageLocked } from "../../../../../api/storage-lock.ts";
import { fail } from "../../../../../kernel/failure.ts";
import { type SpoolLimits, spoolIsFull, tooManySpooledBytes } from "../upload-limits.rules.ts";

/** A file that is written once, from its beginning, and then read. */
export interface SpooledFile {
  readonly size: number;
  /** Throws kind `unavailable` when the disk does not take it. */
  write(bytes: Uint8Array): Promise<void>;
  /** As many bytes as there are up to `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Bytes that all spooled files have: one thread reads every upload. */
let allBytes = 0;

/** The free space is asked for again after so many bytes. */
const LOOK_BYTES = 4 * 1024 * 1024;

export async function createSpooledFile(limits: SpoolLimits): Promise<SpooledFile> {
  const file = await openNameless(limits.folder);
  let size = 0;
  let lookAt = 0;
  let isClosed = false;

  async function requireSpace(more: number): Promise<void> {
    if (size + more > limits.maxBytes) throw tooManySpooledBytes(limits.maxBytes);
    if (allBytes + more > limits.maxBytes) throw spoolIsFull();
    if (limits.minimumFreeBytes === 0 || size + more < lookAt) return;
    const { bavail, bsize } = await statfs(limits.folder);
    if (bavail * bsize - more < limits.minimumFreeBytes) throw storageLocked(null);
    lookAt = size + LOOK_BYTES;
  }

  return {
    get size() {
      return size;
    },
    async write(bytes) {
      await requireSpace(bytes.byteLength);
      try {
        for (let at = 0; at < bytes.byteLength; ) {
          const { bytesWritten } = await file.write(bytes, at, bytes.byteLength - at, size);
          at += bytesWritten;
          size += bytesWritten;
          allBytes += bytesWritten;
        }
      } catch (cause) {
        throw noSpace(cause);
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
    async close() {
      if (isClosed) return;
      isClosed = true;
      await file.close();
      allBytes -= size;
    },
  };
}

/** Its name is removed at once: the system frees it when it is closed, or when the process ends. */
async function openNameless(folder: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    const file = await open(path, "wx+", 0o600);
    await unlink(path);
    return file;
  } catch (cause) {
    throw noSpace(cause);
  }
}

function noSpace(cause: unknown) {
  const message = "The folder of uploads (below SERVICE_WORKING_DIR) does not take the file";
  return fail("datasets.upload_not_kept", "unavailable", message, { cause, retryAfterSeconds: 30 });
}
