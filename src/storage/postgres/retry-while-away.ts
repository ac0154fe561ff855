// Retries while the database is away: a fail-over takes some seconds, and a sender that is refused comes back much later.
import type { Failure } from "../../kernel/failure.ts";
import { HOLD_MILLISECONDS, HOLD_PAUSE_MILLISECONDS } from "../hold.ts";
import { codeOf, isPassing } from "./failure.ts";

/** The server has undone the transaction: a conflict, a deadlock. */
const UNDONE = /^40/;

/** Tries again while it fails for a reason that passes, 8 s at most. Once `mayBeDone` was called, a lost connection may have taken
 *  only the answer: then only what the server says it has undone is tried again. */
export async function retryWhileAway<Result>(
  attempt: (mayBeDone: () => void) => Result | Promise<Result>,
): Promise<Awaited<Result>> {
  const until = performance.now() + HOLD_MILLISECONDS;
  for (;;) {
    let isUncertain = false;
    try {
      return await attempt(() => {
        isUncertain = true;
      });
    } catch (error) {
      const again = isPassing(error) && (!isUncertain || isUndone(error));
      if (!again || performance.now() > until) throw error;
    }
    await Bun.sleep(HOLD_PAUSE_MILLISECONDS);
  }
}

function isUndone(failure: unknown): boolean {
  return UNDONE.test(codeOf((failure as Failure).details.cause));
}
