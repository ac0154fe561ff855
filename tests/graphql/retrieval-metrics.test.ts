// How good retrievals were, in GraphQL: of one span and over a project, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { formatInstant } from "../../src/kernel/time.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const HOUR_US = 3600 * 1_000_000;
const MEMBERS = "evaluationName ndcg at1: ndcg(k: 1) precision precisionAt1: precision(k: 1) reciprocalRank hit";
const SUMMARY = `evaluationName averageNdcg countNdcg averagePrecision countPrecision at1: averagePrecision(k: 1)
  countAt1: countPrecision(k: 1) meanReciprocalRank countReciprocalRank hitRate countHit`;
/** More than are read in one go. */
const MANY = 1001;

forEachDriver("figures of retrievals", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  let spanIds: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const documents = (count: number, path: "retrieval" | "reranker") =>
      JSON.stringify({
        [path]: {
          [path === "retrieval" ? "documents" : "output_documents"]: Array.from({ length: count }, (_, position) => ({
            document: { id: `d${position}` },
          })),
        },
      });
    const start = (number: number) => ({
      startUs: START_US + number * HOUR_US,
      endUs: START_US + number * HOUR_US + 1,
    });
    const common = { projectName: "found", traceKey: "t", kind: "RETRIEVER" } as const;
    await ingestBatch(api.stored.ingest, [
      incomingSpan({ ...common, ...start(0), spanKey: "a", attributes: documents(3, "retrieval") }),
      incomingSpan({ ...common, ...start(1), spanKey: "b", attributes: documents(2, "retrieval"), name: "late" }),
      incomingSpan({ ...common, ...start(2), spanKey: "c", kind: "RERANKER", attributes: documents(2, "reranker") }),
      incomingSpan({ ...common, ...start(3), spanKey: "none" }),
      incomingSpan({
        ...common,
        projectName: "other",
        traceKey: "o",
        spanKey: "o",
        attributes: documents(1, "retrieval"),
      }),
    ]);
    await ingestBatch(
      api.stored.ingest,
      Array.from({ length: MANY }, (_, number) =>
        incomingSpan({
          ...common,
          ...{ projectName: "many", traceKey: "m", spanKey: `m${number}`, attributes: documents(1, "retrieval") },
        }),
      ),
    );
    const say = (span_id: string, document_position: number, score: number | null, name = "relevance") => ({
      ...{ span_id, document_position, name, annotator_kind: "LLM", result: { label: "said", score } },
    });
    const data = [
      ...[say("a", 0, 1), say("a", 1, 0), say("a", 2, 1), say("a", 0, 0, "novelty"), say("a", 1, null, "words")],
      ...[say("b", 0, 0), say("c", 0, 0), say("c", 1, 1), say("o", 0, 1, "elsewhere")],
      ...Array.from({ length: MANY }, (_, number) => say(`m${number}`, 0, number === 0 ? 0 : 1)),
    ];
    const answer = await send(api.server, "POST /v1/document_annotations?sync=true", { json: { data } });
    if (answer.status !== 200) throw new Error(await answer.text());
    const { project } = await askData<{ project: { spans: { edges: { node: { id: string; spanId: string } }[] } } }>(
      api,
      `{ project: getProjectByName(name: "found") { spans(first: 10) { edges { node { id spanId } } } } }`,
    );
    spanIds = Object.fromEntries(project.spans.edges.map(({ node: { id, spanId } }) => [spanId, id]));
  });

  const ask = async (fields: string, project = "found") =>
    (
      await askData<{ project: Record<string, unknown> }>(
        api,
        `{ project: getProjectByName(name: "${project}") { ${fields} } }`,
      )
    ).project;
  const metricsOf = async (key: string, fields = `documentRetrievalMetrics { ${MEMBERS} }`) =>
    (
      await askData<{ node: { documentRetrievalMetrics: unknown[] } }>(
        api,
        `{ node(id: "${spanIds[key]}") { ... on Span { ${fields} } } }`,
      )
    ).node.documentRetrievalMetrics;
  const ndcgOf101 = (1 + 1 / 2) / (1 + 1 / Math.log2(3));

  test("of a span, one entry a name with a score", async () => {
    expect(await metricsOf("a")).toEqual([
      // Two of the three documents have no score of this name.
      {
        ...{ evaluationName: "novelty", ndcg: null, at1: null, precision: null, precisionAt1: null },
        ...{ reciprocalRank: null, hit: null },
      },
      {
        ...{ evaluationName: "relevance", ndcg: expect.closeTo(ndcgOf101, 12), at1: 1 },
        ...{ precision: expect.closeTo(2 / 3, 12), precisionAt1: 1, reciprocalRank: 1, hit: 1 },
      },
    ]);
    expect(await metricsOf("a", `documentRetrievalMetrics(evaluationName: "novelty") { evaluationName }`)).toEqual([
      { evaluationName: "novelty" },
    ]);
    expect(await metricsOf("c")).toMatchObject([{ evaluationName: "relevance", reciprocalRank: 0.5, precision: 0.5 }]);
    expect(await metricsOf("none")).toEqual([]);
  });

  test("over a project, means of what is known", async () => {
    const found = await ask(`documentEvaluationSummary(evaluationName: "relevance") { ${SUMMARY} }`);
    expect(found.documentEvaluationSummary).toEqual({
      ...{
        evaluationName: "relevance",
        countNdcg: 2,
        averageNdcg: expect.closeTo((ndcgOf101 + 1 / Math.log2(3)) / 2, 12),
      },
      ...{ countPrecision: 2, averagePrecision: expect.closeTo((2 / 3 + 1 / 2) / 2, 12), at1: 0.5, countAt1: 2 },
      ...{ countReciprocalRank: 2, meanReciprocalRank: 0.75, countHit: 2, hitRate: 1 },
    });
  });

  test("in a range and under a condition", async () => {
    const summary = (given: string) =>
      `documentEvaluationSummary(evaluationName: "relevance", ${given}) { meanReciprocalRank countReciprocalRank }`;
    const late = `timeRange: {start: "${formatInstant(START_US + HOUR_US)}"}`;
    const found = await ask(`late: ${summary(late)} named: ${summary(`filterCondition: "name == 'late'"`)}`);
    expect(found).toEqual({
      late: { meanReciprocalRank: 0.5, countReciprocalRank: 1 },
      named: { meanReciprocalRank: null, countReciprocalRank: 0 },
    });
    const none = `documentEvaluationSummary(evaluationName: "words") { evaluationName }`;
    expect(await ask(none)).toEqual({ documentEvaluationSummary: null });
  });

  test("over more spans than one reading takes", async () => {
    const found = await ask(`documentEvaluationSummary(evaluationName: "relevance") { hitRate countHit }`, "many");
    expect(found.documentEvaluationSummary).toEqual({ hitRate: expect.closeTo((MANY - 1) / MANY, 12), countHit: MANY });
  });

  test("the names in use on documents, of a project or of a span in it", async () => {
    const found = await ask(
      `all: documentEvaluationNames some: documentEvaluationNames(spanId: "${spanIds.b}") none: documentEvaluationNames(spanId: "${spanIds.none}")`,
    );
    expect(found).toEqual({ all: ["novelty", "relevance", "words"], some: ["relevance"], none: [] });
    expect(await ask(`documentEvaluationNames(spanId: "${spanIds.b}")`, "other")).toEqual({
      documentEvaluationNames: [],
    });
  });

  test("what is no id of a span, and no condition, is refused", async () => {
    const refusal = (fields: string) => askRefusal(api, `{ getProjectByName(name: "found") { ${fields} } }`);
    expect(await refusal(`documentEvaluationNames(spanId: "x")`)).toContain("BAD_REQUEST");
    expect(
      await refusal(`documentEvaluationSummary(evaluationName: "x", filterCondition: "nope ==") { evaluationName }`),
    ).toContain("BAD_REQUEST");
  });
});
