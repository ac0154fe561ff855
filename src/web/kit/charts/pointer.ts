// Where the pointer or the keyboard is on the charts of a page: all show their values of that time.
import { useSyncExternalStore } from "react";

interface Pointed {
  readonly ms: number;
  /** The chart that is pointed at. */
  readonly chart: string;
}

export interface Pointer {
  get(): Pointed | null;
  set(pointed: Pointed | null): void;
  subscribe(listener: () => void): () => void;
}

export function createPointer(): Pointer {
  const listeners = new Set<() => void>();
  let current: Pointed | null = null;
  return {
    get: () => current,
    set(pointed) {
      if (pointed?.ms === current?.ms && pointed?.chart === current?.chart) return;
      current = pointed;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function usePointed(pointer: Pointer): Pointed | null {
  return useSyncExternalStore(pointer.subscribe, pointer.get);
}
