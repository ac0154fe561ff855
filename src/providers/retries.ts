// Retry policies of interactive calls and of background jobs.
import type { RetryPolicy } from "./call-model.ts";
import type { ModelAttempt } from "./model-event.ts";

interface PolicyOptions {
  /** Delay before each further attempt, unless the provider asks for longer. */
  readonly seconds: readonly number[];
  /** There is no retry if the provider asks for longer. */
  readonly longestSeconds: number;
  readonly repeats: (attempt: ModelAttempt) => boolean;
}

function policy({ seconds, longestSeconds, repeats }: PolicyOptions): RetryPolicy {
  return {
    delaySeconds(attempt) {
      const own = seconds[attempt.number - 1];
      if (own === undefined || attempt.failure === null || !attempt.failure.isTransient || !repeats(attempt))
        return null;
      const delay = Math.max(own, attempt.failure.retryAfterSeconds ?? 0);
      return delay > longestSeconds ? null : delay;
    },
  };
}

/** For custom providers in the playground. */
export const noRetries: RetryPolicy = { delaySeconds: () => null };

/** For interactive calls: two retries, none after a part of the answer was shown or after a timeout. */
export const playgroundRetries: RetryPolicy = policy({
  seconds: [0.5, 1],
  longestSeconds: 60,
  repeats: ({ firstTokenUs, failure }) => firstTokenUs === null && failure?.kind !== "timeout",
});

/** For background jobs: three retries, also after a timeout or an incomplete answer. */
export const jobRetries: RetryPolicy = policy({ seconds: [1, 2, 4], longestSeconds: 300, repeats: () => true });
