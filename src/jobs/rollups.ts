// Settles traces whose span sums must be recomputed: soon after ingestion reports one, and what a killed server left
// at the next start. Without such traces it does nothing at all.

import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";
import type { RollupsService } from "../summaries/rollups/rollups.service.ts";

const TRACES_AT_ONCE = 20;
/** After a failure, so that a database that is away is not asked without pause. */
const PAUSE_MILLISECONDS = 5000;

interface RollupsJob {
  /** There may be pending traces: begins unless it is running, and then looks once more. */
  wake(): void;
  stop(): Promise<void>;
}

export function createRollupsJob(
  rollups: Pick<RollupsService, "settlePending">,
  context: () => CallContext,
  log: Logger,
): RollupsJob {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let pause: ReturnType<typeof setTimeout> | null = null;

  async function run(): Promise<void> {
    do {
      again = false;
      while (!stopped && (await rollups.settlePending(context(), TRACES_AT_ONCE)) > 0);
    } while (again && !stopped);
  }

  function wake(): void {
    again = true;
    if (running !== null || stopped || pause !== null) return;
    running = run()
      .catch((error) => {
        log.warning("span sums could not be computed anew", { reason: messageOf(error) });
        pause = setTimeout(() => {
          pause = null;
          wake();
        }, PAUSE_MILLISECONDS);
      })
      .finally(() => {
        running = null;
      });
  }

  return {
    wake,
    async stop() {
      stopped = true;
      if (pause !== null) clearTimeout(pause);
      await running;
    },
  };
}
