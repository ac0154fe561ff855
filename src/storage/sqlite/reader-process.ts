// What a reader serves, in a thread (reader-worker.ts) or in a process of its own, which can be ended while a query runs.
import { fail } from "../../kernel/failure.ts";
import { type Channel, type Handlers, serveLink } from "../../kernel/link.ts";
import { lowerPriority } from "../../kernel/priority.ts";
import type { SqliteLocation } from "../location.ts";
import { openSqlite, type SqliteConnection } from "./connection.ts";
import { readerHandlers } from "./readers.ts";

/** A reader that opens its file with the first message, `open`, and closes it with the last one, `close`. */
interface ServedReader {
  readonly handlers: Handlers;
  /** The runtime writes back and cuts the log of every file that is still open when its thread or process ends: that is the
   *  business of the writer alone. */
  close(): void;
}

export function serveReader(): ServedReader {
  let connection: SqliteConnection | null = null;
  const close = () => {
    connection?.close();
    connection = null;
  };
  const handlers: Handlers = {
    open: (location: SqliteLocation) => {
      connection = openSqlite(location, "reader");
    },
    execute: (statement: never) => {
      if (connection === null) throw fail("storage.not_open", "internal", "The reader has no file yet");
      return readerHandlers(connection).execute!(statement);
    },
    close: () => {
      close();
      process.exit(0);
    },
  };
  return { handlers, close };
}

/** Runs this process as a reader until its parent goes away. */
export function runReaderProcess(): void {
  lowerPriority();
  const channel: Channel = {
    post: (message) => void process.send?.(message),
    receive: (handler) => void process.on("message", handler),
  };
  const { handlers, close } = serveReader();
  const end = () => {
    close();
    process.exit(0);
  };
  process.on("disconnect", end);
  // The parent ends it; what a terminal sends reaches the whole group and is the parent's business.
  for (const signal of ["SIGINT", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {});
  process.on("SIGTERM", end);
  serveLink(channel, handlers);
}
