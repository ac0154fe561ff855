// What the runs of experiments cost, on both databases: by kind of token, and compared.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi, type TestApi } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { INPUT, OUTPUT, testPrices } from "../support/prices.ts";
import { incomingSpan } from "../support/spans.ts";

const START = "2026-01-02T03:05:00+00:00";
const USD = 1e12;
const hex = (digit: number) => String(digit).repeat(32);
const ENTRIES = "costDetailSummaryEntries { tokenType isPrompt value { tokens cost } }";

forEachDriver("costs of experiments", (driver) => {
  let api: TestApi;
  let base: string;
  let other: string;
  /** One example of it three times. */
  let repeated: string;
  let unrun: string;
  let exampleId: string;
  /** By the digit of their traces. */
  const runs = new Map<number, string>();
  const { ask, uploaded, examples } = datasetsOf(() => api);

  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
    const inputs = [{ q: 1 }, { q: 2 }, { q: 3 }];
    const { dataset_id: id } = await uploaded({ name: "priced", inputs, outputs: inputs });
    const ids = (await examples(id)).map(({ node_id }) => node_id);
    const experiment = async (): Promise<string> =>
      (await ask(`POST /v1/datasets/${id}/experiments`, { name: "tried" })).data.id;
    [base, other, unrun] = [await experiment(), await experiment(), await experiment()];
    repeated = (await ask(`POST /v1/datasets/${id}/experiments`, { repetitions: 3 })).data.id;
    exampleId = ids[0]!;
    const run = async (experimentId: string, example: number, digit: number, repetition_number = 1) => {
      const { data } = await ask(`POST /v1/experiments/${experimentId}/runs`, {
        dataset_example_id: ids[example],
        output: "said",
        repetition_number,
        start_time: START,
        end_time: START,
        trace_id: hex(digit),
      });
      runs.set(digit, data.id);
    };
    for (const repetition of [1, 2, 3]) await run(repeated, 0, repetition, repetition);
    await run(base, 0, 1);
    await run(base, 1, 2);
    await run(base, 2, 3);
    await run(other, 0, 4);
    await run(other, 1, 5);
    await run(other, 2, 6);
    const call = (digit: number, promptTokens: number, completionTokens: number, more: object = {}) =>
      incomingSpan({
        projectName: "runs",
        traceKey: hex(digit),
        spanKey: `${digit}`.repeat(16),
        kind: "LLM",
        model: "known",
        promptTokens,
        completionTokens,
        ...more,
      });
    await ingestBatch(
      api.stored.ingest,
      [
        call(1, 10, 4),
        // The same call, recorded twice: it counts once.
        call(1, 10, 4, { spanKey: "a".repeat(16), parentKey: "1".repeat(16) }),
        call(2, 30, 4),
        // The price is unknown.
        call(3, 5, 5, { model: "x" }),
        call(4, 20, 4),
        call(5, 20, 5),
        call(6, 5, 5),
      ],
      testPrices,
    );
  });
  afterAll(() => api.close());

  const entriesOf = async (id: string, type: string) =>
    (
      await askData<{ node: { costDetailSummaryEntries: object[] } }>(
        api,
        `query($id: ID!) { node(id: $id) { ... on ${type} { ${ENTRIES} } } }`,
        { id },
      )
    ).node.costDetailSummaryEntries;
  const entries = (input: number, inputUnits: number | null, output: number, outputUnits: number | null) => [
    { tokenType: "input", isPrompt: true, value: { tokens: input, cost: inputUnits && inputUnits / USD } },
    { tokenType: "output", isPrompt: false, value: { tokens: output, cost: outputUnits && outputUnits / USD } },
  ];

  test("of a run, a call that was recorded twice counts once; without a price there are tokens only", async () => {
    expect(await entriesOf(runs.get(1)!, "ExperimentRun")).toEqual(entries(10, 10 * INPUT, 4, 4 * OUTPUT));
    expect(await entriesOf(runs.get(3)!, "ExperimentRun")).toEqual(entries(5, null, 5, null));
  });

  test("the summaries of experiments and runs say the same in all", async () => {
    const summary = (id: string, type: string) =>
      askData<{ node: { costSummary: Record<"prompt" | "completion" | "total", { cost: number | null }> } }>(
        api,
        `query($id: ID!) { node(id: $id) { ... on ${type} {
          costSummary { prompt { cost } completion { cost } total { cost } } } } }`,
        { id },
      ).then(({ node }) => Object.values(node.costSummary).map(({ cost }) => cost && Math.round(cost * USD)));
    expect(await summary(base, "Experiment")).toEqual([40 * INPUT, 8 * OUTPUT, 40 * INPUT + 8 * OUTPUT]);
    expect(await summary(runs.get(1)!, "ExperimentRun")).toEqual([10 * INPUT, 4 * OUTPUT, 10 * INPUT + 4 * OUTPUT]);
    expect(await summary(runs.get(3)!, "ExperimentRun")).toEqual([null, null, null]);
  });

  test("of an experiment, over all its runs", async () => {
    expect(await entriesOf(base, "Experiment")).toEqual(entries(45, 40 * INPUT, 13, 8 * OUTPUT));
    expect(await entriesOf(other, "Experiment")).toEqual(entries(45, 45 * INPUT, 14, 14 * OUTPUT));
  });

  test("of an example, over its repetitions; an experiment without a run of it has none", async () => {
    const { node } = await askData<{ node: { groups: object[] } }>(
      api,
      `query($example: ID!, $experiments: [ID!]!) { node(id: $example) { ... on DatasetExample {
        groups: experimentRepeatedRunGroups(experimentIds: $experiments) { ${ENTRIES} } } } }`,
      { example: exampleId, experiments: [repeated, base, unrun] },
    );
    expect(node.groups).toEqual([
      { costDetailSummaryEntries: entries(45, 40 * INPUT, 13, 8 * OUTPUT) },
      { costDetailSummaryEntries: entries(10, 10 * INPUT, 4, 4 * OUTPUT) },
      { costDetailSummaryEntries: [] },
    ]);
  });

  test("compared by example: less is better, and what has no price is not compared", async () => {
    const outcomes = "{ numRunsImproved numRunsRegressed numRunsEqual numRunsWithoutComparison }";
    const found = await askData<object>(
      api,
      `query($base: ID!, $others: [ID!]!) { found: experimentRunMetricComparisons(baseExperimentId: $base,
        compareExperimentIds: $others) { totalCost ${outcomes} promptCost ${outcomes} completionCost ${outcomes} } }`,
      { base, others: [other] },
    );
    const outcome = (improved: number, regressed: number, equal: number) => ({
      numRunsImproved: improved,
      numRunsRegressed: regressed,
      numRunsEqual: equal,
      numRunsWithoutComparison: 3 - improved - regressed - equal,
    });
    expect(found).toEqual({
      found: { totalCost: outcome(1, 1, 0), promptCost: outcome(1, 1, 0), completionCost: outcome(1, 0, 1) },
    });
  });
});
