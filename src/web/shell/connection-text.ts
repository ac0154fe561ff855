// The state of the connection in words, and what a person can do about it.
import { hasTypedText } from "../lib/at-work.ts";
import { type Connection, checkConnection, useConnection } from "../lib/connection.ts";
import { formatTimePart } from "../lib/format.ts";
import { livePreference } from "../lib/live.ts";
import { usePreference } from "../lib/preferences.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";

type ShownState = Connection["kind"] | "live";

interface ShownConnection {
  readonly state: ShownState;
  /** A few words. */
  readonly label: string;
  /** What it means and what happens next; null while all is well. */
  readonly explanation: string | null;
  readonly action: { readonly label: string; readonly run: () => void };
}

const check = { label: text("connection.try"), run: () => void checkConnection() };
const reload = { label: text("connection.reload"), run: () => location.reload() };

export function useShownConnection(): ShownConnection {
  const { kind, since } = useConnection();
  const [live] = usePreference(livePreference);
  const zone = useTimeZone();
  const time = formatTimePart(since, zone, "minute");
  switch (kind) {
    case "connected": {
      const state = live ? "live" : "connected";
      return { state, label: text(`connection.${state}`), explanation: null, action: check };
    }
    case "stale":
    case "away":
      return {
        state: kind,
        label: text(`connection.${kind}`, { time }),
        explanation: text(`connection.${kind}.text`, { time }),
        action: check,
      };
    case "upgraded":
      return {
        state: kind,
        label: text("connection.upgraded"),
        explanation: text(hasTypedText() ? "connection.upgraded.typed" : "connection.upgraded.text"),
        action: reload,
      };
  }
}
