// Reports to the operator when the files of a SQLite database are deleted or replaced under the running service, and when they are back.
import type { Link } from "../kernel/link.ts";
import type { Logger } from "../kernel/logger.ts";
import type { FileEvent } from "../storage/sqlite/file-watch.ts";

/** Listens to the owner of the write connection until it ends. */
export async function reportFileEvents(writer: Link, log: Logger): Promise<void> {
  try {
    for (;;) {
      const { lost } = await writer.call<FileEvent>("fileEvent", null);
      if (lost === null) log.info("the files of the database are in their places again");
      else log.error(lost);
    }
  } catch {
    // It has ended, which is reported elsewhere.
  }
}
