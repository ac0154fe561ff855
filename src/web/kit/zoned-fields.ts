// Between instants and the texts of date-time fields, which know no zone: `2026-11-20T22:37:13` in the chosen one.

/** Milliseconds that clocks of the zone are ahead of UTC at an instant. */
export function offsetMs(ms: number, zone: string): number {
  if (zone === "local") return -new Date(ms).getTimezoneOffset() * 60_000;
  if (zone === "utc") return 0;
  const parts = formatOf(zone).formatToParts(ms);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, format);
  return format;
}

/** The name that the zone has everywhere, such as `Europe/Berlin`. */
export function zoneName(zone: string): string {
  if (zone === "utc") return "UTC";
  return zone === "local" ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
}

export function zonedFields(iso: string, zone: string): string {
  const ms = Date.parse(iso);
  return new Date(ms + offsetMs(ms, zone)).toISOString().slice(0, 19);
}

/** Null for a field that holds no whole date and time. */
export function fromZonedFields(fields: string, zone: string): string | null {
  const wall = Date.parse(`${fields}Z`);
  if (fields === "" || Number.isNaN(wall)) return null;
  // The offset belongs to the instant that is looked for: twice is enough, also around a change of the clocks.
  const guess = wall - offsetMs(wall, zone);
  return new Date(wall - offsetMs(guess, zone)).toISOString();
}
