// The time zone in which all times are shown, chosen once per browser.
import { createPreference, usePreference } from "./preferences.ts";

export const timeZonePreference = createPreference<string>("time-zone", "local");

export function useTimeZone(): string {
  const [zone] = usePreference(timeZonePreference);
  return zone;
}
