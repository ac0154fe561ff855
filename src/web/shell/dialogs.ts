// Which of the shell's own dialogs is open; anything may open one.
import { useSyncExternalStore } from "react";

type ShellDialog = "palette" | "help" | "zone" | null;

let current: ShellDialog = null;
const listeners = new Set<() => void>();

export function openShellDialog(dialog: ShellDialog): void {
  current = dialog;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useShellDialog(): ShellDialog {
  return useSyncExternalStore(subscribe, () => current);
}
