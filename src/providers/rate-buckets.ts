// Slows down requests to a provider after it answered 429, for all calls of this process with the same key.
import { createHash } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import type { ModelCall } from "./model-call.ts";

const START_PER_SECOND = 5;
const LEAST_PER_SECOND = 0.1;
const MOST_PER_SECOND = START_PER_SECOND * 8;
const GROWTH_PER_SECOND = 1.01;
const QUIET_US = 60e6;
const FORGOTTEN_US = 15 * 60e6;
/** These providers limit each model; the others limit the key. */
const LIMITED_BY_MODEL = new Set(["OPENAI", "AZURE_OPENAI", "GOOGLE", "AWS"]);

interface Bucket {
  perSecond: number;
  /** When the next request may start. */
  nextUs: number;
  /** When `perSecond` was last updated. */
  updatedUs: number;
  slowedUs: number;
}

export interface RateBuckets {
  /** Reserves the next start; the request may start after that many seconds. 0 until the first 429. */
  reserveSeconds(call: ModelCall): number;
  /** Records a 429 for a request that started at `startedUs`, with the delay that the provider asked for. */
  recordRateLimit(call: ModelCall, startedUs: number, retryAfterSeconds: number | null): void;
}

/** Created once for a server; held in memory. */
export function createRateBuckets(clock: Clock): RateBuckets {
  const buckets = new Map<string, Bucket>();
  return {
    reserveSeconds(call) {
      const bucket = buckets.get(keyOf(call));
      if (bucket === undefined) return 0;
      const now = clock.now();
      speedUp(bucket, now);
      const start = Math.max(now, bucket.nextUs);
      bucket.nextUs = start + 1e6 / bucket.perSecond;
      return (start - now) / 1e6;
    },
    recordRateLimit(call, startedUs, retryAfterSeconds) {
      const now = clock.now();
      for (const [key, { nextUs }] of buckets) if (nextUs < now - FORGOTTEN_US) buckets.delete(key);
      const key = keyOf(call);
      const bucket = buckets.get(key) ?? { perSecond: START_PER_SECOND, nextUs: now, updatedUs: now, slowedUs: -1 };
      buckets.set(key, bucket);
      speedUp(bucket, now);
      // Concurrent requests are refused together: only requests started after the last slowdown count.
      if (bucket.slowedUs < 0) bucket.slowedUs = now;
      else if (startedUs >= bucket.slowedUs) {
        bucket.perSecond = Math.max(LEAST_PER_SECOND, bucket.perSecond / 2);
        bucket.slowedUs = now;
      }
      bucket.nextUs = Math.max(bucket.nextUs, now + (retryAfterSeconds ?? 1 / bucket.perSecond) * 1e6);
    },
  };
}

function speedUp(bucket: Bucket, now: number): void {
  const seconds = Math.max(0, now - bucket.updatedUs) / 1e6;
  const grown = bucket.perSecond * GROWTH_PER_SECOND ** seconds;
  const least = now - bucket.slowedUs >= QUIET_US ? START_PER_SECOND : LEAST_PER_SECOND;
  bucket.perSecond = Math.min(MOST_PER_SECOND, Math.max(least, grown));
  bucket.updatedUs = now;
}

/** A hash, so that keys are not retained. */
function keyOf({ endpoint, model }: ModelCall): string {
  const { provider, baseUrl, credentials } = endpoint;
  const limited = [provider, baseUrl, credentials, LIMITED_BY_MODEL.has(provider) ? model : null];
  return createHash("sha256").update(JSON.stringify(limited)).digest("hex");
}
