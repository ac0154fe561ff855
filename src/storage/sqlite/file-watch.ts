// Notices that the files of the database were deleted or replaced while the writer is idle, saves what can be saved, and says what to do.
import type { OpenFiles } from "./open-files.ts";
import type { SqliteWriter } from "./writer.ts";

const EVERY_MILLISECONDS = 1000;

/** What to tell an operator; null when all files are in their places again. */
export interface FileEvent {
  readonly lost: string | null;
}

interface FileWatch {
  /** Resolves with the next change. */
  next(): Promise<FileEvent>;
  stop(): void;
}

export function watchOpenFiles(
  writer: Pick<SqliteWriter, "hold">,
  files: OpenFiles,
  everyMilliseconds = EVERY_MILLISECONDS,
): FileWatch {
  let isLost = false;
  let event = Promise.withResolvers<FileEvent>();
  let looking = false;

  async function look(): Promise<void> {
    const lost = files.findLost();
    if (looking || (lost !== null) === isLost) return;
    looking = true;
    try {
      isLost = lost !== null;
      const reported = event;
      event = Promise.withResolvers();
      reported.resolve({ lost: lost === null ? null : await adviceFor(lost) });
    } finally {
      looking = false;
    }
  }

  async function adviceFor({ ending, how }: NonNullable<ReturnType<OpenFiles["findLost"]>>): Promise<string> {
    const { path } = files;
    const happened = `${path}${ending} was ${how} while the service runs: nothing is stored any more`;
    if (ending !== "" && (await isWrittenBack()))
      return `${happened}. All that was stored has been written to ${path}: restart the service`;
    const saved = `${path}.saved`;
    const command = files.rescueCommand(saved);
    if (command === null) return `${happened}, and what was stored is gone when the service stops: restore a backup`;
    return `${happened}. What was stored is still open in this process: before you stop it, run ${command}. Then stop the service, remove ${path}-wal and ${path}-shm, move ${saved} to ${path} and ${saved}-wal to ${path}-wal, and start it`;
  }

  /** The log is gone by its name, but the database is there and can take in what the log holds; unless another process has begun to
   *  put a copy in its place. */
  function isWrittenBack(): Promise<boolean> {
    return writer
      .hold((connection) => {
        if (files.isOverwritten()) return false;
        const { busy, log, checkpointed } = connection.execute("pragma wal_checkpoint(full)").rows[0] ?? {};
        return busy === 0 && log === checkpointed;
      })
      .catch(() => false);
  }

  const timer = setInterval(() => void look(), everyMilliseconds);
  return { next: () => event.promise, stop: () => clearInterval(timer) };
}
