// Numbers, durations, money and times as people read them. Input in the units of the API: milliseconds, ISO 8601, plain counts.

/** Stands where a value is unknown. */
export const NOTHING = "–";

const LOCALE = "en-US";
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });

type Unknown = null | undefined;

/** `12,480` */
export function formatCount(value: number | Unknown): string {
  return value === null || value === undefined ? NOTHING : whole.format(value);
}

/** A mean as `4` or `3.2`. */
export function formatMean(value: number | Unknown): string {
  return value === null || value === undefined ? NOTHING : value.toLocaleString(LOCALE, { maximumFractionDigits: 1 });
}

/** `12.5K`: for places where the exact figure does not fit. */
export function formatCompact(value: number | Unknown): string {
  if (value === null || value === undefined) return NOTHING;
  return Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value);
}

/** A share of 0 to 1 as `2.1 %`. */
export function formatShare(value: number | Unknown): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOTHING;
  const percent = value * 100;
  if (percent === 0) return "0 %";
  if (percent < 0.1) return "< 0.1 %";
  return `${percent >= 99.95 || percent >= 10 ? trimmed(percent, percent >= 99.95 ? 0 : 1) : trimmed(percent, 1)} %`;
}

/** Milliseconds as `0.4 ms`, `820 ms`, `1.9 s`, `2 min 05 s`, `3 h 12 min`, `2 d 4 h`. */
export function formatDuration(ms: number | Unknown): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return NOTHING;
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms === 0) return "0 ms";
  if (ms < 1) return `${trimmed(ms, ms < 0.1 ? 3 : 2)} ms`;
  if (ms < 999.5) return `${ms < 10 ? trimmed(ms, 1) : whole.format(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${padded(seconds % 60)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${padded(minutes % 60)} min`;
  const hours = Math.round(ms / 3_600_000);
  return `${whole.format(Math.floor(hours / 24))} d ${hours % 24} h`;
}

/** A chosen bound of durations, without meaningless digits: `5 s`. */
export function formatRoundDuration(ms: number): string {
  return formatDuration(ms)
    .replace(/\.0+(?= )/, "")
    .replace(/(?<= (?:min|h|d)) 0+ (?:s|min|h)$/, "");
}

/** US dollars: `$41.80`, `$0.50`, `$0.021`, `$0.00035`; two figures that count below a dollar. */
export function formatCost(dollars: number | Unknown): string {
  if (dollars === null || dollars === undefined || !Number.isFinite(dollars)) return NOTHING;
  if (dollars === 0) return "$0";
  if (dollars < 0) return `−${formatCost(-dollars)}`;
  if (dollars < 0.000_001) return "< $0.000001";
  if (dollars >= 0.0995) {
    const digits = dollars >= 10_000 ? 0 : 2;
    return `$${dollars.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
  }
  return `$${dollars.toLocaleString(LOCALE, { maximumSignificantDigits: 2, maximumFractionDigits: 8 })}`;
}

/** `1.2 MB`; decimal units. */
export function formatBytes(bytes: number | Unknown): string {
  if (bytes === null || bytes === undefined) return NOTHING;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? whole.format(value) : trimmed(value, 1)} ${units[unit]}`;
}

function trimmed(value: number, digits: number): string {
  return value.toLocaleString(LOCALE, { maximumFractionDigits: digits });
}

function padded(value: number): string {
  return String(value).padStart(2, "0");
}

/** Zone names of the browser's list; "local" follows the browser, "utc" is UTC. */
type TimeZone = string;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: TimeZone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  let found = formatters.get(key);
  if (found === undefined) {
    const timeZone = zone === "local" ? {} : { timeZone: zone === "utc" ? "UTC" : zone };
    found = new Intl.DateTimeFormat("en-GB", { ...options, ...timeZone, hourCycle: "h23" });
    formatters.set(key, found);
  }
  return found;
}

const TIME: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };

/** `22:37:13` today, `20 Nov, 22:37:13` this year, `20 Nov 2025, 22:37` before. */
export function formatTime(iso: string | Unknown, zone: TimeZone, nowMs: number): string {
  const ms = iso === null || iso === undefined ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(ms)) return NOTHING;
  const day = formatter(zone, { ...DAY, year: "numeric" });
  if (day.format(ms) === day.format(nowMs)) return formatter(zone, TIME).format(ms);
  const year = formatter(zone, { year: "numeric" });
  if (year.format(ms) === year.format(nowMs)) return formatter(zone, { ...DAY, ...TIME }).format(ms);
  return formatter(zone, { ...DAY, year: "numeric", hour: "2-digit", minute: "2-digit" }).format(ms);
}

/** The whole instant with its zone, for tooltips: `20 Nov 2026, 22:37:13.042 CET`. */
export function formatInstant(iso: string, zone: TimeZone): string {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return NOTHING;
  const options = { ...DAY, ...TIME, year: "numeric", fractionalSecondDigits: 3, timeZoneName: "short" } as const;
  return formatter(zone, options).format(ms);
}

/** With its day, also today: `20 Nov 2026, 22:37`. */
export function formatDayAndTime(iso: string, zone: TimeZone): string {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return NOTHING;
  return formatter(zone, { ...DAY, year: "numeric", hour: "2-digit", minute: "2-digit" }).format(ms);
}

const parts = {
  minute: { hour: "2-digit", minute: "2-digit" },
  day: DAY,
  month: { month: "short", year: "numeric" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** One part of an instant, for axes: `22:37`, `20 Nov`, `Nov 2026`. */
export function formatTimePart(ms: number, zone: TimeZone, part: keyof typeof parts): string {
  return formatter(zone, parts[part]).format(ms);
}

/** `just now`, `3 min ago`, `2 h ago`, `5 d ago`, then the day. */
export function formatAgo(iso: string | Unknown, zone: TimeZone, nowMs: number): string {
  const ms = iso === null || iso === undefined ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(ms)) return NOTHING;
  const seconds = Math.round((nowMs - ms) / 1000);
  if (seconds < -60) return formatTime(iso, zone, nowMs);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  if (seconds < 30 * 86_400) return `${Math.floor(seconds / 86_400)} d ago`;
  return formatter(zone, { ...DAY, year: "numeric" }).format(ms);
}
