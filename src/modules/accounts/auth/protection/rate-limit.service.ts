// How often one address may ask the routes of a sign-in, counted by all servers together.
import type { Clock } from "../../../../kernel/clock.ts";
import { createLastUsed } from "../../../../kernel/last-used.ts";
import { limitedAddress } from "../../../../kernel/limited-address.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { tooManyRequests } from "../auth.errors.ts";
import type { RateLimitStore } from "./rate-limit.store.ts";

interface RateLimit {
  /** Routes with one name share a bucket. */
  readonly name: string;
  readonly burst: number;
  readonly refillSeconds: number;
}

/** Sign in, out, renew and reset: 12, and one more every five seconds. */
export const signInLimit: RateLimit = { name: "sign-in", burst: 12, refillSeconds: 5 };

/** Leaving for an identity provider: 6, and one more every five seconds. */
export const providerLoginLimit: RateLimit = { name: "provider-login", burst: 6, refillSeconds: 5 };
/** Coming back from one: 15, and one more every two seconds. */
export const providerAnswerLimit = (provider: string): RateLimit => ({
  name: `provider-answer ${provider}`,
  burst: 15,
  refillSeconds: 2,
});

export interface RateLimitService {
  /** Throws kind `rate_limited` when the address has asked too often. An address that is not known shares one bucket. */
  take(context: CallContext, limit: RateLimit, clientAddress: string | null): Promise<void>;
  /** Drops what does not limit any more. */
  sweep(context: CallContext): Promise<void>;
}

/** Addresses that are refused without a look at the database, so that hammering costs it nothing. */
const MOST_REMEMBERED = 10_000;

/** `disabled` is SERVICE_DISABLE_RATE_LIMIT. */
export function createRateLimitService(store: RateLimitStore, clock: Clock, disabled: boolean): RateLimitService {
  const refusedUntilUs = createLastUsed<string, number>(MOST_REMEMBERED);

  return {
    async take(context, { name, burst, refillSeconds }, clientAddress) {
      if (disabled) return;
      const bucket = `${name} ${limitedAddress(clientAddress)}`;
      const nowUs = clock.now();
      const refillUs = refillSeconds * 1_000_000;
      let untilUs = refusedUntilUs.find(bucket) ?? 0;
      if (untilUs <= nowUs) {
        refusedUntilUs.delete(bucket);
        const fullUs = await store.take(context, bucket, { nowUs, refillUs, burst });
        if (fullUs === null) return;
        untilUs = fullUs - (burst - 1) * refillUs;
        refusedUntilUs.set(bucket, untilUs);
      }
      throw tooManyRequests(Math.max(1, (untilUs - nowUs) / 1_000_000));
    },

    async sweep(context) {
      await store.forgetFull(context, clock.now());
    },
  };
}
