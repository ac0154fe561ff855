// Tokens and keys that expire: cached until shortly before, and asked for once by calls that need them at the same time.
import { createHash } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";

const SECONDS_TO_SPARE = 120;
/** Cached values; the oldest are removed first. */
const MOST_VALUES = 200;

interface Cached<Value> {
  readonly value: Promise<Value>;
  /** Infinity while it is being requested. */
  expiresUs: number;
}

interface Asked<Value> {
  readonly value: Value;
  /** Seconds from now on. */
  readonly seconds: number;
}

/** `request` gets what the value is for, which also is its key: JSON. Rejects as it does, and asks again the next time. */
export function createExpiringValues<Subject extends object, Value>(
  request: (subject: Subject) => Promise<Asked<Value>>,
  clock: Clock,
): (subject: Subject) => Promise<Value> {
  const values = new Map<string, Cached<Value>>();
  return async (subject) => {
    const key = createHash("sha256").update(JSON.stringify(subject)).digest("hex");
    const cached = values.get(key);
    if (cached !== undefined && cached.expiresUs > clock.now()) return cached.value;
    const asked = request(subject);
    const entry: Cached<Value> = { value: asked.then(({ value }) => value), expiresUs: Number.POSITIVE_INFINITY };
    values.delete(key);
    values.set(key, entry);
    for (const oldest of [...values.keys()].slice(0, Math.max(0, values.size - MOST_VALUES))) values.delete(oldest);
    try {
      const { seconds } = await asked;
      entry.expiresUs = clock.now() + (seconds - SECONDS_TO_SPARE) * 1e6;
    } catch {
      values.delete(key);
    }
    return entry.value;
  };
}
