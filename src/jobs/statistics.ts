// Renews the statistics of the planner while tables grow: looks every few seconds after spans have come, and not at all otherwise.
// PostgreSQL only: on SQLite the writer does it between its batches.
import type { Logger } from "../kernel/logger.ts";
import type { Job } from "./job.ts";

/** Milliseconds between two looks, and for how long spans that came keep it looking: the database counts changed rows up to ten seconds
 *  late. */
const LOOKS = { between: 2000, awake: 15_000 };

/** `refresh` returns the tables that it renewed the statistics of. */
export function statisticsJob(refresh: () => Promise<readonly string[]>, log: Logger): Job {
  return {
    name: "statistics",
    changes: true,
    everyMilliseconds: null,
    retryMilliseconds: LOOKS.between,
    wokenBySpans: true,
    woken: {
      afterMilliseconds: LOOKS.between,
      again: { everyMilliseconds: LOOKS.between, forMilliseconds: LOOKS.awake },
    },
    async run({ count }) {
      const tables = await refresh();
      count(tables.length);
      if (tables.length > 0) log.debug("statistics of tables were renewed", { tables: tables.join(", ") });
      return true;
    },
  };
}
