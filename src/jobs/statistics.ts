// Renews the statistics of the planner while tables grow: looks every few seconds after spans have come, and not at all otherwise.
// PostgreSQL only: on SQLite the writer does it between its batches.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";

/** Milliseconds between two looks, and for how long `wake` holds: the database counts changed rows up to ten seconds late. */
const INTERVALS = { between: 2000, awake: 15_000 };

interface StatisticsJob {
  /** Spans were stored by this server. */
  wake(): void;
  /** Resolves when a look that runs has ended. */
  stop(): Promise<void>;
}

/** `refresh` returns the tables that it renewed the statistics of. */
export function createStatisticsJob(
  refresh: () => Promise<readonly string[]>,
  log: Logger,
  intervals = INTERVALS,
): StatisticsJob {
  let lastWoken = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<void> | null = null;
  let stopped = false;

  async function look(): Promise<void> {
    try {
      const tables = await refresh();
      if (tables.length > 0) log.debug("statistics of tables were renewed", { tables: tables.join(", ") });
    } catch (error) {
      if (!stopped) log.warning("statistics of tables could not be renewed", { reason: messageOf(error) });
    }
  }

  function sleep(): void {
    if (stopped || timer !== null || performance.now() - lastWoken > intervals.awake) return;
    timer = setTimeout(() => {
      timer = null;
      running = look().finally(() => {
        running = null;
        sleep();
      });
    }, intervals.between);
    timer.unref?.();
  }

  return {
    wake() {
      lastWoken = performance.now();
      if (running === null) sleep();
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
