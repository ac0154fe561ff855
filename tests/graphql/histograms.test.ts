// Histograms of latency, tokens and scores in GraphQL: against values that are counted one by one, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { formatInstant } from "../../src/kernel/time.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const TRACES = 300;
const MINUTE_US = 60_000_000;

interface Bin {
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Latencies from none to a minute, some without tokens, scores of people and of programs. */
const traces = Array.from({ length: TRACES }, (_, at) => ({
  at,
  key: `t${at}`,
  latencyUs: at % 50 === 0 ? 0 : Math.floor(10 ** (1 + ((at * 37) % 100) / 14.5)),
  tokens: at % 3 === 0 ? 0 : 1 + ((at * 7919) % 20_000),
  kind: at % 4 === 0 ? "HUMAN" : at % 4 === 1 ? "CODE" : "LLM",
  share: ((at * 31) % 101) / 100,
  stars: 1 + (at % 5),
}));

/** The same bins with values counted one by one. */
function counted(bins: readonly Bin[], values: readonly number[]): Bin[] {
  return bins.map((bin, at) => ({
    ...bin,
    count: values.filter(
      (value) => value >= bin.min && (value < bin.max || (at === bins.length - 1 && value === bin.max)),
    ).length,
  }));
}

function expectCounted(bins: readonly Bin[], values: readonly number[], most: number): void {
  expect(bins).toEqual(counted(bins, values));
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
  expect(bins.length).toBeLessThanOrEqual(most);
  expect(bins.length).toBeGreaterThan(3);
  expect(bins.slice(1).map(({ min }) => min)).toEqual(bins.slice(0, -1).map(({ max }) => max));
}

forEachDriver("histograms", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await ingestBatch(
      api.stored.ingest,
      traces.map(({ at, key, latencyUs, tokens }) => {
        const startUs = START_US + at * MINUTE_US;
        return incomingSpan({
          ...{ projectName: "spread", traceKey: key, spanKey: key, sessionKey: key, name: at % 2 ? "odd" : "even" },
          ...{
            startUs,
            endUs: startUs + latencyUs,
            kind: "LLM",
            promptTokens: tokens - (tokens >> 1),
            completionTokens: tokens >> 1,
          },
        });
      }),
    );
    await ingestBatch(api.stored.ingest, [
      incomingSpan({ projectName: "other", traceKey: "o", spanKey: "o", endUs: START_US + 77, promptTokens: 5 }),
      incomingSpan({ projectName: "alike", traceKey: "a", spanKey: "a", endUs: START_US + 5000, promptTokens: 5 }),
      incomingSpan({ projectName: "instant", traceKey: "i", spanKey: "i", endUs: START_US }),
    ]);
    for (const target of ["span", "trace", "session"]) {
      const data = traces.flatMap(({ key, kind, share, stars, at }) => {
        const said = { [`${target}_id`]: key, annotator_kind: kind };
        return [
          ...[
            { ...said, name: "share", result: { score: share } },
            { ...said, name: "words", result: { label: "fine" } },
          ],
          ...(at % 2 ? [] : [{ ...said, name: "stars", result: { score: stars } }]),
        ];
      });
      const answer = await send(api.server, `POST /v1/${target}_annotations?sync=true`, { json: { data } });
      expect(answer.status).toBe(200);
    }
  });

  const ask = async <Fields>(name: string, fields: string) =>
    (await askData<{ project: Fields }>(api, `{ project: getProjectByName(name: "${name}") { ${fields} } }`)).project;
  const range = (from: number, to: number) =>
    `timeRange: {start: "${formatInstant(START_US + from * MINUTE_US)}", end: "${formatInstant(START_US + to * MINUTE_US)}"}`;

  test("of latencies and tokens, whole, in a range and under a condition", async () => {
    const bins = "{ min max count }";
    const odd = `filterCondition: "name == 'odd'"`;
    const found = await ask<Record<string, Bin[]>>(
      "spread",
      `latencies: traceLatencyMsHistogram ${bins} tokens: traceTokenCountHistogram ${bins}
       few: traceLatencyMsHistogram(${range(20, 120)}) ${bins} odd: traceTokenCountHistogram(${range(20, 300)}, ${odd}) ${bins}
       none: traceLatencyMsHistogram(${range(-9, -1)}) ${bins}`,
    );
    expectCounted(
      found.latencies!,
      traces.map(({ latencyUs }) => latencyUs / 1000),
      40,
    );
    expectCounted(
      found.few!,
      traces.slice(20, 120).map(({ latencyUs }) => latencyUs / 1000),
      40,
    );
    const tokens = (of: typeof traces) => of.flatMap((each) => (each.tokens > 0 ? [each.tokens] : []));
    expectCounted(found.tokens!, tokens(traces), 40);
    expectCounted(found.odd!, tokens(traces.slice(20).filter(({ at }) => at % 2 === 1)), 40);
    expect(found.none).toEqual([]);
  });

  test("of values that are all alike: one bin", async () => {
    const both = "traceLatencyMsHistogram { min max count } traceTokenCountHistogram { min max count }";
    expect(await ask("alike", both)).toEqual({
      traceLatencyMsHistogram: [{ min: 5, max: 5, count: 1 }],
      traceTokenCountHistogram: [{ min: 5, max: 5, count: 1 }],
    });
    expect(await ask("instant", both)).toEqual({
      traceLatencyMsHistogram: [{ min: 0, max: 0, count: 1 }],
      traceTokenCountHistogram: [],
    });
  });

  test.each(["span", "trace", "session"])("of the scores of every %s, people apart", async (target) => {
    interface Scores {
      readonly name: string;
      readonly bins: Bin[];
      readonly humanCounts: number[];
    }
    const field = (from: number, to: number, more = "") =>
      `${target}AnnotationScoreHistograms(${range(from, to)}${more}) { name bins { min max count } humanCounts }`;
    const { all, few } = await ask<{ all: Scores[]; few: Scores[] }>(
      "spread",
      `all: ${field(0, TRACES)} few: ${field(40, 140, ", first: 1")}`,
    );
    expect([all, few].map((each) => each.map(({ name }) => name))).toEqual([["share", "stars"], ["share"]]);
    const [share, stars] = all as [Scores, Scores];
    const people = (bins: Bin[], of: typeof traces, value: (trace: (typeof traces)[number]) => number) =>
      counted(bins, of.filter(({ kind }) => kind === "HUMAN").map(value)).map(({ count }) => count);
    expectCounted(
      share.bins,
      traces.map((each) => each.share),
      20,
    );
    expect(share.humanCounts).toEqual(people(share.bins, traces, (each) => each.share));
    const starred = traces.filter(({ at }) => at % 2 === 0);
    expectCounted(
      stars.bins,
      starred.map((each) => each.stars),
      20,
    );
    expect(stars.bins.map(({ min, max }) => [min, max])).toEqual([1, 2, 3, 4, 5].map((star) => [star, star + 1]));
    expect(stars.humanCounts).toEqual(people(stars.bins, starred, (each) => each.stars));
    expectCounted(
      few[0]!.bins,
      traces.slice(40, 140).map((each) => each.share),
      20,
    );
  });

  test("what is asked wrongly is refused by name", async () => {
    const refused = (field: string) => askRefusal(api, `{ getProjectByName(name: "spread") { ${field} } }`);
    expect(await refused("traceAnnotationScoreHistograms(timeRange: {}) { name }")).toStartWith(
      "BAD_REQUEST timeRange",
    );
    expect(await refused(`traceAnnotationScoreHistograms(${range(0, 1)}, first: 51) { name }`)).toStartWith(
      "BAD_REQUEST first",
    );
    expect(await refused(`traceLatencyMsHistogram(filterCondition: "nonsense ==") { count }`)).toStartWith(
      "BAD_REQUEST",
    );
  });
});
