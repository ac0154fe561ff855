// What people decide about groups of failures, and what later failures make of it: state, merges and splits.
import { digestOf } from "../digest.ts";

export type FailureGroupState =
  | { readonly state: "open" }
  | { readonly state: "ignored" }
  | {
      readonly state: "resolved";
      readonly atUs: number;
      /** The version that resolves it; null where none was named. */
      readonly version: string | null;
      /** Those that had failed before. */
      readonly seenVersions: readonly string[];
    }
  | {
      readonly state: "reopened";
      readonly atUs: number;
      /** Of the failure that reopened it. */
      readonly version: string | null;
      /** What it had been resolved with. */
      readonly resolvedVersion: string | null;
    };

type ResolvedState = Extract<FailureGroupState, { readonly state: "resolved" }>;

interface LaterFailure {
  readonly startUs: number;
  readonly version: string | null;
}

/** The state after a failure of the group. A resolved group opens again with the first failure that began after it was resolved. Spans of
 *  versions that had failed before do not count, nor those of versions older than the one that resolves it: programs of theirs still run.
 *  Ignored groups stay ignored. */
export function stateAfterFailure(state: FailureGroupState, failure: LaterFailure): FailureGroupState {
  if (state.state !== "resolved" || failure.startUs <= state.atUs) return state;
  if (isExpected(state, failure.version)) return state;
  return { state: "reopened", atUs: failure.startUs, version: failure.version, resolvedVersion: state.version };
}

function isExpected({ version: resolving, seenVersions }: ResolvedState, version: string | null): boolean {
  if (version === null || version === resolving) return false;
  return seenVersions.includes(version) || (resolving !== null && compareVersions(version, resolving) < 0);
}

/** Orders versions by their numbers and words: `2.4.10` behind `2.4.9`, `2.4.0` behind `2.4.0-rc.1`. Words, such as hashes of commits, have
 *  no order: two of them, though different, count as equally old. */
export function compareVersions(one: string, other: string): number {
  const [release, candidate] = partsOf(one);
  const [otherRelease, otherCandidate] = partsOf(other);
  for (let at = 0; at < Math.max(release.length, otherRelease.length); at++) {
    const order = compareParts(release[at] ?? "0", otherRelease[at] ?? "0");
    if (order !== 0) return order;
  }
  if (candidate.length === 0 || otherCandidate.length === 0) return otherCandidate.length - candidate.length;
  for (let at = 0; at < Math.max(candidate.length, otherCandidate.length); at++) {
    if (candidate[at] === undefined || otherCandidate[at] === undefined)
      return candidate.length - otherCandidate.length;
    const order = compareParts(candidate[at]!, otherCandidate[at]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers of the release, and what stands behind the first `-`; without a build behind `+`. */
function partsOf(version: string): readonly [readonly string[], readonly string[]] {
  const [release = "", ...candidate] = version
    .trim()
    .replace(/^v(?=\d)/i, "")
    .replace(/\+.*$/, "")
    .split("-");
  return [release.split("."), candidate.length === 0 ? [] : candidate.join("-").split(/[.-]/)];
}

function compareParts(one: string, other: string): number {
  if (/^\d+$/.test(one) && /^\d+$/.test(other)) {
    const [a, b] = [one.replace(/^0+(?=\d)/, ""), other.replace(/^0+(?=\d)/, "")];
    return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  }
  // Words of releases before the final one are ordered by the alphabet: alpha, beta, rc.
  const isWord = /^[a-z]+$/i;
  return isWord.test(one) && isWord.test(other) ? (one < other ? -1 : one > other ? 1 : 0) : 0;
}

/** The group that a fingerprint belongs to after merges by hand, which lead from one group to another. Merging two groups into each
 *  other leads to the lower of them. */
export function mergedGroup(fingerprint: string, merges: ReadonlyMap<string, string>): string {
  const passed = [fingerprint];
  for (let next = merges.get(fingerprint); next !== undefined; next = merges.get(next)) {
    const from = passed.indexOf(next);
    if (from >= 0) return passed.slice(from).sort()[0]!;
    passed.push(next);
  }
  return passed.at(-1)!;
}

/** The fingerprint of a part of a group that was split by hand: the spans with this value of the attribute. */
export function splitFingerprint(fingerprint: string, attribute: string, value: string): string {
  return digestOf(["split", fingerprint, attribute, value]);
}
