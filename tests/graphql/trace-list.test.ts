// `Project.traces` and `Project.traceFigures`: every sort in both directions with pages of any size, ranges and conditions, against
// the same worked out here, on both databases.

import { beforeAll, describe, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const MINUTE_US = 60_000_000;

/** Ties in every sort value. */
const traces = Array.from({ length: 23 }, (_, number) => ({
  key: `trace-${number}`,
  startUs: START_US + (number % 7) * MINUTE_US,
  latencyMs: 10 * (number % 5),
  spans: 1 + (number % 3),
  failed: number % 4 === 0,
  tokens: number % 6,
}));
type Expected = (typeof traces)[number];

const sorts: Readonly<Record<string, (trace: Expected) => number>> = {
  startTime: ({ startUs }) => startUs,
  latencyMs: ({ latencyMs }) => latencyMs,
  numSpans: ({ spans }) => spans,
  errorCount: ({ failed }) => Number(failed),
  tokenCountTotal: ({ tokens }) => tokens,
};

interface Page {
  readonly project: {
    readonly traces: {
      readonly edges: readonly { readonly node: { readonly traceId: string; readonly tokenCountTotal: number } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

forEachDriver("GraphQL lists of traces", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    // One by one: row ids follow the order of the list above.
    for (const { key, startUs, latencyMs, spans, failed, tokens } of traces) {
      const batch = Array.from({ length: spans }, (_, at) =>
        incomingSpan({
          projectName: "listed",
          traceKey: key,
          spanKey: `${key}-${at}`,
          parentKey: at === 0 ? null : `${key}-0`,
          kind: "LLM",
          status: failed && at === 0 ? "ERROR" : "OK",
          startUs,
          endUs: startUs + latencyMs * 1000,
          promptTokens: at === 0 ? tokens : 0,
          completionTokens: 0,
        }),
      );
      await ingestBatch(api.stored.ingest, batch);
    }
  });

  async function listAll(given: { sort?: string; filter?: string; range?: string; first?: number }): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const answer: Page = await askData<Page>(
        api,
        `query ($first: Int!, $after: String, $filter: String) { project: getProjectByName(name: "listed") {
          traces(first: $first, after: $after, filterCondition: $filter ${given.sort ?? ""} ${given.range ?? ""}) {
            edges { node { traceId tokenCountTotal } } pageInfo { hasNextPage endCursor } } } }`,
        { first: given.first ?? 5, after, filter: given.filter ?? null },
      );
      const { traces: listed } = answer.project;
      found.push(...listed.edges.map(({ node }) => node.traceId));
      if (!listed.pageInfo.hasNextPage) return found;
      after = listed.pageInfo.endCursor;
    }
  }

  const sorted = (value: (trace: Expected) => number, way: number, rows: readonly Expected[] = traces) =>
    rows
      .map((trace, id) => ({ key: trace.key, value: value(trace), id }))
      .sort((one, other) => way * (one.value - other.value || one.id - other.id))
      .map(({ key }) => key);

  describe.each(Object.keys(sorts))("sorted by %s", (name) => {
    test.each([
      ["asc", 1],
      ["desc", -1],
    ] as const)("%s", async (direction, way) => {
      const sort = `, sort: { col: ${name}, dir: ${direction} }`;
      for (const first of [1, 5, 1000]) expect(await listAll({ sort, first })).toEqual(sorted(sorts[name]!, way));
    });
  });

  test("latest start first by itself, narrowed by a condition on traces and a range", async () => {
    const failed = traces.filter((trace) => trace.failed && trace.startUs >= START_US + MINUTE_US);
    const range = `, timeRange: { start: "${new Date((START_US + MINUTE_US) / 1000).toISOString()}" }`;
    expect(new Set(await listAll({ filter: "error_count > 0", range }))).toEqual(new Set(failed.map(({ key }) => key)));
    expect(await listAll({})).toEqual(sorted(sorts.startTime!, -1));
  });

  test("figures over what matches", async () => {
    const ask = (filter: string) =>
      askData<{ project: { traceFigures: unknown } }>(
        api,
        `query ($filter: String) { project: getProjectByName(name: "listed") { traceFigures(filterCondition: $filter) {
          count errorCount latencyMsP50 latencyMsP99 tokenCountPrompt tokenCountCompletion tokenCountTotal } } }`,
        { filter },
      );
    const matching = traces.filter(({ latencyMs }) => latencyMs >= 20);
    const tokens = matching.reduce((sum, trace) => sum + trace.tokens, 0);
    expect((await ask("latency_ms >= 20")).project.traceFigures).toEqual({
      count: matching.length,
      errorCount: matching.filter(({ failed }) => failed).length,
      latencyMsP50: 30,
      latencyMsP99: 40,
      tokenCountPrompt: tokens,
      tokenCountCompletion: 0,
      tokenCountTotal: tokens,
    });
    expect((await ask("num_spans > 99")).project.traceFigures).toMatchObject({ count: 0, latencyMsP50: null });
  });

  test("refuses an invalid condition, and the cursor of another list", async () => {
    const refused = (given: string) =>
      askRefusal(api, `{ getProjectByName(name: "listed") { traces(${given}) { edges { cursor } } } }`);
    expect(await refused(`first: 5, filterCondition: "nm_spans > 1"`)).toContain("invalid name `nm_spans`");
    expect(await refused(`first: 5, after: "bm9uc2Vuc2U="`)).toContain("is not one of this list");
    expect(await refused("first: 0")).toContain("first: must be from 1 to 1000");
  });
});
