// What is counted of each group of failures in a batch of spans: a difference that is added to what is stored. Adding batches in any order
// and cut in any way gives the same counts.
import type { SpanFailure } from "./span-failure.ts";

/** Where and when a span failed. */
export interface FailureOccurrence {
  readonly traceKey: string;
  readonly spanKey: string;
  readonly startUs: number;
  readonly sessionKey: string | null;
  readonly userKey: string | null;
  /** `service.version`. */
  readonly version: string | null;
  /** `deployment.environment`. */
  readonly environment: string | null;
}

interface FailureCounts {
  /** What the group is called by: of the failure that was added first. */
  readonly failure: SpanFailure;
  spans: number;
  firstUs: number;
  lastUs: number;
  /** The earliest span of it, of equal times the one with the lowest keys. */
  example: FailureOccurrence;
  /** Sets, because only sets of two batches can be added. */
  readonly traces: Set<string>;
  readonly sessions: Set<string>;
  readonly users: Set<string>;
  /** Spans by version and environment. */
  readonly versions: Map<string, VersionCount>;
  /** Spans by the beginning of their interval. */
  readonly trend: Map<number, number>;
}

interface VersionCount {
  readonly version: string | null;
  readonly environment: string | null;
  spans: number;
  firstUs: number;
  lastUs: number;
}

/** Counts by fingerprint. */
export type FailureTally = Map<string, FailureCounts>;

/** Adds one failed span. Each span is added once: the caller leaves out those that are stored. `group` is the fingerprint of the
 *  failure, or of what it was merged or split into. `intervalUs` is the width of the trend's intervals. */
export function addFailure(
  tally: FailureTally,
  group: string,
  failure: SpanFailure,
  occurrence: FailureOccurrence,
  intervalUs: number,
): void {
  const { traceKey, sessionKey, userKey, startUs } = occurrence;
  const counts = tally.get(group) ?? emptyCounts(failure, occurrence);
  tally.set(group, counts);
  counts.spans++;
  counts.firstUs = Math.min(counts.firstUs, startUs);
  counts.lastUs = Math.max(counts.lastUs, startUs);
  if (isEarlier(occurrence, counts.example)) counts.example = occurrence;
  counts.traces.add(traceKey);
  if (sessionKey !== null) counts.sessions.add(sessionKey);
  if (userKey !== null) counts.users.add(userKey);
  addVersion(counts.versions, { ...occurrence, spans: 1, firstUs: startUs, lastUs: startUs });
  const interval = Math.floor(startUs / intervalUs) * intervalUs;
  counts.trend.set(interval, (counts.trend.get(interval) ?? 0) + 1);
}

/** Adds the counts of other spans. */
export function addFailureCounts(tally: FailureTally, more: FailureTally): void {
  for (const [group, added] of more) {
    const counts = tally.get(group);
    if (counts === undefined) {
      tally.set(group, copyOf(added));
      continue;
    }
    counts.spans += added.spans;
    counts.firstUs = Math.min(counts.firstUs, added.firstUs);
    counts.lastUs = Math.max(counts.lastUs, added.lastUs);
    if (isEarlier(added.example, counts.example)) counts.example = added.example;
    for (const key of added.traces) counts.traces.add(key);
    for (const key of added.sessions) counts.sessions.add(key);
    for (const key of added.users) counts.users.add(key);
    for (const version of added.versions.values()) addVersion(counts.versions, version);
    for (const [interval, spans] of added.trend) counts.trend.set(interval, (counts.trend.get(interval) ?? 0) + spans);
  }
}

function emptyCounts(failure: SpanFailure, occurrence: FailureOccurrence): FailureCounts {
  return {
    failure,
    spans: 0,
    firstUs: occurrence.startUs,
    lastUs: occurrence.startUs,
    example: occurrence,
    traces: new Set(),
    sessions: new Set(),
    users: new Set(),
    versions: new Map(),
    trend: new Map(),
  };
}

function copyOf(counts: FailureCounts): FailureCounts {
  return {
    ...counts,
    traces: new Set(counts.traces),
    sessions: new Set(counts.sessions),
    users: new Set(counts.users),
    versions: new Map([...counts.versions].map(([key, version]) => [key, { ...version }])),
    trend: new Map(counts.trend),
  };
}

function isEarlier(one: FailureOccurrence, other: FailureOccurrence): boolean {
  if (one.startUs !== other.startUs) return one.startUs < other.startUs;
  return one.traceKey === other.traceKey ? one.spanKey < other.spanKey : one.traceKey < other.traceKey;
}

function addVersion(versions: Map<string, VersionCount>, { version, environment, ...added }: VersionCount): void {
  const key = JSON.stringify([version, environment]);
  const found = versions.get(key);
  if (found === undefined) {
    const { spans, firstUs, lastUs } = added;
    versions.set(key, { version, environment, spans, firstUs, lastUs });
    return;
  }
  found.spans += added.spans;
  found.firstUs = Math.min(found.firstUs, added.firstUs);
  found.lastUs = Math.max(found.lastUs, added.lastUs);
}
