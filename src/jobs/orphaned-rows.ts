// Removes, once after the start, what servers that were killed left between the first step of an ingestion and its
// transaction: rows of traces without spans. PostgreSQL only: on SQLite that step is part of the transaction.
// Sessions without traces stay: nothing distinguishes them from those whose traces were deleted, and they go when they are old.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";

interface OrphanedRowsJob {
  start(): void;
  /** Resolves when a sweep that runs has ended. */
  stop(): Promise<void>;
}

export function createOrphanedRowsJob(
  deletion: { sweepEmptyTraces(context: CallContext): Promise<number> },
  context: () => CallContext,
  log: Logger,
): OrphanedRowsJob {
  let running: Promise<void> | null = null;

  async function sweep(): Promise<void> {
    try {
      const swept = await deletion.sweepEmptyTraces(context());
      if (swept > 0) log.info("removed rows of traces that never received a span", { traces: swept });
    } catch (error) {
      log.warning("rows of traces without spans could not be removed", { reason: messageOf(error) });
    }
  }

  return {
    start() {
      running ??= sweep();
    },
    async stop() {
      await running;
    },
  };
}
