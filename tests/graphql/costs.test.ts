// Costs in GraphQL, against numbers worked out by hand: of spans, traces, sessions and projects, and over time.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { GIVEN, INPUT, OUTPUT, testPrices } from "../support/prices.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const HOUR_US = 3_600_000_000;
const USD = 1e12;
const CALL = { kind: "LLM", model: "known", promptTokens: 10, completionTokens: 4 } as const;
const SUMMARY = "{ prompt { tokens cost } completion { tokens cost } total { tokens cost } }";
const ENTRIES = "{ tokenType isPrompt value { tokens cost } }";

forEachDriver("GraphQL costs", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    // An agent, a call that was recorded twice, one with a cost from its sender and one of an unknown model; an hour later one more.
    const first = { projectName: "costs", traceKey: "first", sessionKey: "chat" };
    const second = { ...first, traceKey: "second", startUs: START_US + HOUR_US, endUs: START_US + HOUR_US + 1 };
    await ingestBatch(
      api.stored.ingest,
      [
        incomingSpan({ ...first, spanKey: "agent", kind: "AGENT" }),
        incomingSpan({ ...first, ...CALL, spanKey: "outer", parentKey: "agent" }),
        incomingSpan({ ...first, ...CALL, spanKey: "inner", parentKey: "outer" }),
        incomingSpan({ ...first, ...CALL, spanKey: "given", parentKey: "agent", model: "given", promptTokens: 3 }),
        incomingSpan({ ...first, ...CALL, spanKey: "unknown", parentKey: "agent", model: "x", promptTokens: 5 }),
        incomingSpan({ ...second, ...CALL, spanKey: "next", promptTokens: 20 }),
        incomingSpan({ ...CALL, projectName: "round", traceKey: "round", spanKey: "loop", parentKey: "loop" }),
        incomingSpan({ projectName: "free", traceKey: "free", sessionKey: "free" }),
      ],
      testPrices,
    );
  });

  const span = async (key: string, fields: string) =>
    (await askData<{ span: unknown }>(api, `{ span: getSpanByOtelId(spanId: "${key}") { ${fields} } }`)).span;
  const trace = async (key: string, fields: string) =>
    (await askData<{ trace: unknown }>(api, `{ trace: getTraceByOtelId(traceId: "${key}") { ${fields} } }`)).trace;
  const project = async (name: string, fields: string) =>
    (await askData<{ project: unknown }>(api, `{ project: getProjectByName(name: "${name}") { ${fields} } }`)).project;
  const dollars = (tokens: number | null, units: number | null) => ({
    tokens,
    cost: units === null ? null : units / USD,
  });
  const summary = (prompt: [number, number], completion: [number, number], total: number) => ({
    prompt: dollars(...prompt),
    completion: dollars(...completion),
    total: dollars(prompt[0] + completion[0], total),
  });
  const NOTHING = { prompt: dollars(null, null), completion: dollars(null, null), total: dollars(null, null) };

  test("of a span, with where the amount is from", async () => {
    const fields = `costSummary ${SUMMARY} costSource givenCost costDetailSummaryEntries ${ENTRIES}`;
    const call = summary([10, 10 * INPUT], [4, 4 * OUTPUT], 10 * INPUT + 4 * OUTPUT);
    const entries = [
      { tokenType: "input", isPrompt: true, value: dollars(10, 10 * INPUT) },
      { tokenType: "output", isPrompt: false, value: dollars(4, 4 * OUTPUT) },
    ];
    for (const key of ["outer", "inner"])
      expect(await span(key, fields)).toEqual({
        costSummary: call,
        costSource: "PRICE",
        givenCost: null,
        costDetailSummaryEntries: entries,
      });
    expect(await span("given", `costSummary ${SUMMARY} costSource givenCost`)).toEqual({
      costSummary: { prompt: dollars(3, null), completion: dollars(4, null), total: dollars(7, GIVEN) },
      costSource: "GIVEN",
      givenCost: GIVEN / USD,
    });
    expect(await span("unknown", `costSummary ${SUMMARY} costSource`)).toEqual({
      costSummary: { prompt: dollars(5, null), completion: dollars(4, null), total: dollars(9, null) },
      costSource: "UNKNOWN",
    });
    expect(await span("agent", fields)).toEqual({
      costSummary: null,
      costSource: null,
      givenCost: null,
      costDetailSummaryEntries: [],
    });
  });

  // The call that was recorded twice counts once.
  const first = summary([18, 10 * INPUT], [12, 4 * OUTPUT], 10 * INPUT + 4 * OUTPUT + GIVEN);
  const all = summary([38, 30 * INPUT], [16, 8 * OUTPUT], 30 * INPUT + 8 * OUTPUT + GIVEN);

  test("of a span with everything below it, each call once", async () => {
    const entries = async (key: string) =>
      ((await span(key, `entries: cumulativeCostDetailSummaryEntries ${ENTRIES}`)) as { entries: unknown }).entries;
    const twice = (prompt: [number, number], completion: [number, number]) => [
      { tokenType: "input", isPrompt: true, value: dollars(...prompt) },
      { tokenType: "output", isPrompt: false, value: dollars(...completion) },
    ];
    expect(await entries("agent")).toEqual(twice([18, 10 * INPUT], [12, 4 * OUTPUT]));
    for (const key of ["outer", "inner"]) expect(await entries(key)).toEqual(twice([10, 10 * INPUT], [4, 4 * OUTPUT]));
    expect(await span("loop", `cumulativeCostDetailSummaryEntries ${ENTRIES}`)).toEqual({
      cumulativeCostDetailSummaryEntries: twice([10, 10 * INPUT], [4, 4 * OUTPUT]),
    });
  });

  test("of traces and sessions, each call once", async () => {
    const entries = (prompt: [number, number], completion: [number, number]) => [
      { tokenType: "input", isPrompt: true, value: dollars(...prompt) },
      { tokenType: "output", isPrompt: false, value: dollars(...completion) },
    ];
    const fields = `costSummary ${SUMMARY} costDetailSummaryEntries ${ENTRIES}`;
    expect(await trace("first", `${fields} session { ${fields} }`)).toEqual({
      costSummary: first,
      costDetailSummaryEntries: entries([18, 10 * INPUT], [12, 4 * OUTPUT]),
      session: {
        costSummary: all,
        costDetailSummaryEntries: entries([38, 30 * INPUT], [16, 8 * OUTPUT]),
      },
    });
    expect(await trace("free", `${fields} session { costSummary ${SUMMARY} }`)).toEqual({
      costSummary: NOTHING,
      costDetailSummaryEntries: [],
      session: { costSummary: NOTHING },
    });
  });

  test("of rows, as they keep it", async () => {
    expect(await trace("first", "costTotal session { costTotal }")).toEqual({
      costTotal: first.total.cost,
      session: { costTotal: all.total.cost },
    });
    expect(await trace("free", "costTotal session { costTotal }")).toEqual({
      costTotal: null,
      session: { costTotal: null },
    });
    const costs = ["outer", "given", "unknown", "agent"].map((key) => span(key, "costTotal"));
    const known = (10 * INPUT + 4 * OUTPUT) / USD;
    expect(await Promise.all(costs)).toEqual([known, GIVEN / USD, null, null].map((costTotal) => ({ costTotal })));
  });

  test("say where the amounts of a trace and a session are from", async () => {
    const fields = "costOrigins { price given unknown }";
    expect(await trace("first", `${fields} session { ${fields} }`)).toEqual({
      costOrigins: { price: 1, given: 1, unknown: 1 },
      session: { costOrigins: { price: 2, given: 1, unknown: 1 } },
    });
    expect(await trace("free", fields)).toEqual({ costOrigins: { price: 0, given: 0, unknown: 0 } });
  });

  test("beside lists, of what is listed", async () => {
    const cost = `figures { costTotal }`;
    const dear = `filterCondition: "total_cost > 0 and prompt_cost == 0"`;
    expect(
      await project(
        "costs",
        `all: traceFigures { costTotal } traces: listedTraces { ${cost} }
        first: listedTraces(filterCondition: "num_spans > 1") { ${cost} }
        spans: listedSpans { costSummary ${SUMMARY} } dear: listedSpans(${dear}) { costSummary ${SUMMARY} }`,
      ),
    ).toEqual({
      all: { costTotal: all.total.cost },
      traces: { figures: { costTotal: all.total.cost } },
      first: { figures: { costTotal: first.total.cost } },
      spans: { costSummary: all },
      dear: { costSummary: { prompt: dollars(3, null), completion: dollars(4, null), total: dollars(7, GIVEN) } },
    });
    expect(await project("free", "traceFigures { costTotal }")).toEqual({ traceFigures: { costTotal: null } });
  });

  const instant = (hours: number) => new Date((START_US + hours * HOUR_US) / 1000).toISOString();
  const range = (from: number, to: number) => `timeRange: {start: "${instant(from)}", end: "${instant(to)}"}`;

  test("of projects, in a range and under conditions", async () => {
    expect(
      await project(
        "costs",
        `all: costSummary ${SUMMARY} first: costSummary(${range(-1, 1)}) ${SUMMARY}
        dear: costSummary(filterCondition: "total_cost > 0 and prompt_cost == 0") ${SUMMARY}
        chat: costSummary(sessionFilterCondition: "num_traces > 1") ${SUMMARY}
        none: costSummary(${range(5, 6)}) ${SUMMARY}`,
      ),
    ).toEqual({
      all,
      first,
      dear: { prompt: dollars(3, null), completion: dollars(4, null), total: dollars(7, GIVEN) },
      chat: all,
      none: NOTHING,
    });
    expect(await project("free", `costSummary ${SUMMARY}`)).toEqual({ costSummary: NOTHING });
  });

  test("lists in the order of cost, without what has none", async () => {
    const spans = (col: string, more = "") =>
      `spans(first: 10, sort: {col: ${col}, dir: desc} ${more}) { edges { node { name: spanId } } }`;
    const names = async (field: string) => {
      const found = (await project("costs", field)) as Record<string, { edges: { node: { name: string } }[] }>;
      return Object.values(found)[0]!.edges.map(({ node }) => node.name);
    };
    // Arrived later first where the cost is the same.
    expect(await names(spans("tokenCostTotal"))).toEqual(["next", "inner", "outer", "given"]);
    expect(await names(spans("tokenCostTotal", `filterCondition: "prompt_cost == 0"`))).toEqual(["given"]);
    expect(await names(spans("cumulativeTokenCostTotal", "rootSpansOnly: true"))).toEqual(["next", "agent"]);
    const traces = "traces(first: 10, sort: {col: costTotal, dir: asc}) { edges { node { name: traceId } } }";
    expect(await names(traces)).toEqual(["first", "second"]);
    const sessions = "sessions(first: 10, sort: {col: costTotal, dir: desc}) { edges { node { name: sessionId } } }";
    expect(await names(sessions)).toEqual(["chat"]);
  });

  test("count tokens by kind over time, by the start of the trace, each call once", async () => {
    const kinds = "{ tokenType tokenCount }";
    const series = `traceTokenCountTimeSeries(${range(-1, 2)}) { data {
      promptTokenCountDetails ${kinds} completionTokenCountDetails ${kinds} } }`;
    const of = (tokenType: string, tokenCount: number) => [{ tokenType, tokenCount }];
    expect(await project("costs", series)).toEqual({
      traceTokenCountTimeSeries: {
        data: [
          { promptTokenCountDetails: [], completionTokenCountDetails: [] },
          { promptTokenCountDetails: of("input", 18), completionTokenCountDetails: of("output", 12) },
          { promptTokenCountDetails: of("input", 20), completionTokenCountDetails: of("output", 4) },
        ],
      },
    });
  });

  test("over time, empty bins included", async () => {
    const series = `traceTokenCostTimeSeries(${range(-1, 2)}) { data { timestamp promptCost completionCost totalCost } }`;
    const cost = (prompt: number | null, completion: number | null, total: number | null) => ({
      promptCost: prompt === null ? null : prompt / USD,
      completionCost: completion === null ? null : completion / USD,
      totalCost: total === null ? null : total / USD,
    });
    const { traceTokenCostTimeSeries } = (await project("costs", series)) as {
      traceTokenCostTimeSeries: { data: { timestamp: string }[] };
    };
    expect(traceTokenCostTimeSeries.data.map(({ timestamp: _, ...costs }) => costs) as unknown[]).toEqual([
      cost(null, null, null),
      cost(10 * INPUT, 4 * OUTPUT, 10 * INPUT + 4 * OUTPUT + GIVEN),
      cost(20 * INPUT, 4 * OUTPUT, 20 * INPUT + 4 * OUTPUT),
    ]);
  });
});
