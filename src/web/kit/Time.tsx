// An instant: as a time or as "3 min ago", in the chosen zone, with both the whole instant and UTC in its tooltip.
import { useSyncExternalStore } from "react";
import { formatAgo, formatInstant, formatTime, NOTHING } from "../lib/format.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { Tooltip } from "./Tooltip.tsx";

interface TimeProps {
  /** ISO 8601. */
  readonly at: string | null | undefined;
  readonly relative?: boolean;
}

export function Time({ at, relative = false }: TimeProps) {
  const zone = useTimeZone();
  const nowMs = useNow();
  if (at === null || at === undefined) return NOTHING;
  const whole = zone === "utc" ? formatInstant(at, "utc") : `${formatInstant(at, zone)} · ${formatInstant(at, "utc")}`;
  return (
    <Tooltip text={whole}>
      <time dateTime={at}>{relative ? formatAgo(at, zone, nowMs) : formatTime(at, zone, nowMs)}</time>
    </Tooltip>
  );
}

const TICK_MS = 20_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Milliseconds, moving every 20 s: one clock for all times of a page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
