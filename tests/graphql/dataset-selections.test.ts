// What examples of chosen spans and traces expect, on both databases: a failed or badly judged answer is not expected by itself, corrections
// of annotations are, edits win, a preview says the same before, and nothing is left of what is refused.

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

/** Roots of traces of the same number. */
const sent = [
  { number: 1, attributes: { "output.value": "fine" } },
  { number: 2, attributes: { "output.value": "broken" }, status: "ERROR" },
  { number: 3, attributes: { "output.value": "misled" } },
  { number: 4, attributes: { "output.value": "rude" } },
  { number: 5, attributes: {} },
  {
    number: 6,
    kind: "LLM",
    attributes: {
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Hello",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.content": "Go away.",
    },
  },
  { number: 7, attributes: { "output.value": "calm" } },
];
const all = sent.map(({ number }) => number);

const PREVIEW = `query($selection: DatasetSelectionInput!, $rule: ExpectedOutputInput, $first: Int!) {
  previewDatasetSelection(selection: $selection, expectedOutput: $rule, first: $first) {
    hasMore
    examples { span { spanId } input output answer missingOutputReason missingOutputNote correctionNames } } }`;
const ADD = `mutation($i: AddSelectionToDatasetInput!) {
  addSelectionToDataset(input: $i) { dataset { id name exampleCount newestVersion { createdCount } } } }`;

interface Previewed {
  readonly span: { readonly spanId: string };
  readonly input: object;
  readonly output: object;
  readonly answer: object;
  readonly missingOutputReason: string | null;
  readonly missingOutputNote: string | null;
  readonly correctionNames: readonly string[];
}

forEachDriver("what examples of a selection expect", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  let project = "";
  const spanIds = new Map<number, string>();
  const traceIds = new Map<number, string>();
  beforeAll(async () => {
    const data = sent.map(({ number, kind = "CHAIN", status = "OK", attributes }) => ({
      name: `span ${number}`,
      context: { trace_id: trace(number), span_id: span(number) },
      parent_id: null,
      span_kind: kind,
      start_time: second(number),
      end_time: second(number + 1),
      status_code: status,
      status_message: status === "ERROR" ? "Timed out" : "",
      attributes: { "input.value": `question ${number}`, ...attributes },
    }));
    const stored = await send(api.server, "POST /v1/projects/chats/spans", { json: { data } });
    if (stored.status !== 202) throw new Error(await stored.text());
    const config = {
      ...{ name: "toxicity", type: "CONTINUOUS", optimization_direction: "MINIMIZE", lower_bound: 0, upper_bound: 1 },
    };
    expect((await send(api.server, "POST /v1/annotation_configs", { json: config })).status).toBeLessThan(300);
    const human = { annotator_kind: "HUMAN" };
    const said = [
      // A program's word is no reason, and a score of 0 is a good one where lower is better.
      { span_id: span(1), name: "correctness", annotator_kind: "LLM", result: { label: "incorrect", score: 0 } },
      { ...human, span_id: span(1), name: "toxicity", result: { score: 0 } },
      { ...human, span_id: span(4), name: "toxicity", result: { score: 0.9 } },
      { ...human, span_id: span(4), name: "expected", result: { explanation: "polite" } },
      { ...human, span_id: span(6), name: "expected", result: { explanation: "Hello to you." } },
      {
        ...{ span_id: span(7), name: "expected", annotator_kind: "CODE", result: { label: "fixed" } },
        metadata: { corrected_output: { answer: 42 } },
      },
    ];
    const spans = await send(api.server, "POST /v1/span_annotations?sync=true", { json: { data: said } });
    if (spans.status !== 200) throw new Error(await spans.text());
    const ofTrace = { ...human, trace_id: trace(3), name: "correctness", result: { label: "Incorrect" } };
    const traces = await send(api.server, "POST /v1/trace_annotations?sync=true", { json: { data: [ofTrace] } });
    if (traces.status !== 200) throw new Error(await traces.text());
    const found = await askData<{
      getProjectByName: { id: string; spans: { edges: { node: { id: string; trace: { id: string } } }[] } };
    }>(
      api,
      '{ getProjectByName(name: "chats") { id spans(first: 50, sort: { col: startTime, dir: asc }) { edges { node { id trace { id } } } } } }',
    );
    project = found.getProjectByName.id;
    for (const [at, { node }] of found.getProjectByName.spans.edges.entries()) {
      spanIds.set(at + 1, node.id);
      traceIds.set(at + 1, node.trace.id);
    }
  });
  const { uploaded } = datasetsOf(() => api);
  let last = 0;
  const made = async () => (await uploaded({ name: `selected ${++last}`, inputs: [] })).dataset_id;

  const traces = (...numbers: number[]) => ({ traceIds: numbers.map((number) => traceIds.get(number)) });
  const preview = async (selection: object, rule: object | null, first = 20) =>
    (
      await askData<{ previewDatasetSelection: { hasMore: boolean; examples: Previewed[] } }>(api, PREVIEW, {
        selection,
        rule,
        first,
      })
    ).previewDatasetSelection;
  const add = (input: object) =>
    askData<{
      addSelectionToDataset: { dataset: { id: string; name: string; newestVersion: { createdCount: number } } };
    }>(api, ADD, { i: input });
  const read = async (datasetId: string) => {
    const query = `query($id: ID!) { node(id: $id) { ... on Dataset { exampleCount versions { edges { node { id } } }
      examples(first: 50) { edges { node { span { spanId } revision { input output } } } } } } }`;
    const { node } = await askData<{
      node: {
        exampleCount: number;
        versions: { edges: unknown[] };
        examples: { edges: { node: { span: { spanId: string }; revision: { input: object; output: object } } }[] };
      };
    }>(api, query, { id: datasetId });
    const rows = node.examples.edges.map((edge) => [Number(edge.node.span.spanId), edge.node.revision] as const);
    return { ...node, rows: new Map(rows) };
  };
  const outputsOf = async (datasetId: string) =>
    Object.fromEntries([...(await read(datasetId)).rows].map(([number, { output }]) => [number, output]));

  describe.each([
    [
      "the output of every span, where nothing is said",
      null,
      {
        1: { output: "fine" },
        2: { output: "broken" },
        3: { output: "misled" },
        4: { output: "rude" },
        5: {},
        6: { messages: [{ role: "assistant", content: "Go away." }] },
        7: { output: "calm" },
      },
      { 5: ["NO_OUTPUT", null] },
    ],
    [
      "the output of those that neither failed nor were judged as bad",
      { rule: "OUTPUT_UNLESS_FAILED" },
      {
        1: { output: "fine" },
        2: {},
        3: {},
        4: {},
        5: {},
        6: { messages: [{ role: "assistant", content: "Go away." }] },
        7: { output: "calm" },
      },
      {
        2: ["FAILED", "Timed out"],
        3: ["JUDGED_NEGATIVE", "correctness: Incorrect"],
        4: ["JUDGED_NEGATIVE", "toxicity: 0.9"],
        5: ["NO_OUTPUT", null],
      },
    ],
    [
      "the corrected output of an annotation",
      { rule: "CORRECTED_OUTPUT", annotationName: "expected" },
      {
        ...{ 1: {}, 2: {}, 3: {}, 5: {} },
        4: { output: "polite" },
        6: { messages: [{ role: "assistant", content: "Hello to you." }] },
        7: { answer: 42 },
      },
      {
        1: ["NOT_CORRECTED", null],
        2: ["NOT_CORRECTED", null],
        3: ["NOT_CORRECTED", null],
        5: ["NOT_CORRECTED", null],
      },
    ],
    ["nothing", { rule: "EMPTY" }, Object.fromEntries(all.map((number) => [number, {}])), {}],
  ] as const)("%s", (_name, rule, outputs, reasons) => {
    const ways = [
      ["chosen traces", () => traces(...all)],
      ["chosen spans", () => ({ spanIds: all.map((number) => spanIds.get(number)) })],
      ["all that match", () => ({ matching: { projectId: project, rootSpansOnly: true } })],
    ] as const;
    test.each(ways)("of %s, as the preview says", async (_way, selectionOf) => {
      const selection = selectionOf();
      const { hasMore, examples } = await preview(selection, rule);
      expect(hasMore).toBe(false);
      const numberOf = ({ span: { spanId } }: Previewed) => Number(spanId);
      expect(Object.fromEntries(examples.map((each) => [numberOf(each), each.output]))).toEqual(outputs);
      const missing = examples.filter(({ missingOutputReason }) => missingOutputReason !== null);
      expect(
        Object.fromEntries(
          missing.map((each) => [numberOf(each), [each.missingOutputReason, each.missingOutputNote]] as const),
        ),
      ).toEqual(reasons);
      expect(examples.map(({ correctionNames }) => correctionNames.length)).toEqual([0, 0, 0, 1, 0, 1, 1]);
      expect(examples[1]!.answer).toEqual({ output: "broken" });
      const datasetId = await made();
      await add({ datasetId, selection, ...(rule === null ? {} : { expectedOutput: rule }) });
      expect(await outputsOf(datasetId)).toEqual(outputs);
    });
  });

  test("edits win over the rule, and keep what they do not name", async () => {
    const datasetId = await made();
    await add({
      datasetId,
      selection: traces(1, 2, 3),
      expectedOutput: { rule: "OUTPUT_UNLESS_FAILED" },
      edits: [
        { spanId: spanIds.get(2), output: { output: "what it should have been" } },
        { spanId: spanIds.get(1), input: { input: "shorter" }, output: {} },
      ],
    });
    const { rows } = await read(datasetId);
    expect(rows.get(1)).toEqual({ input: { input: "shorter" }, output: {} });
    expect(rows.get(2)).toEqual({ input: { input: "question 2" }, output: { output: "what it should have been" } });
    expect(rows.get(3)).toEqual({ input: { input: "question 3" }, output: {} });
  });

  test("a new dataset is made together with its examples, or not at all", async () => {
    const { addSelectionToDataset } = await add({ newDatasetName: "made of traces", selection: traces(1, 2) });
    expect(addSelectionToDataset.dataset).toMatchObject({
      name: "made of traces",
      exampleCount: 2,
      newestVersion: { createdCount: 2 },
    });
    const refused = (input: object) => askRefusal(api, ADD, { i: input });
    expect(await refused({ newDatasetName: "made of traces", selection: traces(1) })).toContain("made of traces");
    expect(await refused({ newDatasetName: "", selection: traces(1) })).toContain("name");
    expect(await refused({ selection: traces(1) })).toContain("datasetId");
    expect(
      await refused({ datasetId: addSelectionToDataset.dataset.id, newDatasetName: "both", selection: traces(1) }),
    ).toContain("newDatasetName");
    const other = spanIds.get(3);
    expect(
      await refused({ newDatasetName: "never", selection: traces(1), edits: [{ spanId: other, output: {} }] }),
    ).toContain(other!);
    const { datasets } = await askData<{ datasets: { edges: { node: { name: string } }[] } }>(
      api,
      "{ datasets(first: 100) { edges { node { name } } } }",
    );
    const names = datasets.edges.map(({ node }) => node.name);
    expect(names.filter((name) => name === "made of traces")).toHaveLength(1);
    expect(names).not.toContain("never");
    expect(names).not.toContain("both");
  });

  test("what is refused names its place, and makes no version", async () => {
    const datasetId = await made();
    const edit = (number: number, parts: object) => ({ spanId: spanIds.get(number), ...parts });
    const refused = (input: object) => askRefusal(api, ADD, { i: { datasetId, selection: traces(1, 2), ...input } });
    expect(await refused({ edits: [edit(1, {}), edit(2, { output: "text" })] })).toContain("edits[1].output");
    expect(await refused({ edits: [edit(1, { input: [] })] })).toContain("edits[0].input");
    expect(await refused({ edits: [edit(1, {}), edit(1, {})] })).toContain("edits[1]");
    expect(await refused({ edits: [edit(3, { output: {} })] })).toContain(spanIds.get(3)!);
    expect(await refused({ edits: Array.from({ length: 101 }, () => edit(1, {})) })).toContain("at most 100");
    expect(await refused({ edits: [{ spanId: globalId("Trace", 1) }] })).toContain("is not the id of a Span");
    const rule = { expectedOutput: { rule: "CORRECTED_OUTPUT" } };
    expect(await refused(rule)).toContain("expectedOutput.annotationName");
    expect(await refused({ expectedOutput: { rule: "EMPTY", annotationName: "expected" } })).toContain(
      "expectedOutput.annotationName",
    );
    const found = await read(datasetId);
    expect([found.exampleCount, found.versions.edges.length]).toEqual([0, 1]);
  });

  test("a preview is bounded, and says that more follow", async () => {
    const { hasMore, examples } = await preview(traces(...all), null, 3);
    expect([hasMore, examples.length]).toEqual([true, 3]);
    expect((await preview(traces(...all), null, 7)).hasMore).toBe(false);
    const variables = { selection: traces(1), rule: null };
    for (const first of [0, 51]) {
      expect(await askRefusal(api, PREVIEW, { ...variables, first })).toContain("first: must be from 1 to 50");
    }
    expect(await askRefusal(api, PREVIEW, { ...variables, selection: { traceIds: [] }, first: 1 })).toContain(
      "nothing matches",
    );
  });
});
