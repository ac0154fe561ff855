// Calling a model, whatever wire it speaks.
import { sleepUnlessAborted } from "./abort.ts";
import { type AttemptNeeds, runAttempt } from "./attempt.ts";
import { cancelled } from "./failures.ts";
import type { ModelCall } from "./model-call.ts";
import { requireModelCall } from "./model-call-checks.ts";
import type { ModelAttempt, ModelEvent } from "./model-event.ts";
import type { RateBuckets } from "./rate-buckets.ts";

/** Whether a failed attempt is repeated. */
export interface RetryPolicy {
  /** Seconds to wait before the next attempt, or null to give up. `attempt.number` is that of the failed one. */
  delaySeconds(attempt: ModelAttempt): number | null;
}

/** `signal` ends the call with a failure of kind `cancelled`. */
export interface CallNeeds extends AttemptNeeds {
  readonly retries: RetryPolicy;
  /** Null to ignore rate limits that other calls have hit. */
  readonly rates: RateBuckets | null;
}

/** Events as they arrive: pieces of the answer, then one `finish` or `failure`, which is never thrown. Throws kind `invalid`, before
 *  anything is sent, for a call that cannot be put into the wire (`requireModelCall`). Leaving the loop early closes the connection. */
export async function* callModel(call: ModelCall, needs: CallNeeds): AsyncGenerator<ModelEvent, void, undefined> {
  requireModelCall(call);
  for (let number = 1; ; number++) {
    if (!(await sleepUnlessAborted(needs.rates?.reserveSeconds(call) ?? 0, needs.signal))) break;
    const made = yield* runAttempt(call, number, needs);
    const { failure } = made;
    if (failure === null) {
      yield { type: "finish", attempt: made };
      return;
    }
    if (failure.kind === "rate_limit") needs.rates?.recordRateLimit(call, made.startUs, failure.retryAfterSeconds);
    const delaySeconds = needs.signal.aborted ? null : needs.retries.delaySeconds(made);
    if (delaySeconds === null) {
      yield { type: "failure", failure, attempt: made };
      return;
    }
    yield { type: "retry", attempt: made, delaySeconds };
    if (!(await sleepUnlessAborted(delaySeconds, needs.signal))) break;
  }
  yield { type: "failure", failure: cancelled(), attempt: null };
}
