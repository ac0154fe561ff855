// What was used last, up to a count: what was not used for longest makes room.

interface LastUsed<Key, Value> {
  readonly size: number;
  find(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

export function createLastUsed<Key, Value>(limit: number): LastUsed<Key, Value> {
  /** In the order of their last use. */
  const values = new Map<Key, Value>();

  return {
    get size() {
      return values.size;
    },
    find(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      if (values.size > limit) values.delete(values.keys().next().value!);
    },
  };
}
