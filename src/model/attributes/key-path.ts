// Cuts a dotted attribute key into the segments of its path. Senders use few different keys, so paths are remembered.
import { createLastUsed } from "../../kernel/last-used.ts";

interface KeyPath {
  readonly names: readonly string[];
  /** Which names are list positions if something follows below them. */
  readonly digits: readonly boolean[];
  /** Whether empty segments in front or between were left out: such a key yields to one that spells the path exactly. */
  readonly skipsEmpty: boolean;
}

/** Segments that nest; what follows stays one key with dots. With MAX_VALUE_DEPTH it keeps trees far below the 1,000
 *  levels that SQLite reads. */
export const MAX_KEY_SEGMENTS = 128;

const REMEMBERED_PATHS = 4096;
const REMEMBERED_KEY_LENGTH = 128;
const remembered = createLastUsed<string, KeyPath>(REMEMBERED_PATHS);

export function keyPath(key: string): KeyPath {
  const known = remembered.find(key);
  if (known !== undefined) return known;
  const path = cutKey(key);
  if (key.length <= REMEMBERED_KEY_LENGTH) remembered.set(key, path);
  return path;
}

/** A path of one segment: the key as it is. */
export function wholeKey(key: string): KeyPath {
  return { names: [key], digits: [false], skipsEmpty: false };
}

function cutKey(key: string): KeyPath {
  const parts = key.split(".");
  // One dot at the end vanishes; a longer empty tail is a member named "".
  if (parts.length > 1 && parts[parts.length - 1] === "") parts.pop();
  const names: string[] = [];
  const digits: boolean[] = [];
  for (const part of parts) {
    const name = part.trim();
    if (name === "") continue;
    const isPosition = /^[0-9]+$/.test(name);
    names.push(isPosition ? name.replace(/^0+(?=.)/, "") : name);
    digits.push(isPosition);
  }
  const skipsEmpty = names.length < parts.length;
  if (names.length === 0 || parts[parts.length - 1]!.trim() === "") {
    names.push("");
    digits.push(false);
  }
  if (names.length > MAX_KEY_SEGMENTS) {
    const tail = names.splice(MAX_KEY_SEGMENTS - 1).join(".");
    names.push(tail);
    digits.length = MAX_KEY_SEGMENTS - 1;
    digits.push(false);
  }
  return { names, digits, skipsEmpty };
}
