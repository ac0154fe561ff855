// Whether the files that a connection has open still lie under their names. SQLite does not look: it goes on writing to a file that
// was deleted, and what it acknowledges then is gone with the process.
import { fstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { fail } from "../../kernel/failure.ts";

/** The database, its log and the index of the log. */
const ENDINGS = ["", "-wal", "-shm"] as const;
type Ending = (typeof ENDINGS)[number];

export interface OpenFiles {
  /** The file itself, without links: the log lies beside it. */
  readonly path: string;
  /** Which file is not the one that was opened any more, and how; null while all are. Costs microseconds. */
  findLost(): { readonly ending: Ending; readonly how: "deleted" | "replaced" | "emptied" } | null;
  /** Whether the file under this name is the one that was opened. */
  isOurs(ending: Ending): boolean;
  /** Fails with kind `unavailable` while one is lost. */
  require(): void;
  /** To be called after each write to the database file itself. */
  noteWritten(): void;
  /** Whether a file is lost and another process has written to the database file since `noteWritten`: a copy that was put in place. */
  isOverwritten(): boolean;
  /** The shell command that copies what this process has open; null where the system does not show open files. */
  rescueCommand(target: string): string | null;
}

/** To be called when the connection has read: only then are all its files open. */
export function rememberOpenFiles(givenPath: string): OpenFiles {
  const path = realpathSync(givenPath);
  const opened = ENDINGS.map((ending) => ({ ending, file: lookAt(`${path}${ending}`) }));
  let writtenAt = opened[0]?.file?.mtimeNs;

  const findLost: OpenFiles["findLost"] = () => {
    for (const { ending, file } of opened) {
      if (file === undefined) continue;
      const found = lookAt(`${path}${ending}`);
      if (found === undefined) return { ending, how: "deleted" };
      if (found.ino !== file.ino || found.dev !== file.dev) return { ending, how: "replaced" };
      // The log is cut and begun again, the database never.
      if (ending === "" && found.size === 0n && file.size > 0n) return { ending, how: "emptied" };
    }
    return null;
  };

  const isOurs: OpenFiles["isOurs"] = (ending) => {
    const file = opened.find((one) => one.ending === ending)?.file;
    const found = lookAt(`${path}${ending}`);
    return file !== undefined && found?.ino === file.ino && found.dev === file.dev;
  };

  return {
    path,
    findLost,
    isOurs,
    require() {
      const lost = findLost();
      if (lost === null) return;
      const what = lost.ending === "" ? "database file" : `file ${lost.ending} of the database`;
      throw fail("storage.file_lost", "unavailable", `The ${what} was ${lost.how} while the service runs`, {
        retryAfterSeconds: 30,
      });
    },
    noteWritten() {
      writtenAt = lookAt(path)?.mtimeNs;
    },
    isOverwritten: () => findLost() !== null && isOurs("") && lookAt(path)?.mtimeNs !== writtenAt,
    rescueCommand(target) {
      const [database, log] = opened.map(({ file }) => (file === undefined ? null : descriptorOf(file)));
      if (database == null || log == null) return null;
      const copy = (descriptor: number, to: string) =>
        `cp /proc/${process.pid}/fd/${descriptor} '${to.replaceAll("'", "'\\''")}'`;
      return `${copy(database, target)} && ${copy(log, `${target}-wal`)}`;
    },
  };
}

function lookAt(path: string) {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** The descriptor under which this process has the file open. */
function descriptorOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): number | null {
  let names: string[] = [];
  try {
    names = readdirSync("/proc/self/fd");
  } catch {
    // Linux only.
  }
  for (const name of names) {
    try {
      const found = fstatSync(Number(name), { bigint: true });
      if (found.dev === dev && found.ino === ino) return Number(name);
    } catch {
      // The one that listed them is closed again.
    }
  }
  return null;
}
