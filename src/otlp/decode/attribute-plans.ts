// Plans by the raw bytes of their keys, in bounded numbers: what senders use again and again is found, a flood of odd keys takes
// neither memory nor much time.
import { type AttributePlan, planAttributes } from "./attribute-plan.ts";
import type { ProtobufReader } from "./protobuf.ts";

export const MOST_PLANS = 512;
const MOST_BYTES = 2 * 1024 * 1024;
/** Sequences with more bytes of keys have no plan. */
export const MOST_KEY_BYTES = 8 * 1024;
/** Hashes that were seen once. A plan costs more than it saves for a sequence that never comes again. */
const SEEN_SLOTS = 8192;

interface KnownKeys {
  /** The keys, one after the other, and where each ends. */
  readonly keys: Uint8Array;
  readonly keyEnds: Uint32Array;
  /** Null for keys that have no plan. */
  readonly plan: AttributePlan | null;
  readonly bytes: number;
}

export interface AttributePlans {
  /** The plan for the keys that begin and end at these positions of the reader's bytes, or null: then there is none (yet). `hash` is
   *  one of the bytes of all keys; two sequences with the same one push each other out. */
  find(reader: ProtobufReader, starts: Int32Array, ends: Int32Array, count: number, hash: number): AttributePlan | null;
  readonly size: number;
}

export function createAttributePlans(): AttributePlans {
  // The least recently used is the first.
  const known = new Map<number, KnownKeys>();
  const seen = new Int32Array(SEEN_SLOTS);
  let bytesOfAll = 0;
  let newest = 0;

  function remember(hash: number, keys: KnownKeys): void {
    forget(hash);
    known.set(hash, keys);
    newest = hash;
    bytesOfAll += keys.bytes;
    for (const oldest of known.keys()) {
      if (known.size <= MOST_PLANS && bytesOfAll <= MOST_BYTES) break;
      forget(oldest);
    }
  }

  function forget(hash: number): void {
    bytesOfAll -= known.get(hash)?.bytes ?? 0;
    known.delete(hash);
  }

  return {
    find(reader, starts, ends, count, hash) {
      const { bytes } = reader;
      const found = known.get(hash);
      if (found !== undefined && isSame(found, bytes, starts, ends, count)) {
        if (newest !== hash) {
          known.delete(hash);
          known.set(hash, found);
          newest = hash;
        }
        return found.plan;
      }
      const slot = (hash ^ (hash >>> 13)) & (SEEN_SLOTS - 1);
      if (seen[slot] !== hash) {
        seen[slot] = hash;
        return null;
      }
      const keys = copyOfKeys(bytes, starts, ends, count);
      const plan = planAttributes(Array.from({ length: count }, (_, i) => reader.textBetween(starts[i]!, ends[i]!)));
      remember(hash, { ...keys, plan, bytes: keys.keys.length + 12 * count + (plan?.pieces.length ?? 0) });
      return plan;
    },
    get size() {
      return known.size;
    },
  };
}

function isSame(
  { keys, keyEnds }: KnownKeys,
  bytes: Uint8Array,
  starts: Int32Array,
  ends: Int32Array,
  count: number,
): boolean {
  if (keyEnds.length !== count) return false;
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const end = ends[i]!;
    if (keyEnds[i]! - at !== end - starts[i]!) return false;
    for (let position = starts[i]!; position < end; position += 1) {
      if (keys[at] !== bytes[position]) return false;
      at += 1;
    }
  }
  return true;
}

function copyOfKeys(bytes: Uint8Array, starts: Int32Array, ends: Int32Array, count: number) {
  const keyEnds = new Uint32Array(count);
  let length = 0;
  for (let i = 0; i < count; i += 1) {
    length += ends[i]! - starts[i]!;
    keyEnds[i] = length;
  }
  const keys = new Uint8Array(length);
  for (let i = 0; i < count; i += 1)
    keys.set(bytes.subarray(starts[i], ends[i]), keyEnds[i]! - (ends[i]! - starts[i]!));
  return { keys, keyEnds };
}
