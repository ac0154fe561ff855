// How often a provider is asked, once it has said "too often": everybody in this process with the same key slows down together.
import { createHash } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import type { ModelCall } from "./model-call.ts";

const START_PER_SECOND = 5;
const LEAST_PER_SECOND = 0.1;
const MOST_PER_SECOND = START_PER_SECOND * 8;
const GROWTH_PER_SECOND = 1.01;
const QUIET_US = 60e6;
const FORGOTTEN_US = 15 * 60e6;
/** Their limits are of one model, those of others of the key. */
const LIMITED_BY_MODEL = new Set(["OPENAI", "AZURE_OPENAI", "GOOGLE", "AWS"]);

interface Bucket {
  perSecond: number;
  /** When the next request may start. */
  nextUs: number;
  /** When `perSecond` was last brought up to date. */
  updatedUs: number;
  slowedUs: number;
}

export interface RateBuckets {
  /** Takes the next place; the request may start after that many seconds. 0 until the provider refuses one. */
  reserveSeconds(call: ModelCall): number;
  /** The provider answered 429 to a request that started then; it may say how long to wait. */
  refused(call: ModelCall, startedUs: number, retryAfterSeconds: number | null): void;
}

/** One is made for a server; it is kept in memory alone. */
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
    refused(call, startedUs, retryAfterSeconds) {
      const now = clock.now();
      for (const [key, { nextUs }] of buckets) if (nextUs < now - FORGOTTEN_US) buckets.delete(key);
      const key = keyOf(call);
      const bucket = buckets.get(key) ?? { perSecond: START_PER_SECOND, nextUs: now, updatedUs: now, slowedUs: -1 };
      buckets.set(key, bucket);
      speedUp(bucket, now);
      // Requests that were on their way together are refused together: they slow down once.
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

/** Keys are not kept. */
function keyOf({ endpoint, model }: ModelCall): string {
  const { provider, baseUrl, credentials } = endpoint;
  const limited = [provider, baseUrl, credentials, LIMITED_BY_MODEL.has(provider) ? model : null];
  return createHash("sha256").update(JSON.stringify(limited)).digest("hex");
}
