// The queries that programs of the reference server send, as far as their parts are built.

import { beforeAll, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi } from "../support/api.ts";
import { DATASET_PROJECT, exportInto, sendDataset } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";
import dataset from "../vectors/dataset.json" with { type: "json" };

const TRACE = "000000000000000000000000ace00001";
const SPAN = "000000000bee0002";

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
}
const nodes = <Node>({ edges }: Connection<Node>): Node[] => edges.map(({ node }) => node);

forEachDriver("queries of known programs", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await sendDataset(exportInto(api));
  });

  test("Q1: the spans of every project", async () => {
    interface Listed {
      readonly name: string;
      readonly spans: Connection<{ readonly id: string; readonly name: string }>;
    }
    const { projects } = await askData<{ projects: Connection<Listed> & { __typename: string } }>(
      api,
      "{ projects(first: 1000) { __typename edges { node { name spans(first: 1000) { edges { node { name id } } } } } } }",
    );
    expect(projects.__typename).toBe("ProjectConnection");
    const found = nodes(projects).find(({ name }) => name === DATASET_PROJECT)!;
    expect(nodes(found.spans).map(({ name }) => name)).toEqual(dataset.spans.map(({ name }) => name));
  });

  test("Q2: sessions, their traces, their spans", async () => {
    interface Session {
      readonly sessionId: string;
      readonly traces: Connection<{ spans: Connection<{ context: { spanId: string } }> }>;
    }
    const { projects } = await askData<{ projects: Connection<{ name: string; sessions: Connection<Session> }> }>(
      api,
      `{ projects(first: 1000) { edges { node { name sessions(first: 1000) { edges { node { sessionId
        traces(first: 1000) { edges { node { spans(first: 1000) { edges { node { context { spanId } } } } } } } } } } } } } }`,
    );
    const { sessions } = nodes(projects).find(({ name }) => name === DATASET_PROJECT)!;
    expect(
      nodes(sessions)
        .map(({ sessionId }) => sessionId)
        .sort(),
    ).toEqual(["S-one", "S-three", "S-two"]);
    const [first] = nodes(sessions).filter(({ sessionId }) => sessionId === "S-one");
    const ids = nodes(first!.traces).map(({ spans }) => nodes(spans).map(({ context }) => context.spanId));
    expect(ids[0]).toContain(SPAN);
  });

  test("Q3, Q4: a trace in its project only, a span by its own id", async () => {
    const { projects } = await askData<{ projects: Connection<{ name: string; trace: { id: string } | null }> }>(
      api,
      `query ($id: ID!) { projects(first: 1000) { edges { node { name
        trace(traceId: $id) { id traceId session { id } spans(first: 1000) { edges { node { id spanId } } } } } } } }`,
      { id: TRACE },
    );
    for (const { name, trace } of nodes(projects)) expect(trace !== null).toBe(name === DATASET_PROJECT);
    const ask = (spanId: string) =>
      askData<{ span: unknown }>(
        api,
        `query ($spanId: String!) { span: getSpanByOtelId(spanId: $spanId) {
          spanId trace { traceId project { name } session { sessionId } } } }`,
        { spanId },
      );
    const trace = { traceId: TRACE, project: { name: DATASET_PROJECT }, session: { sessionId: "S-one" } };
    expect((await ask(SPAN)) as unknown).toEqual({ span: { spanId: SPAN, trace } });
    expect((await ask("nothing")) as unknown).toEqual({ span: null });
  });

  test("Q12: the fields of the schema", async () => {
    const { __schema } = await askData<{ __schema: { queryType: { fields: { name: string }[] } } }>(
      api,
      "{ __schema { queryType { fields { name } } } }",
    );
    expect(__schema.queryType.fields.map(({ name }) => name)).toContain("projects");
  });

  test("N1, N3, N4: nodes by their ids", async () => {
    const node = async (id: string, selection: string) =>
      (await askData<{ node: unknown }>(api, `query ($id: ID!) { node(id: $id) { __typename ${selection} } }`, { id }))
        .node;
    const { span } = await askData<{ span: { id: string; project: { id: string } } }>(
      api,
      `{ span: getSpanByOtelId(spanId: "${SPAN}") { id project { id } } }`,
    );
    const trace = `trace(traceId: "${TRACE}") { spans(first: 1000) { edges { node { id spanId } } } }`;
    const project = await node(span.project.id, `... on Project { ${trace} }`);
    expect(JSON.stringify(project)).toContain(`{"id":"${span.id}","spanId":"${SPAN}"}`);
    const found = (await node(span.id, "... on Span { spanId attributes }")) as { attributes: string };
    expect(JSON.parse(found.attributes)).toMatchObject({ llm: { model_name: "gpt-4o" } });
    for (const type of ["Trace", "ProjectSession"]) {
      expect(await node(globalId(type, 1), "id")).toEqual({ __typename: type, id: globalId(type, 1) });
    }
    expect(await askRefusal(api, `{ node(id: "${globalId("Span", 9999)}") { id } }`)).toStartWith("NOT_FOUND");
  });
});
