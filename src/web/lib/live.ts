// Live mode: pages whose queries say so ask again every few seconds. Off while the tab is hidden; remembered per browser.
import { useSyncExternalStore } from "react";
import { isAway, useConnection } from "./connection.ts";
import { createPreference, usePreference } from "./preferences.ts";

/** As often as the reference asks whether something changed. */
const INTERVAL_MS = 2_000;

export const livePreference = createPreference("live", false);

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** Totals of many projects are counted again for each answer. */
const SLOW_INTERVAL_MS = 10_000;

/** Whether a query is asked again while the page is live; `slowly` for expensive queries. */
export type Live = boolean | "slowly";

/** Milliseconds between two questions, or false. */
export function useLiveInterval(how: Live = true): number | false {
  const [live] = usePreference(livePreference);
  const away = isAway(useConnection());
  const hidden = useSyncExternalStore(subscribeToVisibility, () => document.hidden);
  if (!live || away || hidden || how === false) return false;
  return how === "slowly" ? SLOW_INTERVAL_MS : INTERVAL_MS;
}
