// A cache of what was used last, up to a count. Two maps take turns: moving a key to the end of one map at every use takes longer than
// finding it (docs/decisions/0029-libraries-weighed.md).

interface LastUsed<Key, Value> {
  find(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/** Holds at most `limit`, and of the keys always those that half of `limit` others have not come after. */
export function createLastUsed<Key, Value>(limit: number): LastUsed<Key, Value> {
  let current = new Map<Key, Value>();
  let before = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    if (current.size >= limit / 2 && !current.has(key)) {
      before = current;
      current = new Map();
    }
    current.set(key, value);
  }

  return {
    set,
    delete(key) {
      current.delete(key);
      before.delete(key);
    },
    find(key) {
      const value = current.get(key);
      if (value !== undefined) return value;
      const older = before.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
  };
}
