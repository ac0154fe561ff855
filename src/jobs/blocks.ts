// Keeps block summaries up with the spans, behind ingestion: looks every few seconds after spans have come and once in a while
// otherwise, which only reads, and takes turns with ingestion while spans arrive. What is not summarised yet is read from the
// tables, so that being late is slow, never wrong.
import type { Logger } from "../kernel/logger.ts";
import type { BlocksService } from "../summaries/blocks/blocks.service.ts";
import type { Job } from "./job.ts";

/** Milliseconds. A span that waits for transactions of others to end is settled within `awake` after it came. What other servers store,
 *  delete or move is noticed with the next look otherwise. */
const LOOKS = { afterSpans: 3000, awake: 30_000, otherwise: 60_000 };
/** After each block the job rests this many times as long as the block took: while spans arrive it has a fifth of a core, for
 *  what is left to do afterwards two thirds of one. */
const REST = { whileSpansArrive: 4, otherwise: 0.5 };

/** One server at a time builds; the others find that out when they look (`blocks.store.ts`). */
export function blocksJob(blocks: BlocksService, log: Logger): Job {
  return {
    name: "blocks",
    changes: true,
    everyMilliseconds: LOOKS.otherwise,
    wokenBySpans: true,
    woken: { afterMilliseconds: 0, again: { everyMilliseconds: LOOKS.afterSpans, forMilliseconds: LOOKS.awake } },
    async run({ context, goOn, pause, count }) {
      const written = await blocks.catchUp(context(), async ({ milliseconds, spansArrive }) => {
        await pause(milliseconds * (spansArrive ? REST.whileSpansArrive : REST.otherwise));
        return goOn();
      });
      count(written);
      if (written > 0) log.debug("blocks of spans were summarised", { blocks: written });
      return written === 0;
    },
  };
}
