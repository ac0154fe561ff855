// Examples out of spans, traces and turns of sessions, on both databases: what they say, that they remember their span, and that they
// outlive it.

import { beforeAll, describe, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

const trace = (number: number) => String(number).padStart(32, "0");
const span = (number: number) => String(number).padStart(16, "0");
const second = (number: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, number)).toISOString();

interface Sent {
  readonly span: number;
  readonly trace: number;
  readonly kind: string;
  readonly attributes: object;
  readonly parent?: number;
}

const llm = {
  "input.value": "ignored",
  "llm.input_messages.0.message.role": "user",
  "llm.input_messages.0.message.content": "Where is my refund?",
  "llm.output_messages.0.message.role": "assistant",
  "llm.output_messages.0.message.content": "On its way.",
  "llm.prompt_template.variables": '{"customer": "Ada"}',
  "llm.model_name": "m1",
  metadata: '{"tier": "gold"}',
  "session.id": "chat",
};
const sent: readonly Sent[] = [
  { span: 1, trace: 1, kind: "LLM", attributes: llm },
  {
    span: 2,
    trace: 1,
    parent: 1,
    kind: "RETRIEVER",
    attributes: {
      "input.value": "refund",
      "retrieval.documents.0.document.content": "Refunds take a day.",
      "retrieval.documents.0.document.score": 0.5,
    },
  },
  {
    span: 3,
    trace: 2,
    kind: "CHAIN",
    attributes: {
      "input.value": '{"q": 1}',
      "input.mime_type": "application/json",
      "output.value": "[1, 2]",
      "output.mime_type": "application/json",
      "session.id": "chat",
    },
  },
  { span: 4, trace: 3, kind: "TOOL", attributes: { "input.value": "plain" } },
];

interface Example {
  readonly span: { readonly spanId: string } | null;
  readonly revision: { readonly input: unknown; readonly output: unknown; readonly metadata: Record<string, unknown> };
}

forEachDriver("examples out of spans", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  let project = "";
  const spanIds = new Map<number, string>();
  beforeAll(async () => {
    const data = sent.map((each) => ({
      name: `span ${each.span}`,
      context: { trace_id: trace(each.trace), span_id: span(each.span) },
      parent_id: each.parent === undefined ? null : span(each.parent),
      span_kind: each.kind,
      start_time: second(each.span),
      end_time: second(each.span + 1),
      status_code: "OK",
      attributes: each.attributes,
    }));
    const stored = await send(api.server, "POST /v1/projects/chats/spans", { json: { data } });
    if (stored.status !== 202) throw new Error(await stored.text());
    const said = { span_id: span(1), name: "right", annotator_kind: "HUMAN", result: { label: "yes", score: 1 } };
    await send(api.server, "POST /v1/span_annotations?sync=true", { json: { data: [said] } });
    const query = '{ getProjectByName(name: "chats") { id spans(first: 50) { edges { node { id spanId } } } } }';
    const found = await askData<{
      getProjectByName: { id: string; spans: { edges: { node: { id: string; spanId: string } }[] } };
    }>(api, query);
    project = found.getProjectByName.id;
    for (const { node } of found.getProjectByName.spans.edges) spanIds.set(Number(node.spanId), node.id);
  });
  const { uploaded, examples } = datasetsOf(() => api);
  let last = 0;
  const made = async () => (await uploaded({ name: `spans ${++last}`, inputs: [] })).dataset_id;

  const addSelection = (datasetId: string, selection: object) =>
    askData<object>(
      api,
      "mutation($i: AddSelectionToDatasetInput!) { addSelectionToDataset(input: $i) { dataset { exampleCount } } }",
      {
        i: { datasetId, selection },
      },
    );
  const read = async (datasetId: string): Promise<readonly Example[]> => {
    const query = `query($id: ID!) { node(id: $id) { ... on Dataset { examples(first: 50) { edges { node {
      span { spanId } revision { input output metadata } } } } } } }`;
    const data = await askData<{ node: { examples: { edges: { node: Example }[] } } }>(api, query, { id: datasetId });
    return data.node.examples.edges.map(({ node }) => node);
  };
  const spansOf = async (datasetId: string) => (await read(datasetId)).map((each) => Number(each.span?.spanId));

  test("a model call is its conversation, a retriever its documents, anything else its values; annotations come along", async () => {
    const datasetId = await made();
    const input = {
      datasetId,
      spanIds: [1, 2, 3, 4].map((number) => spanIds.get(number)),
      datasetVersionDescription: "chosen",
    };
    await askData(api, "mutation($i: AddSpansToDatasetInput!) { addSpansToDataset(input: $i) { dataset { id } } }", {
      i: input,
    });
    const [model, retriever, chain, tool] = await read(datasetId);
    expect(model).toEqual({
      span: { spanId: span(1) },
      revision: {
        input: { customer: "Ada", messages: [{ role: "user", content: "Where is my refund?" }] },
        output: { messages: [{ role: "assistant", content: "On its way." }] },
        metadata: {
          tier: "gold",
          span_kind: "LLM",
          llm: { model_name: "m1" },
          openinference: { span: { kind: "LLM" } },
          session: { id: "chat" },
          annotations: {
            right: [{ annotator_kind: "HUMAN", label: "yes", score: 1, explanation: null, metadata: {} }],
          },
        },
      },
    });
    expect([retriever!.revision.input, retriever!.revision.output]).toEqual([
      { input: "refund" },
      { documents: [{ content: "Refunds take a day.", score: 0.5 }] },
    ]);
    expect([chain!.revision.input, chain!.revision.output]).toEqual([{ q: 1 }, { output: [1, 2] }]);
    expect([tool!.revision.input, tool!.revision.output]).toEqual([{ input: "plain" }, {}]);
    const shown = await askData<{ node: { asExampleRevision: object } }>(
      api,
      "query($id: ID!) { node(id: $id) { ... on Span { containedInDataset asExampleRevision { input output metadata } datasetExamples { dataset { id } } } } }",
      { id: spanIds.get(1) },
    );
    expect(shown.node).toEqual({
      containedInDataset: true,
      asExampleRevision: model!.revision,
      datasetExamples: [{ dataset: { id: datasetId } }],
    } as never);
  });

  describe("the ways to choose", () => {
    test("traces by their roots, sessions turn by turn", async () => {
      const query = '{ getTraceByOtelId(traceId: "@") { id } getProjectSessionById(sessionId: "chat") { id } }'.replace(
        "@",
        trace(2),
      );
      const ids = await askData<{ getTraceByOtelId: { id: string }; getProjectSessionById: { id: string } }>(
        api,
        query,
      );
      const ofTrace = await made();
      await addSelection(ofTrace, { traceIds: [ids.getTraceByOtelId.id] });
      expect(await spansOf(ofTrace)).toEqual([3]);
      const ofSession = await made();
      await addSelection(ofSession, { sessionIds: [ids.getProjectSessionById.id] });
      expect(await spansOf(ofSession)).toEqual([1, 3]);
    });

    test("into splits, which are made where nobody has made them", async () => {
      const datasetId = await made();
      const add = (numbers: readonly number[], names: readonly string[]) =>
        askData(
          api,
          "mutation($i: AddSelectionToDatasetInput!) { addSelectionToDataset(input: $i) { dataset { id } } }",
          { i: { datasetId, selection: { spanIds: numbers.map((each) => spanIds.get(each)) }, splitNames: names } },
        );
      await add([1], []);
      await add([1, 3], [" of spans ", "train"]);
      const query = `query($id: ID!) { node(id: $id) { ... on Dataset {
        examples(first: 50) { edges { node { datasetSplits { name } } } } } } }`;
      const { node } = await askData<{
        node: { examples: { edges: { node: { datasetSplits: { name: string }[] } }[] } };
      }>(api, query, { id: datasetId });
      expect(node.examples.edges.map((edge) => edge.node.datasetSplits.map(({ name }) => name))).toEqual([
        [],
        ["of spans", "train"],
        ["of spans", "train"],
      ]);
    });

    test("all spans that match, of a period, and the roots alone", async () => {
      const all = await made();
      await addSelection(all, { matching: { projectId: project } });
      expect(await spansOf(all)).toEqual([1, 2, 3, 4]);
      const some = await made();
      await addSelection(some, { matching: { projectId: project, filterCondition: "span_kind == 'CHAIN'" } });
      expect(await spansOf(some)).toEqual([3]);
      const roots = await made();
      const timeRange = { start: second(2), end: second(4) };
      await addSelection(roots, { matching: { projectId: project, rootSpansOnly: true, timeRange } });
      expect(await spansOf(roots)).toEqual([3]);
    });

    test("the turns of all sessions that match, of a period", async () => {
      const found = '{ getProjectSessionById(sessionId: "chat") { id } }';
      const session = (await askData<{ getProjectSessionById: { id: string } }>(api, found)).getProjectSessionById;
      const all = await made();
      await addSelection(all, { matchingSessions: { projectId: project } });
      const chosen = await made();
      await addSelection(chosen, { sessionIds: [session.id] });
      expect((await spansOf(all)).length).toBeGreaterThan(0);
      expect(await spansOf(all)).toEqual(await spansOf(chosen));
      const refused = (matchingSessions: object) =>
        askRefusal(
          api,
          "mutation($i: AddSelectionToDatasetInput!) { addSelectionToDataset(input: $i) { dataset { id } } }",
          { i: { datasetId: all, selection: { matchingSessions: { projectId: project, ...matchingSessions } } } },
        );
      expect(await refused({ timeRange: { start: second(100), end: second(101) } })).toContain("nothing matches");
      expect(await refused({ sessionFilterCondition: "num_traces > 100" })).toContain("nothing matches");
      expect(await refused({ sessionFilterCondition: "num_traces >" })).toStartWith("BAD");
    });

    test("what is not there, what matches nothing, and a wrong condition make no version", async () => {
      const datasetId = await made();
      const refused = (selection: object) =>
        askRefusal(
          api,
          "mutation($i: AddSelectionToDatasetInput!) { addSelectionToDataset(input: $i) { dataset { id } } }",
          {
            i: { datasetId, selection },
          },
        );
      const gone = globalId("Span", 999_999);
      expect(await refused({ spanIds: [spanIds.get(1), gone] })).toContain(gone);
      expect(await refused({ traceIds: [globalId("Trace", 999_999)] })).toContain(globalId("Trace", 999_999));
      expect(await refused({ matching: { projectId: project, filterCondition: "name == 'nobody'" } })).toContain(
        "nothing matches",
      );
      expect(await refused({ matching: { projectId: project, filterCondition: "name ==" } })).toStartWith("BAD");
      expect(await read(datasetId)).toEqual([]);
      const query = `{ node(id: "${datasetId}") { ... on Dataset { versions { edges { node { id } } } } } }`;
      const { node } = await askData<{ node: { versions: { edges: unknown[] } } }>(api, query);
      expect(node.versions.edges.length).toBe(1);
    });
  });

  test("an example outlives its span, and says so", async () => {
    const { dataset_id } = await uploaded({
      name: "linked",
      inputs: [{ q: 1 }, { q: 2 }],
      span_ids: [span(4), "nobody"],
    });
    const [one, two] = await examples(dataset_id);
    expect([one!.source, two!.source]).toEqual([{ span_id: span(4), span_node_id: spanIds.get(4)! }, null]);
    expect((await send(api.server, `DELETE /v1/spans/${span(4)}`)).status).toBe(204);
    expect((await examples(dataset_id)).map(({ source, input }) => [source, input])).toEqual([
      [null, { q: 1 }],
      [null, { q: 2 }],
    ]);
  });
});
