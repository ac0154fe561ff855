// Annotations beside what else is done with their targets: moved to another project, exported as tables, checked.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

forEachDriver("annotations elsewhere", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const attributes = '{"retrieval":{"documents":[{"document":{"id":"a"}}]}}';
    await ingestBatch(api.stored.ingest, [
      incomingSpan({ projectName: "from", spanKey: "s1", traceKey: "t1", kind: "RETRIEVER", attributes }),
      incomingSpan({ projectName: "from", spanKey: "s2", traceKey: "t2" }),
      incomingSpan({ projectName: "to", spanKey: "s3", traceKey: "t3" }),
    ]);
    const common = { name: "q", annotator_kind: "HUMAN", result: { label: "good", score: 0.75, explanation: "why" } };
    await annotate("span", [
      { ...common, span_id: "s1" },
      { ...common, span_id: "s2" },
    ]);
    await annotate("trace", [{ ...common, trace_id: "t1" }]);
    await annotate("document", [{ ...common, span_id: "s1", document_position: 0 }]);
    expect((await ask("POST /v1/span_notes", { data: { span_id: "s1", note: "moved along" } })).status).toBe(200);
  });

  const ask = async (line: string, json?: unknown, headers: Record<string, string> = {}) => {
    const response = await send(api.server, line, json === undefined ? {} : { json, headers });
    return { status: response.status, text: await response.text() };
  };
  const annotate = async (what: string, data: readonly object[]) =>
    expect((await ask(`POST /v1/${what}_annotations?sync=true`, { data })).status).toBe(200);
  const namesIn = async (project: string, query: string) => {
    const { status, text } = await ask(`GET /v1/projects/${project}/${query}`);
    return status === 404 ? null : (JSON.parse(text) as { data: { name: string }[] }).data.map(({ name }) => name);
  };
  /** Ids of the spans in the table of a project that match. */
  const exported = async (project: string, condition: string) => {
    const query = { select: { id: { key: "context.span_id" } }, filter: { condition } };
    const accept = { accept: "application/json" };
    const { status, text } = await ask(`POST /v1/spans?project_name=${project}`, { queries: [query] }, accept);
    expect(status).toBe(200);
    return [...text.matchAll(/"0_context\.span_id":"(\w+)"/g)].map(([, id]) => id);
  };

  test("tables are narrowed by them", async () => {
    expect(await exported("from", "annotations['q'].score > 0.5")).toEqual(["s2", "s1"]);
    expect(await exported("from", "trace_annotations['q'].label == 'good'")).toEqual(["s1"]);
    expect(await exported("from", "annotations['q'].label == 'bad'")).toEqual([]);
  });

  test("they move with their trace", async () => {
    const moved = { trace_identifiers: ["t1"], destination_project_identifier: "to" };
    expect((await ask("POST /v1/traces/transfer", moved)).status).toBe(200);
    expect(await namesIn("to", "span_annotations?span_ids=s1")).toEqual(["note", "q"]);
    expect(await namesIn("to", "trace_annotations?trace_ids=t1")).toEqual(["q"]);
    expect(await namesIn("from", "span_annotations?span_ids=s1")).toBeNull();
    expect(await namesIn("from", "trace_annotations?trace_ids=t1")).toBeNull();
    expect(await exported("to", "annotations['q'].score > 0.5")).toEqual(["s1"]);
    expect(await exported("from", "annotations['q'].score > 0.5")).toEqual(["s2"]);
    const figures = (project: string) =>
      askData(
        api,
        `{ p: getProjectByName(name: "${project}") { spanAnnotationSummary(annotationName: "q") { count meanScore }
           documentEvaluationNames documentEvaluationSummary(evaluationName: "q") { countHit } } }`,
      );
    expect(await figures("to")).toEqual({
      p: {
        ...{ spanAnnotationSummary: { count: 1, meanScore: 0.75 }, documentEvaluationNames: ["q"] },
        documentEvaluationSummary: { countHit: 1 },
      },
    });
    expect(await figures("from")).toMatchObject({
      p: { documentEvaluationNames: [], documentEvaluationSummary: null },
    });
    expect((await verifyStorage(api.stored.storage, api.context(), ownedTables)).differences).toEqual([]);
  });

  test("one whose target is gone is found by the check", async () => {
    const said = {
      identifier: "",
      annotator_kind: "HUMAN",
      metadata: "{}",
      source: "API",
      created_us: 1,
      updated_us: 1,
    };
    await api.stored.storage.handle
      .write(api.context())
      .insertInto("span_annotations")
      .values({ ...said, name: "lost", span_id: 999_999, user_id: null } as never)
      .execute();
    const { differences } = await verifyStorage(api.stored.storage, api.context(), ownedTables);
    expect(JSON.stringify(differences)).toContain("span_annotations");
  });
});
