// Calling a model, whatever wire it speaks.
import type { Clock } from "../kernel/clock.ts";
import type { ModelCall } from "./model-call.ts";
import type { ModelAttempt, ModelEvent } from "./model-event.ts";
import type { ProviderFetch, RequestLimits } from "./provider-fetch.ts";

/** When a failed attempt is repeated. */
export interface RetryPolicy {
  /** Seconds to wait before the next attempt, or null to give up. `attempt.number` is that of the failed one. */
  delaySeconds(attempt: ModelAttempt): number | null;
}

interface CallNeeds {
  readonly fetch: ProviderFetch;
  /** Aborting it ends the call with a failure of kind `cancelled`. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly retries: RetryPolicy;
  readonly limits: RequestLimits;
}

/** Events as they arrive: pieces of the answer, then one `finish` or `failure`, which is never thrown. Throws kind `invalid`, before
 *  anything is sent, for a call that cannot be put into the wire. Leaving the loop early closes the connection. */
export type CallModel = (call: ModelCall, needs: CallNeeds) => AsyncIterable<ModelEvent>;
