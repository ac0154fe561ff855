// What every start makes sure of, and the service can do without: a failure keeps nobody from starting.
import { messageOf } from "../kernel/failure.ts";
import type { ServicePart } from "../kernel/lifecycle.ts";
import type { Logger } from "../kernel/logger.ts";

/** Milliseconds. `patience`: a start waits for it so long, as it is there a moment later nearly always. `retry`: after a failure. */
const INTERVALS = { patience: 3000, retry: 60_000 };

interface Ensured {
  readonly name: string;
  /** Looks whether it is there, and makes it. */
  readonly ensure: () => Promise<unknown>;
  readonly log: Logger;
}

/** Tries until it is there. */
export function ensuredPart({ name, ensure, log }: Ensured, intervals = INTERVALS): ServicePart {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;

  async function attempt(): Promise<void> {
    try {
      await ensure();
    } catch (error) {
      if (isStopped) return;
      log.warning(`the ${name} could not be made: it is tried again`, { reason: messageOf(error) });
      timer = setTimeout(() => void attempt(), intervals.retry);
      timer.unref?.();
    }
  }

  return {
    name,
    changes: true,
    async start() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const waiting = setTimeout(resolve, intervals.patience);
      await Promise.race([attempt(), late]);
      clearTimeout(waiting);
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
