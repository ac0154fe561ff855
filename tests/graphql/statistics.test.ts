// Statistics of projects and how many statements a question costs: against numbers worked out by hand, on both databases.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi, serverOf, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";

const SECOND_US = 1_000_000;
const HOUR_US = 3600 * SECOND_US;
const LATENCIES_MS = [10, 20, 40, 90];

forEachDriver("GraphQL statistics", (driver) => {
  let api: TestApi;
  let statements = 0;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
    // Counts what is asked of the database, beside everything else staying as it is.
    const { handle } = api.stored.storage;
    const counted = {
      ...handle,
      read: (...given: Parameters<typeof handle.read>) => {
        statements++;
        return handle.read(...given);
      },
    };
    const server = serverOf(api.modules, { database: counted });
    api = { ...api, server };
    const spans = LATENCIES_MS.flatMap((milliseconds, number) => {
      const given = { projectName: "figures", traceKey: `t${number}`, sessionKey: `chat ${number >> 1}` };
      const startUs = START_US + number * HOUR_US;
      return [
        incomingSpan({
          ...given,
          spanKey: `r${number}`,
          startUs,
          endUs: startUs + milliseconds * 1000,
          userKey: `u${number}`,
        }),
        incomingSpan({
          ...given,
          spanKey: `c${number}`,
          parentKey: `r${number}`,
          kind: "LLM",
          status: number === 3 ? "ERROR" : "OK",
          startUs,
          endUs: startUs + 1000,
          promptTokens: 10 + number,
          completionTokens: 1,
          events:
            number === 3 ? '[{"name":"exception","attributes":{"exception.type":"E","exception.message":"m"}}]' : "[]",
        }),
      ];
    });
    await ingestBatch(api.stored.ingest, spans);
  });
  afterAll(() => api.close());

  const project = async (fields: string) =>
    (await askData<{ project: unknown }>(api, `{ project: getProjectByName(name: "figures") { ${fields} } }`)).project;
  const range = (from: number, to: number) => {
    const instant = (hours: number) => new Date((START_US + hours * HOUR_US) / 1000).toISOString();
    return `timeRange: {start: "${instant(from)}", end: "${instant(to)}"}`;
  };

  test("counts, sums and bounds", async () => {
    expect(
      await project(`recordCount traceCount sessionCount hasTraces startTime endTime
        tokenCountTotal tokenCountPrompt tokenCountCompletion averageTracesPerSession averageSessionDurationMs
        few: recordCount(${range(1, 3)}) traces: traceCount(${range(1, 3)}) prompt: tokenCountPrompt(${range(1, 3)})
        active: sessionCount(${range(0.5, 0.6)}) none: recordCount(${range(-2, -1)})
        llm: recordCount(filterCondition: "span_kind == 'LLM'")
        failed: traceCount(filterCondition: "status_code == 'ERROR'")
        ofSession: traceCount(sessionFilterCondition: "session_id == 'chat 0'")
        sessions: sessionCount(sessionFilterCondition: "num_traces_with_error > 0")`),
    ).toEqual({
      recordCount: 8,
      traceCount: 4,
      sessionCount: 2,
      hasTraces: true,
      startTime: "2024-01-01T00:00:00+00:00",
      endTime: "2024-01-01T03:00:00.090000+00:00",
      tokenCountTotal: 50,
      tokenCountPrompt: 46,
      tokenCountCompletion: 4,
      averageTracesPerSession: 2,
      averageSessionDurationMs: 3_600_055,
      few: 4,
      traces: 2,
      prompt: 23,
      active: 1,
      none: 0,
      llm: 4,
      failed: 1,
      ofSession: 2,
      sessions: 1,
    });
  });

  test("quantiles lie between the rows in proportion", async () => {
    expect(
      await project(`p0: latencyMsQuantile(probability: 0) p50: latencyMsQuantile(probability: 0.5)
        p90: latencyMsQuantile(probability: 0.9) p100: latencyMsQuantile(probability: 1)
        none: latencyMsQuantile(probability: 0.5, ${range(-2, -1)})
        spans: spanLatencyMsQuantile(probability: 0.5) session: sessionDurationMsQuantile(probability: 0.5)`),
    ).toEqual({ p0: 10, p50: 30, p90: 75, p100: 90, none: null, spans: 5.5, session: 3_600_055 });
    const ask = (probability: number) =>
      askRefusal(api, `{ getProjectByName(name: "figures") { latencyMsQuantile(probability: ${probability}) } }`);
    expect(await ask(1.5)).toStartWith("BAD_REQUEST probability");
    expect(await ask(-0.1)).toStartWith("BAD_REQUEST probability");
  });

  test("days of 23 and 25 hours are whole days of a zone", async () => {
    const hours = ["2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"];
    const autumn = ["2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z"];
    await ingestBatch(
      api.stored.ingest,
      [...hours, ...autumn].map((iso, number) => {
        const startUs = Date.parse(iso) * 1000;
        const spanKey = `day-${number}`;
        return incomingSpan({ projectName: "days", traceKey: spanKey, spanKey, startUs, endUs: startUs + 1 });
      }),
    );
    const days = async (start: string, end: string, config: string) => {
      const range = `timeRange: {start: "${start}", end: "${end}"}, timeBinConfig: {${config}}`;
      const found = await askData<{ project: Record<string, { data: { timestamp: string; n: number | null }[] }> }>(
        api,
        `{ project: getProjectByName(name: "days") {
          traceCountTimeSeries(${range}) { data { timestamp n: value } }
          spanCountTimeSeries(${range}) { data { timestamp n: totalCount } } } }`,
      );
      const [traces, spans] = Object.values(found.project).map(({ data }) =>
        data.map(({ timestamp, n }) => `${timestamp.slice(0, 13)} ${n}`),
      );
      expect(traces).toEqual(spans!);
      return traces;
    };
    const berlin = 'timeZone: "Europe/Berlin"';
    expect(await days("2026-03-27T23:00:00Z", "2026-03-30T22:00:00Z", `scale: DAY, ${berlin}`)).toEqual([
      "2026-03-27T23 1",
      "2026-03-28T23 2",
      "2026-03-29T22 1",
    ]);
    expect(await days("2026-10-24T22:00:00Z", "2026-10-26T23:00:00Z", `scale: DAY, ${berlin}`)).toEqual([
      "2026-10-24T22 2",
      "2026-10-25T23 1",
    ]);
    expect(await days("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z", `scale: MONTH, ${berlin}`)).toEqual([
      "2026-02-28T23 4",
      "2026-03-31T22 null",
    ]);
    expect(await days("2026-10-25T00:00:00Z", "2026-10-25T03:00:00Z", `scale: HOUR, ${berlin}`)).toEqual([
      "2026-10-25T00 null",
      "2026-10-25T01 null",
      "2026-10-25T02 null",
    ]);
    const refused = await askRefusal(
      api,
      `{ project: getProjectByName(name: "days") { traceCountTimeSeries(timeRange: {start: "2026-03-01T00:00:00Z"},
        timeBinConfig: {timeZone: "Europe/Nowhere"}) { data { timestamp } } } }`,
    );
    expect(refused).toContain("timeZone: must be a name such as Europe/Berlin");
  });

  test("series have every bin of their range, by the clock of the zone", async () => {
    const counts = "data { timestamp value }";
    expect(await project(`traceCountTimeSeries(${range(-1, 2)}) { ${counts} }`)).toEqual({
      traceCountTimeSeries: {
        data: [
          { timestamp: "2023-12-31T23:00:00+00:00", value: null },
          { timestamp: "2024-01-01T00:00:00+00:00", value: 1 },
          { timestamp: "2024-01-01T01:00:00+00:00", value: 1 },
        ],
      },
    });
    const scaled = async (scale: string, offset: number, from: number, to: number) => {
      const config = `timeBinConfig: {scale: ${scale}, utcOffsetMinutes: ${offset}}`;
      const found = (await project(`traceCountTimeSeries(${range(from, to)}, ${config}) { ${counts} }`)) as {
        traceCountTimeSeries: { data: { timestamp: string; value: number | null }[] };
      };
      return found.traceCountTimeSeries.data.map(({ timestamp, value }) => `${timestamp.slice(0, 16)} ${value}`);
    };
    expect(await scaled("DAY", 0, 0, 4)).toEqual(["2024-01-01T00:00 4"]);
    expect(await scaled("DAY", -120, 0, 4)).toEqual(["2023-12-31T02:00 2", "2024-01-01T02:00 2"]);
    expect(await scaled("WEEK", 0, -1, 4)).toEqual(["2023-12-25T00:00 null", "2024-01-01T00:00 4"]);
    expect(await scaled("MONTH", 0, -1, 4)).toEqual(["2023-12-01T00:00 null", "2024-01-01T00:00 4"]);
    expect(await scaled("MONTH", -120, 0, 4)).toEqual(["2023-12-01T02:00 2", "2024-01-01T02:00 2"]);
    expect(await scaled("YEAR", -120, 0, 4)).toEqual(["2023-01-01T02:00 2", "2024-01-01T02:00 2"]);
    expect(
      await project(`spanCountTimeSeries(${range(3, 4)}) { data { okCount errorCount unsetCount totalCount } }
        traceCountByStatusTimeSeries(${range(3, 5)}) { data { okCount errorCount totalCount } }
        traceLatencyMsPercentileTimeSeries(${range(3, 5)}) { data { p50 p999 max } }
        traceTokenCountTimeSeries(${range(3, 5)}) { data { promptTokenCount completionTokenCount totalTokenCount } }`),
    ).toEqual({
      spanCountTimeSeries: { data: [{ okCount: 0, errorCount: 1, unsetCount: 1, totalCount: 2 }] },
      traceCountByStatusTimeSeries: {
        data: [
          { okCount: 0, errorCount: 1, totalCount: 1 },
          { okCount: 0, errorCount: 0, totalCount: 0 },
        ],
      },
      traceLatencyMsPercentileTimeSeries: {
        data: [
          { p50: 90, p999: 90, max: 90 },
          { p50: null, p999: null, max: null },
        ],
      },
      traceTokenCountTimeSeries: {
        data: [
          { promptTokenCount: 13, completionTokenCount: 1, totalTokenCount: 14 },
          { promptTokenCount: null, completionTokenCount: null, totalTokenCount: null },
        ],
      },
    });
    const refused = (args: string) =>
      askRefusal(api, `{ getProjectByName(name: "figures") { traceCountTimeSeries(${args}) { data { value } } } }`);
    expect(await refused("timeRange: {}")).toStartWith("BAD_REQUEST timeRange");
    expect(await refused(`timeBinConfig: {scale: MINUTE}, ${range(0, 9000)}`)).toStartWith("BAD_REQUEST timeRange");
  });

  test("a trace and a session tell what is in them", async () => {
    expect(
      await askData(
        api,
        `{ trace: getTraceByOtelId(traceId: "t3") { numSpans latencyMs errorCount userId rootSpan { spanId numChildSpans
             descendants { edges { node { spanId events { name message } } } } }
             errorsByType { exceptionType count } spanCountsByKind { spanKind count } session { sessionId } }
           session: getProjectSessionById(sessionId: "chat 1") { numTraces numTracesWithError userId
             tokenUsage { prompt completion total } traceLatencyMsQuantile(probability: 0.5)
             traces(first: 9) { edges { node { traceId } } } } }`,
      ),
    ).toEqual({
      trace: {
        numSpans: 2,
        latencyMs: 90,
        errorCount: 1,
        userId: "u3",
        rootSpan: {
          spanId: "r3",
          numChildSpans: 1,
          descendants: { edges: [{ node: { spanId: "c3", events: [{ name: "exception", message: "m" }] } }] },
        },
        errorsByType: [{ exceptionType: "E", count: 1 }],
        spanCountsByKind: [
          { spanKind: "llm", count: 1 },
          { spanKind: "chain", count: 1 },
        ],
        session: { sessionId: "chat 1" },
      },
      session: {
        numTraces: 2,
        numTracesWithError: 1,
        userId: "u2",
        tokenUsage: { prompt: 25, completion: 2, total: 27 },
        traceLatencyMsQuantile: 65,
        traces: { edges: [{ node: { traceId: "t2" } }, { node: { traceId: "t3" } }] },
      },
    });
  });

  test("more rows cost no more statements", async () => {
    const cost = async (first: number) => {
      statements = 0;
      await project(`recordCount sessions(first: ${first}) { edges { node { firstInput { value } lastOutput { value } userId
        traceLatencyMsQuantile(probability: 0.5) project { name }
        traces(first: 5) { edges { node { userId errorsByType { count } spanCountsByKind { count } rootSpan { name }
          session { sessionId } project { name } spans(first: 9) { edges { node { attributes propagatedStatusCode
            numChildSpans trace { traceId } project { name } context { traceId } descendants { edges { cursor } }
          } } } } } } } } }`);
      return statements;
    };
    const one = await cost(1);
    expect(await cost(2)).toBe(one);
    expect(one).toBeLessThan(40);
  });

  test("traces are deleted and projects cleared with the sessions that lose their last trace", async () => {
    const traceId = async (key: string) =>
      (await askData<{ t: { id: string } }>(api, `{ t: getTraceByOtelId(traceId: "${key}") { id } }`)).t.id;
    const ids = [await traceId("t0"), await traceId("t1")];
    const remove = "mutation ($ids: [ID!]!) { deleteTraces(traceIds: $ids) { projectCount } }";
    expect(await askRefusal(api, remove, { ids: [] })).toStartWith("BAD_REQUEST traceIds");
    expect(await askRefusal(api, remove, { ids: [...ids, "VHJhY2U6OTk5"] })).toContain("VHJhY2U6OTk5");
    expect(await project("traceCount")).toEqual({ traceCount: 4 });
    expect(await askRefusal(api, remove, { ids })).toBe("none");
    expect(await project("traceCount sessionCount")).toEqual({ traceCount: 2, sessionCount: 1 });
    const { id } = (await project("id")) as { id: string };
    const clear =
      "mutation ($id: ID!, $end: DateTime) { clearProject(input: {id: $id, endTime: $end}) { projectCount } }";
    expect(await askRefusal(api, clear, { id, end: "2024-01-01T02:30:00Z" })).toBe("none");
    expect(await project("traceCount sessionCount")).toEqual({ traceCount: 1, sessionCount: 1 });
    expect(await askRefusal(api, clear, { id })).toBe("none");
    expect(await project("traceCount sessionCount hasTraces startTime")).toEqual({
      traceCount: 0,
      sessionCount: 0,
      hasTraces: false,
      startTime: null,
    });
  });
});
