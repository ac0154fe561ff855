// Applies pending rows, annotations and messages that came before their target: looks after spans were stored, every minute for
// those that another server stored, and drops each hour what has waited too long.
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";
import type { Job } from "./job.ts";

/** Milliseconds from stored spans to the look, and between two looks otherwise. */
const LOOKS = { soon: 20, between: 60_000 };
/** A look that took long is followed by a rest so many times as long. */
const REST = 10;
/** Milliseconds between two looks for what is too old. */
const DROP_EVERY = 3_600_000;

interface PendingRows {
  /** Both resolve to a number of rows. */
  apply(context: CallContext): Promise<number>;
  dropOld(context: CallContext): Promise<number>;
}

export function pendingRowsJob(what: "annotations" | "messages", pending: PendingRows, log: Logger): Job {
  let lastDrop = Number.NEGATIVE_INFINITY;
  return {
    name: `kept-${what}`,
    changes: true,
    everyMilliseconds: LOOKS.between,
    wokenBySpans: true,
    woken: { afterMilliseconds: LOOKS.soon },
    restFactor: REST,
    async run({ context, count }) {
      const applied = await pending.apply(context());
      count(applied);
      if (applied > 0) log.debug(`${what} found their targets`, { [what]: applied });
      const now = performance.now();
      if (now - lastDrop >= DROP_EVERY) {
        lastDrop = now;
        const dropped = await pending.dropOld(context());
        if (dropped > 0) log.warning(`dropped ${what} whose target never came`, { [what]: dropped });
      }
      return true;
    },
  };
}
