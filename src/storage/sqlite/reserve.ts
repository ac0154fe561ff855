// Disk space that is reserved for the day on which the disk is full: opening a file and deleting from it need some. A file of zeros beside the
// database holds it; it is given up for an opening or a write that finds no space, and spans wait until it could be made again.
import { closeSync, existsSync, openSync, realpathSync, rmSync, statfsSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { type Failure, fail } from "../../kernel/failure.ts";

const ENDING = ".reserve";
const MOST_BYTES = 8 * 1024 * 1024;
/** Of a small disk it takes this part. */
const PART_OF_DISK = 16;
/** Milliseconds between checks whether the disk has space again. */
const PAUSE_MILLISECONDS = 1000;

export interface Reserve {
  /** Makes the file when it is missing and there is twice the space for it. */
  ensure(): void;
  /** For a write that found no space: later writes find some then. */
  release(): void;
  /** True while it is given up, or could not be made. */
  readonly isOut: boolean;
}

/** Gives up the reserve of a database file; false where there is no reserve. */
export function releaseReserve(path: string): boolean {
  try {
    const reserve = `${realpathSync(path)}${ENDING}`;
    if (!existsSync(reserve)) return false;
    rmSync(reserve);
    return true;
  } catch {
    return false;
  }
}

/** The reserve of a database file that exists. */
export function createReserve(givenPath: string): Reserve {
  const path = realpathSync(givenPath);
  let isOut = false;
  let triedAt = Number.NEGATIVE_INFINITY;

  function ensure(): void {
    if (performance.now() - triedAt < PAUSE_MILLISECONDS) return;
    triedAt = performance.now();
    if (!existsSync(`${path}${ENDING}`)) isOut = !make(`${path}${ENDING}`);
    else isOut = false;
  }

  return {
    ensure,
    release() {
      if (releaseReserve(path)) triedAt = performance.now();
      isOut = true;
    },
    get isOut() {
      if (isOut) ensure();
      return isOut;
    },
  };
}

/** False where the disk has no space for it. Other failures of the folder are reported elsewhere. */
function make(path: string): boolean {
  let descriptor: number | null = null;
  try {
    const { blocks, bavail, bsize } = statfsSync(dirname(path));
    const bytes = Math.floor(Math.min(MOST_BYTES, (blocks * bsize) / PART_OF_DISK));
    if (bavail * bsize < 2 * bytes) return false;
    descriptor = openSync(path, "wx", 0o600);
    const zeros = new Uint8Array(1024 * 1024);
    for (let left = bytes; left > 0; ) left -= writeSync(descriptor, zeros, 0, Math.min(left, zeros.length));
    return true;
  } catch (error) {
    if (descriptor !== null) rmSync(path, { force: true });
    return !/^(?:ENOSPC|EDQUOT)$/.test(String((error as { code?: unknown }).code));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** The refusal of everything that needs space while the disk is full. */
export function diskFull(cause?: unknown): Failure {
  return fail("storage.disk_full", "unavailable", "The disk that holds the database is full", {
    cause,
    retryAfterSeconds: 30,
  });
}
