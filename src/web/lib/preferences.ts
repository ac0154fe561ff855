// What a browser remembers for a person: layout and habits, never data. (What a colleague should see is in the address instead.)
import { useSyncExternalStore } from "react";

export interface Preference<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

const PREFIX = "spanlight.";

/** A value kept as JSON under `name`. What does not look like the fallback any more counts as absent. */
export function createPreference<Value>(name: string, fallback: Value): Preference<Value> {
  const key = PREFIX + name;
  const listeners = new Set<() => void>();
  let current: { readonly value: Value } | null = null;
  const read = (): Value => {
    try {
      const text = localStorage.getItem(key);
      const value = text === null ? fallback : (JSON.parse(text) as unknown);
      return isAlike(value, fallback) ? (value as Value) : fallback;
    } catch {
      return fallback;
    }
  };
  window.addEventListener("storage", (event) => {
    if (event.key !== key) return;
    current = null;
    for (const listener of listeners) listener();
  });
  return {
    get() {
      current ??= { value: read() };
      return current.value;
    },
    set(value) {
      current = { value };
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        // A browser that keeps nothing remembers it until the page is left.
      }
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isAlike(value: unknown, fallback: unknown): boolean {
  if (fallback === null || value === null) return true;
  return typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback);
}

export function usePreference<Value>(preference: Preference<Value>): [Value, (value: Value) => void] {
  return [useSyncExternalStore(preference.subscribe, preference.get), preference.set];
}
