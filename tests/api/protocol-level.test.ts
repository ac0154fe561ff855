// What the protocol gained up to the level of x-phoenix-server-version, where no recorded vector shows it: by its effect, on both
// databases. The vectors of additions.json show the rest.

import { beforeAll, describe, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

const START = "2026-03-01T10:00:00+00:00";

/** Sent as a number that is spelt with a fraction of zero. */
const [ONE, FIVE] = ["1.0!", "5.0!"];

interface SentSpan {
  readonly trace: string;
  readonly span: string;
  readonly parent?: string;
  readonly kind?: string;
  readonly microseconds?: number;
  readonly startedAfter?: number;
  readonly attributes?: object;
}

const instant = (microseconds: number) =>
  `2026-03-01T10:00:${String(Math.floor(microseconds / 1e6)).padStart(2, "0")}.${String(microseconds % 1e6).padStart(6, "0")}+00:00`;

forEachDriver("the level of the protocol", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploaded, examples } = datasetsOf(() => api);

  async function sendSpans(project: string, spans: readonly SentSpan[]): Promise<void> {
    const data = spans.map(
      ({ trace, span, parent, kind = "CHAIN", microseconds = 1000, startedAfter = 0, attributes }) => ({
        name: span,
        context: { trace_id: trace.padStart(32, "0"), span_id: span.padStart(16, "0") },
        parent_id: parent?.padStart(16, "0") ?? null,
        span_kind: kind,
        start_time: instant(startedAfter),
        end_time: instant(startedAfter + microseconds),
        status_code: "OK",
        attributes: attributes ?? {},
      }),
    );
    const answer = await send(api.server, `POST /v1/projects/${project}/spans`, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ data }).replaceAll(/"(\d+\.0)!"/g, "$1"),
    });
    expect([answer.status, await answer.text()]).toEqual([202, expect.any(String)]);
  }

  /** Names of the spans of a project that match, sorted. */
  async function found(project: string, condition: string): Promise<string[]> {
    const answer = await askData<{ project: { spans: { edges: { node: { name: string } }[] } } }>(
      api,
      `query($name: String!, $condition: String!) { project: getProjectByName(name: $name) {
        spans(first: 50, filterCondition: $condition) { edges { node { name } } } } }`,
      { name: project, condition },
    );
    return answer.project.spans.edges.map(({ node }) => node.name).sort();
  }

  describe("stored numbers and booleans read as texts", () => {
    beforeAll(async () => {
      const rows: readonly [string, object][] = [
        ["1", { n: 5, f: FIVE, s: "5", b: true, m: { k: 1 }, arr: ["5"], "session.id": 7 }],
        ["2", { n: FIVE, f: 1.5, s: "x", b: false, n2: 1 }],
        ["3", { n: "5", s: 5, b: "true", n2: ONE }],
        ["4", { n: 15 }],
      ];
      await sendSpans(
        "texts",
        rows.map(([span, attributes]) => ({ trace: span, span: `a${span}`, attributes })),
      );
    });

    test.each<[string, string[]]>([
      ["attributes['n'] == '5'", ["1", "3"]],
      ["attributes['n'] == '5.0'", ["2"]],
      ["attributes['n'] == '05'", []],
      ["attributes['n'] != '5'", ["2", "4"]],
      ["attributes['n'] in ['5']", ["1", "3"]],
      ["attributes['n'] not in ['5']", ["2", "4"]],
      ["str(attributes['n']) == '5'", ["1", "3"]],
      ["attributes['n2'] == '1'", ["2"]],
      ["attributes['n2'] == '1.0'", ["3"]],
      ["attributes['s'] == '5'", ["1", "3"]],
      ["attributes['f'] == '5.0'", ["1"]],
      ["attributes['f'] == '1.5'", ["2"]],
      ["attributes['f'] == '5'", []],
      ["session.id == '7'", ["1"]],
      ["attributes['b'] == '1'", []],
      ["attributes['b'] == 'true'", ["1", "3"]],
      ["attributes['b'] == 'false'", ["2"]],
      ["attributes['n'] == attributes['s']", ["1", "3"]],
      ["attributes['n'] == 5", ["1", "2", "3"]],
      ["attributes['n'] == 5.0", ["1", "2", "3"]],
      ["attributes['n'] in [5]", ["1", "2", "3"]],
      ["float(attributes['n']) == 5", ["1", "2", "3"]],
      ["attributes['n'] > 4", ["1", "2", "3", "4"]],
      ["attributes['n'] > '4'", ["1", "2", "3"]],
      ["attributes['b'] == True", ["1", "3"]],
    ])("%s", async (condition, spans) => {
      expect(await found("texts", condition)).toEqual(spans.map((span) => `a${span}`));
    });
  });

  describe("latency", () => {
    beforeAll(() =>
      sendSpans("latency", [
        { trace: "11", span: "b40", microseconds: 40 },
        { trace: "12", span: "b250", microseconds: 250 },
        { trace: "13", span: "b123456", microseconds: 123_456 },
      ]),
    );

    test.each<[string, string[]]>([
      ["latency_ms == 0.04", ["b40"]],
      ["latency_ms == 0.25", ["b250"]],
      ["latency_ms == 123.456", ["b123456"]],
      ["latency_ms < 0.1", ["b40"]],
    ])("%s", async (condition, spans) => {
      expect(await found("latency", condition)).toEqual(spans);
      const answer = await ask(`GET /v1/projects/latency/traces?filter=${encodeURIComponent(condition)}`);
      expect(answer.data).toHaveLength(spans.length);
    });

    test("is exact to the microsecond", async () => {
      const { project } = await askData<{ project: { spans: { edges: { node: { latencyMs: number } }[] } } }>(
        api,
        `{ project: getProjectByName(name: "latency") { spans(first: 5, sort: {col: latencyMs, dir: asc}) {
          edges { node { latencyMs } } } } }`,
      );
      expect(project.spans.edges.map(({ node }) => node.latencyMs)).toEqual([0.04, 0.25, 123.456]);
      const headers = { accept: "application/json", "content-type": "application/json" };
      const body = JSON.stringify({ queries: [{ select: { latency_ms: { key: "latency_ms" } } }] });
      const frame = await send(api.server, "POST /v1/spans?project-name=latency", { headers, body });
      const told = (await frame.text()).matchAll(/"1_latency_ms":([\d.]+)/g);
      expect([...told].map(([, latency]) => Number(latency)).sort((a, b) => a - b)).toEqual([0.04, 0.25, 123.456]);
    });
  });

  test("the root of a trace is its earliest span whose parent never arrived", async () => {
    const root = async () => {
      const answer = await askData<{ trace: { rootSpan: { name: string } | null } }>(
        api,
        `{ trace: getTraceByOtelId(traceId: "${"21".padStart(32, "0")}") { rootSpan { name } } }`,
      );
      return answer.trace.rootSpan?.name ?? null;
    };
    await sendSpans("roots", [
      { trace: "21", span: "c2", parent: "c0", startedAfter: 200 },
      { trace: "21", span: "c3", parent: "c2", startedAfter: 100 },
      { trace: "21", span: "c4", parent: "c9", startedAfter: 300 },
    ]);
    expect(await root()).toBe("c2");
    await sendSpans("roots", [{ trace: "21", span: "c0", startedAfter: 400 }]);
    expect(await root()).toBe("c4");
  });

  test("summaries of annotations come by name, in the order of code points", async () => {
    await sendSpans("names", [{ trace: "31", span: "d1", attributes: { "session.id": "talk" } }]);
    const trace_id = "31".padStart(32, "0");
    const targets = [
      ["span", { span_id: "d1".padStart(16, "0") }],
      ["trace", { trace_id }],
      ["session", { session_id: "talk" }],
    ] as const;
    for (const [kind, target] of targets) {
      const data = ["b", "é", "Z", "a"].map((name) => ({
        ...target,
        name,
        annotator_kind: "HUMAN",
        result: { score: 1 },
      }));
      expect((await ask(`POST /v1/${kind}_annotations?sync=true`, { data })).status).toBe(200);
    }
    const { trace } = await askData<{
      trace: { rootSpan: { said: { name: string }[] }; said: object[]; session: { said: object[] } };
    }>(
      api,
      `{ trace: getTraceByOtelId(traceId: "${trace_id}") { rootSpan { said: spanAnnotationSummaries { name } }
        said: traceAnnotationSummaries { name } session { said: sessionAnnotationSummaries { name } } } }`,
    );
    const sorted = ["Z", "a", "b", "é"].map((name) => ({ name }));
    expect([trace.rootSpan.said, trace.said, trace.session.said]).toEqual([sorted, sorted, sorted]);
    const names = await askData<{ project: Record<string, string[]> }>(
      api,
      `{ project: getProjectByName(name: "names") { traceAnnotationNames traceAnnotationsNames } }`,
    );
    expect([names.project.traceAnnotationNames!.toSorted(), names.project.traceAnnotationsNames!.toSorted()]).toEqual([
      ["Z", "a", "b", "é"],
      ["Z", "a", "b", "é"],
    ]);
  });

  test("kind DECISION of a span is stored and found in any case of letters", async () => {
    await sendSpans("decisions", [{ trace: "41", span: "e1", kind: "decision" }]);
    expect(await found("decisions", "span_kind == 'DECISION'")).toEqual(["e1"]);
    const { project } = await askData<{ project: { spans: { edges: { node: { spanKind: string } }[] } } }>(
      api,
      `{ project: getProjectByName(name: "decisions") { spans(first: 1) { edges { node { spanKind } } } } }`,
    );
    expect(project.spans.edges[0]!.node.spanKind).toBe("decision");
  });

  const started = async (name: string, inputs: readonly object[], repetitions = 1) => {
    const { dataset_id } = await uploaded({ name, inputs });
    const ids = (await examples(dataset_id)).map(({ node_id }) => node_id);
    const experiment = async () =>
      (await ask(`POST /v1/datasets/${dataset_id}/experiments`, { repetitions })).data.id as string;
    return { dataset_id, ids, experiment };
  };
  const run = async (experiment: string, example: string, repetition_number: number, more: object) => {
    const body = { dataset_example_id: example, repetition_number, output: "x", start_time: START, ...more };
    const { status, text, data } = await ask(`POST /v1/experiments/${experiment}/runs`, body);
    expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
    return data.id as string;
  };

  test("experiments are compared by the best run of an example", async () => {
    const { ids, experiment } = await started("compared", [{ q: 1 }, { q: 2 }], 2);
    const [base, other] = [await experiment(), await experiment()];
    await sendSpans("compared", [
      { trace: "51", span: "f1", kind: "LLM", attributes: { "llm.token_count.prompt": 10 } },
      { trace: "52", span: "f2", kind: "LLM", attributes: { "llm.token_count.prompt": 30 } },
      { trace: "53", span: "f3", kind: "LLM", attributes: { "llm.token_count.prompt": 90 } },
    ]);
    const took = (milliseconds: number, trace: string) => ({
      end_time: instant(milliseconds * 1000),
      trace_id: trace.padStart(32, "0"),
    });
    // The best of both took 100 ms and 10 tokens; their means differ.
    await run(base, ids[0]!, 1, took(100, "51"));
    await run(base, ids[0]!, 2, took(900, "52"));
    await run(other, ids[0]!, 1, took(300, "53"));
    await run(other, ids[0]!, 2, took(100, "51"));
    await run(base, ids[1]!, 1, took(100, "51"));
    await run(other, ids[1]!, 1, took(200, "52"));
    const counts = "{ numRunsImproved numRunsRegressed numRunsEqual numRunsWithoutComparison }";
    const expected = { numRunsImproved: 1, numRunsRegressed: 0, numRunsEqual: 1, numRunsWithoutComparison: 0 };
    expect(
      await askData<object>(
        api,
        `query($base: ID!, $others: [ID!]!) { found: experimentRunMetricComparisons(
          baseExperimentId: $base, compareExperimentIds: $others) { latency ${counts} promptTokenCount ${counts} } }`,
        { base, others: [other] },
      ),
    ).toEqual({ found: { latency: expected, promptTokenCount: expected } });
  });

  test("a run without an output is exported as null and as an empty cell", async () => {
    const { ids, experiment } = await started("exports", [{ q: 1 }]);
    const id = await experiment();
    await run(id, ids[0]!, 1, { end_time: START, output: null, error: "no" });
    const json = await send(api.server, `GET /v1/experiments/${id}/json`);
    expect(await json.json()).toMatchObject([{ output: null, error: "no" }]);
    const csv = await (await send(api.server, `GET /v1/experiments/${id}/csv`)).text();
    const [header, line] = csv.split(/\r?\n/).map((row) => row.split(","));
    expect(line![header!.indexOf("output")]).toBe("");
  });

  test("ids that are no experiment's or dataset's are named", async () => {
    const other = Buffer.from("Span:1").toString("base64");
    expect(await ask("GET /v1/experiments/zz")).toMatchObject({ status: 422, text: expect.stringContaining("zz") });
    const paths: readonly string[] = [`datasets/${other}`, `experiments/${other}`];
    for (const path of paths) {
      expect(await ask(`GET /v1/${path}`)).toMatchObject({ status: 404, text: expect.stringContaining(other) });
    }
  });

  test("figures of experiments are floats, counts are integers", async () => {
    const { ids, experiment } = await started("figures", [{ q: 1 }, { q: 2 }, { q: 3 }]);
    const id = await experiment();
    for (const [at, milliseconds] of [1, 1, 2].entries()) {
      const more = { end_time: instant(milliseconds * 1000), ...(at === 2 ? { error: "no" } : {}) };
      const runId = await run(id, ids[at]!, 1, more);
      const said = {
        experiment_run_id: runId,
        name: "good",
        annotator_kind: "CODE",
        start_time: START,
        end_time: START,
      };
      await ask("POST /v1/experiment_evaluations", { ...said, result: { score: 1, label: "yes" } });
    }
    const { node } = await askData<{
      node: { averageRunLatencyMs: number; errorRate: number; annotationSummaries: object[] };
    }>(
      api,
      `query($id: ID!) { node(id: $id) { ... on Experiment { averageRunLatencyMs errorRate
        annotationSummaries { annotationName count scoreCount labelCount errorCount } } } }`,
      { id },
    );
    expect(node.averageRunLatencyMs).toBeCloseTo(4 / 3, 5);
    expect(node.errorRate).toBeCloseTo(1 / 3, 10);
    expect(node.annotationSummaries).toEqual([
      { annotationName: "good", count: 3, scoreCount: 3, labelCount: 3, errorCount: 0 },
    ]);
  });

  test("own ids are trimmed, may come once, and stay taken", async () => {
    const { dataset_id } = await started("own ids", [{ q: 1 }]);
    const add = (...externalIds: string[]) => ({
      input: {
        datasetId: dataset_id,
        examples: externalIds.map((externalId) => ({ input: {}, output: {}, metadata: {}, externalId })),
        datasetVersionDescription: "  ",
      },
    });
    const mutation = `mutation($input: AddExamplesToDatasetInput!) { addExamplesToDataset(input: $input) { dataset { id } } }`;
    await askData(api, mutation, add(" w", ""));
    expect((await examples(dataset_id)).map(({ id, node_id }) => (id === node_id ? "none" : id)).sort()).toEqual([
      "none",
      "none",
      "w",
    ]);
    expect(await askRefusal(api, mutation, add("k", "k "))).toContain(
      "Custom ID 'k' appears more than once in the input.",
    );
    const taken = "already taken in this dataset. A custom ID stays taken even after its example is deleted.";
    expect(await askRefusal(api, mutation, add("w"))).toContain(taken);
    const { data } = await ask(`GET /v1/datasets/${dataset_id}/versions?limit=1`);
    expect(data[0].description).toBeNull();
  });

  test("an example leads to its dataset", async () => {
    const { dataset_id, ids } = await started("led to", [{ q: 1 }]);
    const { node } = await askData<{ node: object }>(
      api,
      `query($id: ID!) { node(id: $id) { ... on DatasetExample { dataset { id name } } } }`,
      { id: ids[0] },
    );
    expect(node).toEqual({ dataset: { id: dataset_id, name: "led to" } });
  });
});
