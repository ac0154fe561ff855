// Unsaved input: leaving it asks for confirmation. That holds for links and keys of the pages, for the
// browser's way back where it lets itself be held, and for closing the tab.
import { useEffect, useSyncExternalStore } from "react";
import type { AroundNavHandler } from "wouter";

const held = new Set<symbol>();
const listeners = new Set<() => void>();
/** An action that would lose it. */
let leaving: (() => void) | null = null;

/** Holds the page while `unsaved`. */
export function useUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const key = Symbol("unsaved");
    held.add(key);
    return () => void held.delete(key);
  }, [unsaved]);
}

/** Does it at once, or after the reader confirmed that unsaved input may be lost. */
export function leave(go: () => void): void {
  if (held.size === 0) go();
  else setLeaving(go);
}

/** For the router. */
export const aroundNavigation: AroundNavHandler = (navigate, to, options) => leave(() => navigate(to, options));

/** The question that is open; null for none. */
export function useLeaving() {
  const go = useSyncExternalStore(subscribe, () => leaving);
  if (go === null) return null;
  return {
    stay: () => setLeaving(null),
    goOn() {
      held.clear();
      setLeaving(null);
      go();
    },
  };
}

function setLeaving(next: (() => void) | null): void {
  leaving = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Once, at the start of the page. */
export function watchLeaving(): void {
  addEventListener("beforeunload", (event) => {
    if (held.size > 0) event.preventDefault();
  });
  // Not every browser has it; those go back without a question.
  const { navigation } = globalThis as { readonly navigation?: Navigation };
  navigation?.addEventListener("navigate", (event) => {
    if (held.size === 0 || event.navigationType !== "traverse" || !event.cancelable) return;
    event.preventDefault();
    const { key } = event.destination;
    setLeaving(() => void navigation.traverseTo(key));
  });
}
