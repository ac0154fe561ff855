// How far the clocks of a time zone are from UTC, and when that changes.

const MINUTE_NS = 60_000_000_000;

export interface OffsetChange {
  /** Microseconds UTC. */
  readonly atUs: number;
  /** From then on, ahead of UTC. */
  readonly offsetMinutes: number;
}

export interface ZoneOffsets {
  /** Before the first change. */
  readonly offsetMinutes: number;
  /** Ascending. */
  readonly changes: readonly OffsetChange[];
}

/** Between two instants, in microseconds UTC. Null for a name that is no time zone, and for more than `most` changes. */
export function findZoneOffsets(zone: string, fromUs: number, toUs: number, most: number): ZoneOffsets | null {
  let at: Temporal.ZonedDateTime | null;
  try {
    at = Temporal.Instant.fromEpochMilliseconds(Math.floor(fromUs / 1000)).toZonedDateTimeISO(zone);
  } catch {
    return null;
  }
  const offsetMinutes = minutesOf(at);
  const changes: OffsetChange[] = [];
  for (at = at.getTimeZoneTransition("next"); at !== null; at = at.getTimeZoneTransition("next")) {
    const atUs = at.epochMilliseconds * 1000;
    if (atUs >= toUs) break;
    if (changes.push({ atUs, offsetMinutes: minutesOf(at) }) > most) return null;
  }
  return { offsetMinutes, changes };
}

function minutesOf({ offsetNanoseconds }: Temporal.ZonedDateTime): number {
  return Math.round(offsetNanoseconds / MINUTE_NS);
}
