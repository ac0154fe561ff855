// Groups of failures as records.
import type { SpanFailure } from "../../../analysis/failures/span-failure.ts";
import type { TypeWord } from "../../../kernel/ids.ts";

export const FAILURE_GROUP: TypeWord<FailureGroup> = "FailureGroup";

export const failureGroupStates = ["open", "reopened", "resolved", "ignored"] as const;
export type FailureGroupStateName = (typeof failureGroupStates)[number];

/** By what groups are listed, the highest first. */
export const failureGroupSorts = ["last_seen", "first_seen", "span_count", "trace_count"] as const;
export type FailureGroupSort = (typeof failureGroupSorts)[number];

/** A group that is open and whose first failure began within this time is new. Microseconds. */
export const NEW_FOR_US = 24 * 3_600_000_000;

/** Intervals of a trend, microseconds. */
export const intervalsUs = { hour: 3_600_000_000, day: 86_400_000_000 } as const;
/** Of a trend whose start is not named. */
export const USUAL_POINTS = 168;

/** Spans that only pass on the failure of one below them are not counted. Times are microseconds UTC. */
export interface FailureGroup extends Omit<SpanFailure, "fingerprint"> {
  readonly id: number;
  readonly projectId: number;
  /** The value of `error_group` in filters. */
  readonly key: string;
  readonly state: FailureGroupStateName;
  /** Null where no person has changed the state. */
  readonly stateUs: number | null;
  /** The version that resolves it, or was to. */
  readonly resolvedVersion: string | null;
  /** Of the failure that reopened it. */
  readonly reopenedVersion: string | null;
  readonly spanCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
  readonly userCount: number;
  readonly firstUs: number;
  readonly lastUs: number;
  /** Start of its earliest failure, also when that was deleted. */
  readonly knownUs: number;
}

export interface FailureVersion {
  readonly groupId: number;
  readonly version: string | null;
  readonly environment: string | null;
  readonly spanCount: number;
  readonly firstUs: number;
  readonly lastUs: number;
}

export interface FailureTrendPoint {
  readonly groupId: number;
  /** The beginning of the interval. */
  readonly startUs: number;
  readonly spanCount: number;
}

export interface FailureFingerprint {
  readonly groupId: number;
  readonly fingerprint: string;
  readonly type: string | null;
  readonly message: string;
}

/** `open` without new and reopened ones is what is left of it: it includes both. */
export interface FailureGroupCounts {
  readonly open: number;
  readonly new: number;
  readonly reopened: number;
  readonly resolved: number;
  readonly ignored: number;
}
