// `sqlite:///:memory:` is a file in a private directory, because bun:sqlite opens no memory database that several
// connections share. The directory goes when the process ends; what a killed process left goes at the next start.
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, messageOf } from "../../kernel/failure.ts";

const PREFIX = "spanlight-memory-";
const OWNER_FILE = "owner";
const SHARED_MEMORY = "/dev/shm";
/** Shared memory below this many free bytes is left alone: containers often have only 64 MB of it. */
const SMALLEST_SHARED_MEMORY = 512 * 1024 * 1024;

/** Where the directory may be; the tests choose others. */
export interface TemporaryPlaces {
  readonly sharedMemory: string;
  readonly smallestSharedMemory: number;
  readonly disk: string;
}

const defaultPlaces = (): TemporaryPlaces => ({
  sharedMemory: SHARED_MEMORY,
  smallestSharedMemory: SMALLEST_SHARED_MEMORY,
  disk: tmpdir(),
});

function isLargeEnough({ sharedMemory, smallestSharedMemory }: TemporaryPlaces): boolean {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory);
    return bavail * bsize >= smallestSharedMemory;
  } catch {
    return false;
  }
}

/** Process ids mean nothing in another container, which may share the directory. */
function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Whether a process of this machine, or of this container, has the id. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

function removeLeftovers(parent: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(parent).filter((name) => name.startsWith(PREFIX));
  } catch {
    // There is no such place, or it is closed to us: nothing of ours can be in it.
  }
  for (const name of names) {
    const directory = join(parent, name);
    try {
      const [processId, namespace] = readFileSync(join(directory, OWNER_FILE), "utf8").split("\n");
      if (namespace === processNamespace() && !isAlive(Number(processId))) rmSync(directory, { recursive: true });
    } catch {
      // It belongs to another user, or another process creates or removes it right now; the next start checks again.
    }
  }
}

/** Makes a directory (mode 0700) that is removed when this process exits, and returns its path. Fails with kind `unavailable`
 *  where none can be made. */
export function makeTemporaryDirectory(places: TemporaryPlaces = defaultPlaces()): string {
  removeLeftovers(places.sharedMemory);
  removeLeftovers(places.disk);
  const candidates = isLargeEnough(places) ? [places.sharedMemory, places.disk] : [places.disk];
  let reason: unknown;
  for (const parent of candidates) {
    try {
      const directory = mkdtempSync(join(parent, PREFIX));
      process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
      writeFileSync(join(directory, OWNER_FILE), `${process.pid}\n${processNamespace()}`);
      return directory;
    } catch (error) {
      reason = error;
    }
  }
  throw fail(
    "storage.no_temporary_directory",
    "unavailable",
    `No directory can be made for a database that is lost at exit: ${messageOf(reason)}`,
    { cause: reason },
  );
}
