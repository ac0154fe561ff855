// Counts, states, merges and splits of groups of failures.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  addFailure,
  addFailureCounts,
  type FailureOccurrence,
  type FailureTally,
} from "../../src/analysis/failures/failure-tally.ts";
import {
  compareVersions,
  type FailureGroupState,
  mergedGroup,
  splitFingerprint,
  stateAfterFailure,
} from "../../src/analysis/failures/group-rules.ts";
import { propagatedFailures } from "../../src/analysis/failures/propagated-failures.ts";
import { type SpanFailure, spanFailureOf } from "../../src/analysis/failures/span-failure.ts";
import { NO_FAILURE } from "./failure-corpus.ts";

const failure = (type: string, message = "it failed") =>
  spanFailureOf({ ...NO_FAILURE, status: "ERROR", exceptions: [{ type, message, stackTrace: null }] })!;

const INTERVAL_US = 100;
const key = fc.constantFrom("a", "b", "c");
const occurrences = fc.array(
  fc.record({
    type: fc.constantFrom("E", "F"),
    traceKey: key,
    startUs: fc.nat(1000),
    sessionKey: fc.option(key),
    userKey: fc.option(key),
    version: fc.option(key),
    environment: fc.option(key),
  }),
  { maxLength: 30 },
);

function tallyOf(added: readonly (FailureOccurrence & { readonly type: string })[]): FailureTally {
  const tally: FailureTally = new Map();
  for (const each of added) addFailure(tally, each.type, failure(each.type), each, INTERVAL_US);
  return tally;
}

/** Without the order in which members were added. */
function sorted(tally: FailureTally): unknown {
  const byKey = <Value>(entries: Iterable<readonly [unknown, Value]>) =>
    [...entries].sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return byKey(tally).map(([group, counts]) => [
    group,
    {
      ...counts,
      example: counts.example.spanKey,
      traces: [...counts.traces].sort(),
      sessions: [...counts.sessions].sort(),
    },
    [[...counts.users].sort(), byKey(counts.versions), byKey(counts.trend)],
  ]);
}

describe("counts of groups", () => {
  test("are what counting one by one gives, however the batches are cut", () => {
    fc.assert(
      fc.property(occurrences, fc.array(fc.nat(3), { minLength: 30, maxLength: 30 }), (drawn, batches) => {
        const all = drawn.map((each, at) => ({ ...each, spanKey: String(at) }));
        const whole = tallyOf(all);
        const added: FailureTally = new Map();
        for (const batch of [2, 0, 3, 1])
          addFailureCounts(added, tallyOf(all.filter((_, at) => batches[at] === batch)));
        expect(sorted(added)).toEqual(sorted(whole));
        for (const [type, counts] of whole) {
          const own = all.filter((each) => each.type === type);
          expect(counts.spans).toBe(own.length);
          expect(counts.traces.size).toBe(new Set(own.map(({ traceKey }) => traceKey)).size);
          expect(counts.firstUs).toBe(Math.min(...own.map(({ startUs }) => startUs)));
          expect([...counts.trend.values()].reduce((sum, spans) => sum + spans, 0)).toBe(own.length);
        }
      }),
    );
  });
});

describe("states of groups", () => {
  const resolved = (version: string | null, ...seenVersions: readonly string[]): FailureGroupState => ({
    ...{ state: "resolved", atUs: 100, version, seenVersions },
  });
  test.each<readonly [string, FailureGroupState, { startUs: number; version: string | null }, string]>([
    ["an open group stays open", { state: "open" }, { startUs: 200, version: null }, "open"],
    ["an ignored group stays ignored", { state: "ignored" }, { startUs: 200, version: null }, "ignored"],
    ["a failure from before that arrives late", resolved(null), { startUs: 100, version: null }, "resolved"],
    ["a failure that comes back", resolved(null), { startUs: 101, version: null }, "reopened"],
    [
      "a program that still runs in an older version",
      resolved("2.4.10"),
      { startUs: 200, version: "2.4.9" },
      "resolved",
    ],
    ["the version that should resolve it", resolved("2.4.10"), { startUs: 200, version: "v2.4.10" }, "reopened"],
    ["a later version", resolved("2.4.9"), { startUs: 200, version: "2.4.10" }, "reopened"],
    ["versions without an order", resolved("a81f3c"), { startUs: 200, version: "77be01" }, "reopened"],
    ["a version that had failed before", resolved(null, "77be01"), { startUs: 200, version: "77be01" }, "resolved"],
    ["one without an order", resolved("a81f3c", "77be01"), { startUs: 200, version: "77be01" }, "resolved"],
    ["another one", resolved(null, "77be01"), { startUs: 200, version: "88aa10" }, "reopened"],
    ["an unknown version", resolved(null, "77be01"), { startUs: 200, version: null }, "reopened"],
    ["the resolving version, seen before", resolved("2.4", "2.4"), { startUs: 200, version: "2.4" }, "reopened"],
  ])("%s", (_what, state, later, expected) => {
    expect(stateAfterFailure(state, later).state).toBe(expected as never);
  });

  test("a reopened group says when, in which version, and what had resolved it", () => {
    expect(stateAfterFailure(resolved("2"), { startUs: 200, version: "2.1" })).toEqual({
      state: "reopened",
      atUs: 200,
      version: "2.1",
      resolvedVersion: "2",
    });
  });

  test("versions are ordered by numbers, and candidates come before the release", () => {
    const ordered = ["1.0-alpha.1", "1.0-beta.2", "1.0-beta.10", "1.0-rc", "1.0", "1.0.1", "1.2", "1.10+build", "2"];
    ordered.forEach((one, at) => {
      ordered.forEach((other, otherAt) => {
        expect(Math.sign(compareVersions(one, other))).toBe(Math.sign(at - otherAt));
      });
    });
    expect(compareVersions("v1.0.0", "1")).toBe(0);
  });
});

describe("merges and splits by hand", () => {
  test("a merge of merges leads to the last group, and a circle to its lowest", () => {
    const merges = new Map([
      ["a", "b"],
      ["b", "c"],
      ["x", "y"],
      ["y", "x"],
      ["w", "y"],
    ]);
    expect(["a", "b", "c", "d"].map((each) => mergedGroup(each, merges))).toEqual(["c", "c", "c", "d"]);
    expect(["x", "y", "w"].map((each) => mergedGroup(each, merges))).toEqual(["x", "x", "x"]);
  });

  test("parts of a split group differ by attribute and value, and are always the same", () => {
    const parts = [
      splitFingerprint("a", "model", "x"),
      splitFingerprint("a", "model", "y"),
      splitFingerprint("a", "version", "x"),
    ];
    expect(new Set(parts).size).toBe(3);
    expect(splitFingerprint("a", "model", "x")).toBe(parts[0]!);
  });
});

describe("failures that are passed on", () => {
  const span = (spanKey: string, parentKey: string | null, of: SpanFailure) => ({ spanKey, parentKey, failure: of });

  test("lead to the span where they began, past spans that did not fail no further", () => {
    const failed = [
      span("root", null, failure("httpx.ReadTimeout")),
      span("agent", "root", failure("httpx.ReadTimeout")),
      span("tool", "agent", failure("ReadTimeout")),
      span("other", "agent", failure("KeyError")),
      span("below a caught one", "other", failure("ValueError")),
      span("apart", "went well", failure("KeyError")),
      span("of itself", "of itself", failure("KeyError")),
    ];
    expect(propagatedFailures(failed)).toEqual(
      new Map([
        ["root", "tool"],
        ["agent", "tool"],
      ]),
    );
  });

  test("end where spans are each other's parents", () => {
    const failed = [span("a", "b", failure("E")), span("b", "a", failure("E"))];
    expect([...propagatedFailures(failed).keys()].sort()).toEqual(["a", "b"]);
  });
});
