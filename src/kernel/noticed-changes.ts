// When something last changed, without writing it down: this process notices that what it reads is no longer what it read before.
import type { Clock } from "./clock.ts";
import { createLastUsed } from "./last-used.ts";

interface NoticedChanges<Key> {
  /** Microseconds UTC of the last time that the state of the key was another one; the first answer is the time of the question. Null for
   *  the state null. */
  notice(key: Key, state: string | null): number | null;
}

/** Remembers the states of at most `limit` keys; those asked for longest ago are dropped first. */
export function createNoticedChanges<Key>(clock: Clock, limit: number): NoticedChanges<Key> {
  const known = createLastUsed<Key, { readonly state: string | null; readonly atUs: number }>(limit);
  return {
    notice(key, state) {
      const last = known.find(key);
      // Two states never have the same time, however fast they follow.
      const changedUs = Math.max(clock.now(), (last?.atUs ?? 0) + 1);
      const atUs = last !== undefined && last.state === state ? last.atUs : changedUs;
      known.set(key, { state, atUs });
      return state === null ? null : atUs;
    },
  };
}
