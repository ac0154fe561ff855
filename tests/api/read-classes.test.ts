// Whatever may have to read much runs where it can be stopped: everything with a filter, a search or statistics is a slow read,
// and plain lists are short ones.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HttpServer } from "../../src/http/server.ts";
import type { DatabaseHandle, ReadClass } from "../../src/storage/storage.ts";
import { openTestApi, send, serverOf, type TestApi } from "../support/api.ts";
import { createSqliteDatabase } from "../support/drivers.ts";
import { storeSpoken } from "../support/search-data.ts";

const project = "/v1/projects/talks";
const inProject = (field: string) => `{ projects { edges { node { ${field} } } } }`;
const spans = (given: string) => inProject(`spans(first: 5${given}) { edges { node { id } } }`);

/** A walk is a slow read of another kind. */
const canBeStopped = (classes: ReadonlySet<ReadClass>) => classes.has("slow") || classes.has("walk");

describe("reads", () => {
  let database: Awaited<ReturnType<typeof createSqliteDatabase>>;
  let api: TestApi;
  let server: HttpServer;
  let classes: ReadClass[] = [];
  let [datasetId, experimentId] = ["", ""];
  beforeAll(async () => {
    database = await createSqliteDatabase();
    api = await openTestApi(database.url);
    await storeSpoken(api, "talks", [{ name: "question", minute: 1, input: "where" }]);
    const handle = api.context().database;
    const noting: DatabaseHandle = {
      ...handle,
      read(context, readClass) {
        classes.push(readClass);
        return handle.read(context, readClass);
      },
    };
    server = serverOf(api.modules, { database: noting });
    const made = async (path: string, json: object) => {
      const { data } = await (await send(server, `POST ${path}`, { json })).json();
      return data as Record<string, string>;
    };
    const upload = { action: "create", name: "questions", inputs: [{ q: 1 }, { q: 2 }] };
    datasetId = (await made("/v1/datasets/upload?sync=true", upload)).dataset_id!;
    experimentId = (await made(`/v1/datasets/${datasetId}/experiments`, {})).id!;
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  async function classesOf(line: string, json?: unknown): Promise<ReadonlySet<ReadClass>> {
    classes = [];
    const headers = { accept: "application/json" };
    const response = await send(server, line, json === undefined ? { headers } : { json, headers });
    const text = await response.text();
    if (response.status !== 200 || text.includes('"errors"')) throw new Error(`${response.status}: ${text}`);
    return new Set(classes);
  }

  test.each([
    `${project}/spans?attribute=input.value:where`,
    `${project}/spans?span_kind=LLM`,
    `${project}/spans?name=question`,
    `${project}/spans?start_time=2026-01-01T00:00:00Z`,
    `${project}/spans/otlpv1?attribute=input.value:where`,
    `${project}/traces?filter=${encodeURIComponent("error_count > 0")}`,
    `${project}/traces?error=false`,
    `${project}/sessions?filter=${encodeURIComponent("num_traces > 0")}`,
    `${project}/spans/search?text=x`,
    `${project}/traces/search?text=x`,
    "/v1/sessions?sort=start_time",
    "/v1/projects?name_contains=x",
  ])("GET %s is slow", async (path) => {
    expect(canBeStopped(await classesOf(`GET ${path}`))).toBe(true);
  });

  test("tables are slow", async () => {
    const body = { queries: [{ filter: { condition: "name == 'question'" } }] };
    expect([...(await classesOf("POST /v1/spans?project_name=talks", body))]).toContain("slow");
  });

  test.each([
    spans(", filterCondition: \"'x' in input.value\""),
    spans(', traceFilterCondition: "num_spans > 1"'),
    spans(", rootSpansOnly: true"),
    spans(", sort: {col: endTime, dir: asc}"),
    inProject('sessions(first: 5, sessionFilterCondition: "num_traces > 0") { edges { node { id } } }'),
    inProject("recordCount(filterCondition: \"name == 'x'\")"),
    inProject("latencyMsQuantile(probability: 0.5)"),
    inProject('searchSpans(text: "x", first: 5) { progress { complete } }'),
    inProject('searchTraces(text: "x", first: 5) { progress { complete } }'),
    inProject("traces(first: 5) { edges { node { waste { hasLoop } } } }"),
    inProject("traces(first: 5) { edges { node { criticalPath { durationMs } } } }"),
  ])("%s is slow", async (query) => {
    expect(canBeStopped(await classesOf("POST /graphql", { query }))).toBe(true);
  });

  const ofExperiment = (field: string) => () => `{ node(id: "${experimentId}") { ... on Experiment { ${field} } } }`;
  const ofDataset = (field: string) => () => `{ node(id: "${datasetId}") { ... on Dataset { ${field} } } }`;
  test.each([
    ["runCount", ofExperiment("runCount errorRate averageRunLatencyMs")],
    ["annotationSummaries", ofExperiment("annotationSummaries { annotationName }")],
    ["labels of annotationSummaries", ofExperiment("annotationSummaries { labelFractions { label } }")],
    ["costSummary", ofExperiment("costSummary { total { tokens } }")],
    ["sorted runs", ofExperiment('runs(sort: {col: {annotationName: "x"}, dir: asc}) { edges { node { id } } }')],
    ["experimentAnnotationSummaries", ofDataset("experimentAnnotationSummaries { annotationName }")],
    ["exampleCount of splits", ofDataset("exampleCount(splitIds: [])")],
    ["examples with a text", ofDataset('examples(filter: "x") { edges { node { id } } }')],
  ] as const)("%s of a whole experiment or dataset is slow", async (_, query) => {
    expect(canBeStopped(await classesOf("POST /graphql", { query: query() }))).toBe(true);
  });

  test.each([
    ["incomplete-evaluations", () => `/v1/experiments/${experimentId}/incomplete-evaluations?evaluation_name=x`],
    ["incomplete-runs", () => `/v1/experiments/${experimentId}/incomplete-runs`],
  ] as const)("GET %s is slow", async (_, path) => {
    expect(canBeStopped(await classesOf(`GET ${path()}`))).toBe(true);
  });

  test.each([
    `${project}/spans`,
    `${project}/spans?sort=start_time`,
    `${project}/traces?include_spans=true`,
    `${project}/sessions`,
  ])("GET %s is short", async (path) => {
    expect([...(await classesOf(`GET ${path}`))]).toEqual(["short"]);
  });

  test("a page of spans in GraphQL is short", async () => {
    expect([...(await classesOf("POST /graphql", { query: spans("") }))]).toEqual(["short"]);
  });
});
