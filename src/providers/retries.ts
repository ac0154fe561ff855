// When a failed attempt is repeated: at once and quietly for somebody who waits, patiently for a job.
import type { RetryPolicy } from "./call-model.ts";
import type { ModelAttempt } from "./model-event.ts";

interface Waits {
  /** Seconds before each further attempt, where the provider does not ask for longer. */
  readonly seconds: readonly number[];
  /** A provider that asks for more is not asked again. */
  readonly longestSeconds: number;
  readonly repeats: (attempt: ModelAttempt) => boolean;
}

function policy({ seconds, longestSeconds, repeats }: Waits): RetryPolicy {
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

/** Custom providers of the playground: what they answer is shown. */
export const noRetries: RetryPolicy = { delaySeconds: () => null };

/** Somebody waits: two further attempts, and none after a part of the answer was shown or a limit of time was reached. */
export const playgroundRetries: RetryPolicy = policy({
  seconds: [0.5, 1],
  longestSeconds: 60,
  repeats: ({ firstTokenUs, failure }) => firstTokenUs === null && failure?.kind !== "timeout",
});

/** Nobody waits: three further attempts, also of an answer that broke off. */
export const jobRetries: RetryPolicy = policy({ seconds: [1, 2, 4], longestSeconds: 300, repeats: () => true });
