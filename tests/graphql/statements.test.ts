// What GraphQL asks the databases about many spans: few statements, none of them through a whole table, lists on their indexes, and counts
// of any size in the answer. (That they do not grow with the rows: field-statements.test.ts.)
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execute, type GraphQLSchema, parse } from "graphql";
import { sql } from "kysely";
import { createCall } from "../../src/graphql/call.ts";
import { createSchema } from "../../src/http/graphql/schema.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { declaredFeatures, openGuards } from "../support/declared-routes.ts";
import { forEachDriver } from "../support/drivers.ts";
import { fullScans, openQueryPlans, type QueryPlans } from "../support/query-plans.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const SPANS = 12_000;
const SPANS_OF_A_TRACE = 4;
const MINUTE_US = 60_000_000;
const hex = (number: number) => number.toString(16).padStart(8, "0");

async function fill(store: TestStorage): Promise<void> {
  for (let first = 0; first < SPANS; first += 2000) {
    await ingestBatch(
      store.ingest,
      Array.from({ length: 2000 }, (_, offset) => {
        const number = first + offset;
        const trace = Math.floor(number / SPANS_OF_A_TRACE);
        const isRoot = number % SPANS_OF_A_TRACE === 0;
        const startUs = START_US + number * MINUTE_US;
        return incomingSpan({
          projectName: trace % 10 === 0 ? "small" : "large",
          traceKey: `t${hex(trace)}`,
          spanKey: `s${hex(number)}`,
          parentKey: isRoot ? null : `s${hex(number - 1)}`,
          kind: isRoot ? "CHAIN" : "LLM",
          status: trace % 20 === 0 ? "ERROR" : "OK",
          sessionKey: `chat ${trace % 10} ${trace >> 5}`,
          userKey: `user ${trace % 7}`,
          startUs,
          endUs: startUs + (number % 977) * 1000,
          promptTokens: isRoot ? null : number % 31,
          inputHead: "question",
          outputHead: "answer",
          attributes: `{"input":{"value":"question"},"output":{"value":"answer"},"metadata":{"n":${number}}}`,
        });
      }),
    );
  }
}

const SPAN = `id name spanId parentId attributes metadata numDocuments numChildSpans propagatedStatusCode
  cumulativeTokenCountTotal input { value truncatedValue } output { value } events { name }
  tokenPromptDetails { cacheRead } context { traceId } project { name }`;
const LISTS: Readonly<Record<string, string>> = {
  "spans with what they lead to": `spans(first: 12, sort: { col: startTime, dir: desc }) { edges { node { ${SPAN}
    trace { traceId numSpans rootSpan { name } project { name } session { sessionId numTraces } spanAnnotations(first: 5) { name } }
    descendants(first: 5) { edges { node { name } } } } } }`,
  "traces with annotations of them and of their root spans": `traces(first: 12) { edges { node {
    traceAnnotationSummaries { name } rootSpan { spanAnnotationSummaries { name labels meanScore } } } } }`,
  "traces with their analysis": `traces(first: 12) { edges { node {
    criticalPath { durationMs } waste { hasLoop } agentGraphs { key } } } }`,
  "sessions with their traces and spans": `sessions(first: 12) { edges { node { sessionId numTraces
    firstInput { truncatedValue } lastOutput { value } tokenUsage { total } userId traceLatencyMsQuantile(probability: 0.5)
    traces(first: 5) { edges { node { traceId userId errorCount keySteps(first: 3) { count spans { name } } spanCountsByKind { spanKind count }
      errorsByType { exceptionType count } rootSpan { name } session { id }
      spans(first: 5) { edges { node { ${SPAN} } } } } } } } } }`,
};

/** Reached from any of its rows. */
const DAY = 'timeRange: { start: "2024-01-02T00:00:00Z", end: "2024-01-03T00:00:00Z" }';
const OF_A_PROJECT = `spans(first: 3) { edges { node { name } } } traces(first: 3) { edges { node { traceId } } }
  sessions(first: 3) { edges { node { sessionId } } } traceFigures { count }
  spanFilterVocabulary { name } traceFilterVocabulary { name } sessionFilterVocabulary { name }
  costGroups(by: MODEL, ${DAY}) { timestamps } traceTokenCostTimeSeries(${DAY}) { data { timestamp } }
  spanAnnotationNames spanAnnotationSummary(annotationName: "x") { count }
  traceLatencyMsHistogram { count } traceTokenCountHistogram(${DAY}) { count } spanAnnotationScoreHistograms(${DAY}) { name }
  attributeGroups(attribute: "metadata['a']", measure: TRACES, ${DAY}) { timestamps }
  spanAnnotationAgreements(${DAY}) { name } spanAnnotationMetricsTimeSeries(${DAY}) { names } spanAnnotationScoreTimeSeries(${DAY}) { names }`;

const ofBlocks = "SEARCH rows USING PRIMARY KEY (block=? AND sort=? AND project_id=?";
/** Lists and the index that each walks, on SQLite where it is another. */
const SORTED: readonly (readonly [list: string, index: string, onSqlite?: string])[] = [
  ["spans(first: 50) { edges { cursor } }", "spans_by_project"],
  ["spans(first: 50, sort: { col: startTime, dir: desc }) { edges { cursor } }", "spans_by_start"],
  ["spans(first: 50, sort: { col: latencyMs, dir: desc }) { edges { cursor } }", "spans_by_latency", ofBlocks],
  ["spans(first: 50, sort: { col: tokenCountTotal, dir: desc }) { edges { cursor } }", "spans_by_tokens", ofBlocks],
  [
    "spans(first: 50, sort: { col: cumulativeTokenCountTotal, dir: desc }) { edges { cursor } }",
    "spans_by_sum_tokens",
    ofBlocks,
  ],
  ["sessions(first: 50) { edges { cursor } }", "sessions_by_start"],
  ["sessions(first: 50, sort: { col: endTime, dir: desc }) { edges { cursor } }", "sessions_by_end"],
  ["sessions(first: 50, sort: { col: tokenCountTotal, dir: asc }) { edges { cursor } }", "sessions_by_tokens"],
  ["sessions(first: 50, sort: { col: numTraces, dir: desc }) { edges { cursor } }", "sessions_by_traces"],
];

/** Of a project that has a tenth of all rows. */
const STATISTICS: readonly string[] = [
  "hasTraces startTime endTime traceCount recordCount sessionCount streamingLastUpdatedAt",
  "tokenCountTotal tokenCountPrompt latencyMsQuantile(probability: 0.9) spanLatencyMsQuantile(probability: 0.5)",
  "averageSessionDurationMs averageTracesPerSession sessionDurationMsQuantile(probability: 0.5)",
  "traceLatencyMsHistogram { count } traceTokenCountHistogram { count }",
  `spanAnnotationScoreHistograms(timeRange: { start: "2024-01-02T00:00:00Z" }) { name }`,
  `spanAnnotationAgreements(timeRange: { start: "2024-01-02T00:00:00Z" }) { name }`,
  `recordCount(filterCondition: "span_kind == 'LLM'")`,
  `traceCount(timeRange: { start: "2024-01-02T00:00:00Z", end: "2024-01-03T00:00:00Z" })`,
  `traceCountByStatusTimeSeries(timeRange: { start: "2024-01-02T00:00:00Z", end: "2024-01-03T00:00:00Z" }) { data { totalCount } }`,
  `spanCountTimeSeries(timeRange: { start: "2024-01-02T00:00:00Z", end: "2024-01-03T00:00:00Z" }) { data { totalCount } }`,
  "spanFilterVocabulary { name } traceFilterVocabulary { name } sessionFilterVocabulary { name }",
  "listedTraces { annotations { name } rootSpanAnnotations { name } }",
  `listedTraces(filterCondition: "root_annotations['x'].label == 'bad'") { figures { count } }`,
];

const LOOK_UPS: readonly string[] = [
  `{ getSpanByOtelId(spanId: "s${hex(9)}") { id spanId trace { id traceId project { id name } session { id sessionId } } } }`,
  `{ getTraceByOtelId(traceId: "t${hex(9)}") { id spans(first: 1000) { edges { node { id spanId } } } } }`,
  `{ getProjectSessionById(sessionId: "chat 1 0") { id traces(first: 1000) { edges { node { traceId } } } } }`,
  `{ getProjectByName(name: "small") { trace(traceId: "t${hex(10)}") { id } } }`,
];

forEachDriver("statements of GraphQL", (driver) => {
  let store: TestStorage;
  let plans: QueryPlans;
  let schema: GraphQLSchema;
  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
    await fill(store);
    plans = openQueryPlans(store);
    await plans.analyze();
    const { storage } = store;
    const features = declaredFeatures({ storage, rollups: createRollupsService(storage) });
    schema = createSchema(await features.loadGraphql(), openGuards);
  }, 60_000);
  afterAll(async () => {
    await plans.close();
    await store.close();
  });

  async function ask(context: CallContext, query: string): Promise<Record<string, Record<string, unknown>>> {
    // Rows of another slice of time have statements of their own.
    const contextValue = createCall(context, systemClock.now(), { next: () => null });
    const { data, errors } = await execute({ schema, document: parse(query), contextValue });
    expect(errors ?? []).toEqual([]);
    return data as Record<string, Record<string, unknown>>;
  }
  const plansOf = (query: string) => plans.plansOf((context) => ask(context, query));
  const ofProject = (name: string, fields: string) => `{ project: getProjectByName(name: "${name}") { ${fields} } }`;
  // A table of a few projects, or an empty one, is read as a whole.
  const scans = (made: readonly string[]) =>
    made.flatMap((plan) => (fullScans(plan).some((scan) => !/\b(?:projects|large_values)\b/.test(scan)) ? [plan] : []));

  describe("a list", () => {
    test.each(Object.keys(LISTS))("of %s: few statements", async (name) => {
      const many = await plansOf(ofProject("large", LISTS[name]!));
      expect(many.length).toBeLessThan(30);
      expect(scans(many)).toEqual([]);
    });

    test("of examples that a selection would become", async () => {
      const { project } = await ask(store.context(), ofProject("large", "traces(first: 10) { edges { node { id } } }"));
      const { edges } = project!.traces as { edges: { node: { id: string } }[] };
      const ids = edges.map(({ node }) => JSON.stringify(node.id));
      const many = await plansOf(`{ previewDatasetSelection(selection: { traceIds: [${ids}] }, first: 10,
        expectedOutput: { rule: OUTPUT_UNLESS_FAILED }) { hasMore examples { span { name } input output correctionNames } } }`);
      // Annotation configurations, of which there are few, are read as a whole.
      expect(scans(many).filter((plan) => !plan.includes("annotation_configs"))).toEqual([]);
    });

    test("of spans that lead to one project: what is asked of it is asked once", async () => {
      const list = (rows: number) => `spans(first: ${rows}) { edges { node { project { ${OF_A_PROJECT} } } } }`;
      const few = await plansOf(ofProject("small", list(1)));
      expect(await plansOf(ofProject("small", list(12)))).toHaveLength(few.length);
    });

    test.each(SORTED)("%s walks %s", async (list, ofPostgres, onSqlite = ofPostgres) => {
      const index = driver.name === "sqlite" ? onSqlite : ofPostgres;
      const made = await plansOf(ofProject("large", list));
      expect(scans(made)).toEqual([]);
      const walking = made.filter((plan) => plan.includes(index));
      expect(walking.length, made.join("\n\n")).toBeGreaterThan(0);
      // The first rows of parts of the ids are merged by sorting them.
      if (driver.name === "sqlite" && index.startsWith("sessions")) expect(walking[0]).not.toContain("TEMP B-TREE");
    });
  });

  test.each(STATISTICS)("a statistic reads no other project: %s", async (fields) => {
    expect(scans(await plansOf(ofProject("small", fields)))).toEqual([]);
  });

  test.each(LOOK_UPS)("%s reads no table", async (query) => {
    const made = await plansOf(query);
    expect(made.length).toBeLessThan(8);
    expect(scans(made)).toEqual([]);
  });

  test("counts beyond 32 bits are answered as they are", async () => {
    const large = 2 ** 40;
    const write = store.storage.handle.write(store.context());
    await sql`update spans set prompt_tokens = ${large}, completion_tokens = ${large}, sum_prompt = ${large * 8}
      where span_key = ${`s${hex(1)}`}`.execute(write);
    await sql`update traces set span_count = ${large}, error_count = ${large} where trace_key = ${`t${hex(0)}`}`.execute(
      write,
    );
    await sql`update sessions set trace_count = ${large}, error_trace_count = ${large}, prompt_tokens = ${large * 8}
      where session_key = 'chat 0 0'`.execute(write);
    const found = await ask(
      store.context(),
      `{ span: getSpanByOtelId(spanId: "s${hex(1)}") { tokenCountPrompt tokenCountTotal cumulativeTokenCountPrompt }
        trace: getTraceByOtelId(traceId: "t${hex(0)}") { numSpans errorCount }
        session: getProjectSessionById(sessionId: "chat 0 0") { numTraces numTracesWithError tokenUsage { prompt } } }`,
    );
    expect(JSON.parse(JSON.stringify(found))).toEqual({
      span: { tokenCountPrompt: large, tokenCountTotal: large * 2, cumulativeTokenCountPrompt: large * 8 },
      trace: { numSpans: large, errorCount: large },
      session: { numTraces: large, numTracesWithError: large, tokenUsage: { prompt: large * 8 } },
    });
  });
});
