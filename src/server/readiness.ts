// Whether a balancer should send requests here: the storage answers, and spans get into it.
import { fail } from "../kernel/failure.ts";
import type { IntakeLink } from "../otlp/transport/intake-link.ts";
import { SILENCE_MILLISECONDS } from "../storage/postgres/session-limits.ts";
import type { Storage } from "../storage/storage.ts";

/** The storage may answer all the same: its rows are locked, or its connections of ingestion are cut off. */
const MAX_STALL_MILLISECONDS = SILENCE_MILLISECONDS;

/** As `Storage.readiness`; also fails with kind `unavailable` when spans came for so long and none could be stored. */
export function readinessOf(storage: Storage, intake: Pick<IntakeLink, "counts">): Storage["readiness"] {
  return async () => {
    const readiness = await storage.readiness();
    const { stalledMilliseconds } = await intake.counts();
    if (stalledMilliseconds < MAX_STALL_MILLISECONDS) return readiness;
    const seconds = Math.floor(stalledMilliseconds / 1000);
    throw fail("storage.stalled", "unavailable", `The database answers, but no span could be stored for ${seconds} s`);
  };
}
