// Keyboard shortcuts. A key never fires inside a field, can be switched off, and belongs to the component that registered it last: a panel
// over a table takes `j` and `k` while it is there.
import { useContext, useEffect, useRef, useSyncExternalStore } from "react";
import { isTyping } from "../lib/held-keys.ts";
import { createPreference, usePreference } from "../lib/preferences.ts";
import type { LabelKey } from "../texts/texts.ts";
import { Layer } from "./layer.ts";

export interface Shortcut {
  /** `j`, `?`, `Escape`, `mod+k`; several that do the same are separated by a space. */
  readonly keys: string;
  readonly label: LabelKey;
  /** Heading in the help. */
  readonly group: LabelKey;
  readonly run: (event: KeyboardEvent) => void;
  /** Also while the reader types, e.g. `mod+k`. */
  readonly inFields?: boolean;
}

const keysPreference = createPreference("keys", true);

/** `layer`: the dialog that it stands in. */
const registered: { readonly shortcut: () => Shortcut; readonly layer: HTMLElement | null }[] = [];
const listeners = new Set<() => void>();
let snapshot: readonly Shortcut[] = [];

function changed(): void {
  snapshot = registered.map(({ shortcut }) => shortcut());
  for (const listener of listeners) listener();
}

/** Registers while the component is there and `enabled`. */
export function useShortcut(shortcut: Shortcut, enabled = true): void {
  const current = useRef(shortcut);
  current.current = shortcut;
  const { keys } = shortcut;
  const layer = useContext(Layer);
  useEffect(() => {
    if (!enabled || keys === "") return;
    const entry = { shortcut: () => current.current, layer };
    registered.push(entry);
    changed();
    return () => {
      registered.splice(registered.indexOf(entry), 1);
      changed();
    };
  }, [enabled, keys, layer]);
}

/** What may be pressed now, for the help. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => snapshot);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useKeysEnabled(): [boolean, (enabled: boolean) => void] {
  return usePreference(keysPreference);
}

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** As people write it: `⌘K` or `Ctrl K`. */
export function shownKey(key: string): string {
  return key
    .split("+")
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(isMac ? "" : " ");
}

const names: Readonly<Record<string, string>> = {
  mod: isMac ? "⌘" : "Ctrl",
  shift: isMac ? "⇧" : "Shift",
  Escape: "Esc",
  Enter: "↵",
  ArrowDown: "↓",
  ArrowUp: "↑",
};

function matches(key: string, event: KeyboardEvent): boolean {
  const mod = event.metaKey || event.ctrlKey;
  if (event.altKey) return false;
  const name = key.startsWith("mod+") ? key.slice(4) : key;
  return mod === key.startsWith("mod+") && (event.key === name || event.key.toLowerCase() === name);
}

/** Once, by the shell. */
export function listenToKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !keysPreference.get()) return;
    const typing = isTyping(event.target);
    // Menus and dialogs are the browser's and the kit's: what lies below them must not answer.
    const hasMenu = document.querySelector("[role=menu]") !== null;
    const dialog = [...document.querySelectorAll("dialog:modal")].at(-1) ?? null;
    for (const { shortcut: current, layer } of registered.toReversed()) {
      const shortcut = current();
      const covered = hasMenu || (dialog !== null && dialog !== layer);
      if ((typing || covered) && shortcut.inFields !== true) continue;
      if (!shortcut.keys.split(" ").some((key) => matches(key, event))) continue;
      event.preventDefault();
      shortcut.run(event);
      return;
    }
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}
