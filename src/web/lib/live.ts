// Live mode: pages whose queries say so ask again every few seconds. Off while the tab is hidden; remembered per browser.
import { useSyncExternalStore } from "react";
import { createPreference, usePreference } from "./preferences.ts";

/** As often as the reference asks whether something changed. */
const INTERVAL_MS = 2_000;

export const livePreference = createPreference("live", false);

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** Milliseconds between two questions, or false. */
export function useLiveInterval(): number | false {
  const [live] = usePreference(livePreference);
  const hidden = useSyncExternalStore(subscribeToVisibility, () => document.hidden);
  return live && !hidden ? INTERVAL_MS : false;
}
