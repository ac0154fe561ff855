// Experiments in GraphQL, on both databases: their figures, beside each other by example, their baseline, and what is dismissed.

import { expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

const START = "2026-01-02T03:05:00+00:00";
/** Milliseconds after the start. */
const after = (milliseconds: number) => new Date(Date.parse(START) + milliseconds).toISOString();
const hex = (seed: number) => seed.toString(16).padStart(32, "0");

interface Run {
  readonly example: number;
  readonly repetition?: number;
  readonly milliseconds?: number;
  readonly error?: string;
  readonly traceId?: string;
  readonly scores?: Readonly<Record<string, number | null>>;
  readonly label?: string;
}

forEachDriver("experiments in GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploaded, examples } = datasetsOf(() => api);
  let last = 0;

  const dataset = async (size = 3) => {
    const inputs = Array.from({ length: size }, (_, at) => ({ q: at }));
    const { dataset_id: id } = await uploaded({ name: `set ${++last}`, inputs, outputs: inputs });
    const ids = (await examples(id)).map(({ node_id }) => node_id).sort((one, other) => rowOf(one) - rowOf(other));
    return { id, ids };
  };
  const experiment = async (set: { id: string }, words: object = {}): Promise<string> =>
    (await ask(`POST /v1/datasets/${set.id}/experiments`, { name: `tried ${++last}`, ...words })).data.id;
  const run = async (set: { ids: readonly string[] }, experimentId: string, given: Run): Promise<string> => {
    const { data } = await ask(`POST /v1/experiments/${experimentId}/runs`, {
      dataset_example_id: set.ids[given.example],
      output: { said: given.example },
      repetition_number: given.repetition ?? 1,
      start_time: START,
      end_time: after(given.milliseconds ?? 1000),
      trace_id: given.traceId ?? null,
      ...(given.error === undefined ? {} : { error: given.error }),
    });
    for (const [name, score] of Object.entries(given.scores ?? {}))
      await ask("POST /v1/experiment_evaluations", {
        experiment_run_id: data.id,
        name,
        annotator_kind: "CODE",
        start_time: START,
        end_time: START,
        result: { score, label: given.label ?? null, explanation: `because of ${name}` },
      });
    return data.id;
  };
  const node = async <Result>(id: string, type: string, chosen: string): Promise<Result> =>
    (await askData<{ node: Result }>(api, `query($id: ID!) { node(id: $id) { ... on ${type} { ${chosen} } } }`, { id }))
      .node;
  const compare = <Result>(base: string, others: readonly string[], chosen: string, more = "") =>
    askData<{ compareExperiments: Result }>(
      api,
      `query($base: ID!, $others: [ID!]!) {
        compareExperiments(baseExperimentId: $base, compareExperimentIds: $others${more}) { ${chosen} } }`,
      { base, others },
    ).then((data) => data.compareExperiments);
  const refusedComparison = (base: string, others: readonly string[]) =>
    askRefusal(
      api,
      `query($base: ID!, $others: [ID!]!) {
        compareExperiments(baseExperimentId: $base, compareExperimentIds: $others) { edges { cursor } } }`,
      { base, others },
    );

  test("the figures of an experiment: runs, failures, latency, and each evaluation by the means of its examples", async () => {
    const set = await dataset();
    const id = await experiment(set, { repetitions: 2, description: "first try" });
    await run(set, id, { example: 0, milliseconds: 1000, scores: { exact: 1, tone: 0.5 }, label: "good" });
    await run(set, id, { example: 0, repetition: 2, milliseconds: 2000, scores: { exact: 0 }, label: "bad" });
    await run(set, id, { example: 1, milliseconds: 3000, scores: { exact: 1 }, label: "good" });
    await run(set, id, { example: 2, milliseconds: 4000, error: "too slow" });
    const figures = await node(
      id,
      "Experiment",
      `name sequenceNumber description repetitions runCount expectedRunCount errorRate averageRunLatencyMs isBaseline
       isEphemeral annotationSummaries { annotationName count scoreCount labelCount errorCount minScore maxScore meanScore
         labelFractions { label fraction } }
       costSummary { total { tokens cost } } dataset { id } datasetVersion { exampleCount } project { name }`,
    );
    expect(figures).toEqual({
      name: `tried ${last}`,
      sequenceNumber: 1,
      description: "first try",
      repetitions: 2,
      runCount: 4,
      expectedRunCount: 6,
      errorRate: 0.25,
      averageRunLatencyMs: 2500,
      isBaseline: false,
      isEphemeral: false,
      annotationSummaries: [
        {
          annotationName: "exact",
          count: 3,
          scoreCount: 3,
          labelCount: 3,
          errorCount: 0,
          minScore: 0,
          maxScore: 1,
          // Of 0.5 and 1: the example with two runs weighs no more.
          meanScore: 0.75,
          labelFractions: [
            { label: "good", fraction: 2 / 3 },
            { label: "bad", fraction: 1 / 3 },
          ],
        },
        expect.objectContaining({ annotationName: "tone", count: 1, meanScore: 0.5 }),
      ],
      costSummary: { total: { tokens: null, cost: null } },
      dataset: { id: set.id },
      datasetVersion: { exampleCount: 3 },
      project: { name: expect.stringMatching(/^Experiment-/) },
    });
  });

  test("an experiment without runs has no figures, and a failed run that is run again counts once", async () => {
    const set = await dataset(1);
    const id = await experiment(set);
    const chosen = "runCount errorRate averageRunLatencyMs annotationSummaries { annotationName }";
    const changed = async () => Date.parse((await node<{ at: string }>(id, "Experiment", "at: lastUpdatedAt")).at);
    const made = await changed();
    expect(await node<object>(id, "Experiment", chosen)).toEqual({
      runCount: 0,
      errorRate: null,
      averageRunLatencyMs: null,
      annotationSummaries: [],
    });
    await run(set, id, { example: 0, error: "no", milliseconds: 2 * made });
    expect(await changed()).toBe(Date.parse(START) + 2 * made);
    await run(set, id, { example: 0, milliseconds: 500 });
    expect(await node<object>(id, "Experiment", chosen)).toEqual({
      runCount: 1,
      errorRate: 0,
      averageRunLatencyMs: 500,
      annotationSummaries: [],
    });
  });

  test("runs with their output, example, trace, tokens and evaluations; in the order that is asked for", async () => {
    const set = await dataset();
    const id = await experiment(set);
    const traceId = hex(0xabc001);
    const attributes = { "llm.token_count.prompt": 7, "llm.token_count.completion": 5 };
    const sent = {
      name: "task",
      span_kind: "LLM",
      status_code: "OK",
      start_time: START,
      end_time: after(1000),
      attributes,
    };
    await ask("POST /v1/projects/default/spans", {
      data: [{ ...sent, context: { trace_id: traceId, span_id: "00000000000000a1" } }],
    });
    const slow = await run(set, id, { example: 0, milliseconds: 3000, traceId, scores: { exact: 0.2 } });
    const quick = await run(set, id, {
      example: 1,
      milliseconds: 1000,
      traceId: hex(0xabc002),
      scores: { exact: 0.9 },
    });
    const bare = await run(set, id, { example: 2, milliseconds: 2000 });
    const order = async (sort: string) => {
      const { runs } = await node<{ runs: { edges: { node: { id: string } }[] } }>(
        id,
        "Experiment",
        `runs(first: 10${sort}) { edges { node { id } } }`,
      );
      return runs.edges.map((edge) => edge.node.id);
    };
    expect(await order("")).toEqual([bare, quick, slow]);
    expect(await order(", sort: {col: {metric: latencyMs}, dir: asc}")).toEqual([quick, bare, slow]);
    expect(await order(', sort: {col: {annotationName: "exact"}, dir: desc}')).toEqual([quick, slow, bare]);
    const shown = await node(
      slow,
      "ExperimentRun",
      `experimentId repetitionNumber output error latencyMs traceId trace { traceId } example { id }
       costSummary { prompt { tokens } completion { tokens } total { tokens cost } }
       annotations { edges { node { id name score explanation annotatorKind trace { id } } } }`,
    );
    expect(shown).toEqual({
      experimentId: id,
      repetitionNumber: 1,
      output: { said: 0 },
      error: null,
      latencyMs: 3000,
      traceId,
      trace: { traceId },
      example: { id: set.ids[0] },
      costSummary: { prompt: { tokens: 7 }, completion: { tokens: 5 }, total: { tokens: 12, cost: null } },
      annotations: {
        edges: [
          {
            node: {
              id: expect.any(String),
              name: "exact",
              score: 0.2,
              explanation: "because of exact",
              annotatorKind: "CODE",
              trace: null,
            },
          },
        ],
      },
    });
    const { trace } = await node<{ trace: unknown }>(quick, "ExperimentRun", "trace { id }");
    expect(trace).toBeNull();
    const total = await node<object>(id, "Experiment", "costSummary { total { tokens } }");
    expect(total).toEqual({ costSummary: { total: { tokens: 12 } } });
  });

  test("experiments beside each other, by example: groups in the order asked for, empty ones too, page by page", async () => {
    const set = await dataset();
    const base = await experiment(set, { repetitions: 2 });
    const other = await experiment(set);
    await run(set, base, { example: 0, milliseconds: 1000, scores: { exact: 1 } });
    await run(set, base, { example: 0, repetition: 2, milliseconds: 2000, scores: { exact: 0, tone: null } });
    await run(set, other, { example: 0, milliseconds: 400, scores: { exact: 0.25 } });
    await run(set, other, { example: 2, milliseconds: 800 });
    interface Page {
      readonly edges: readonly { readonly node: object }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    }
    const chosen = `edges { node { example { id } repeatedRunGroups { experimentId averageLatencyMs runs { repetitionNumber }
      annotationSummaries { annotationName meanScore } } } } pageInfo { hasNextPage endCursor }`;
    const first = await compare<Page>(base, [other], chosen, ", first: 2");
    expect(first.edges.map((edge) => edge.node)).toEqual([
      {
        example: { id: set.ids[0] },
        repeatedRunGroups: [
          {
            experimentId: base,
            averageLatencyMs: 1500,
            runs: [{ repetitionNumber: 1 }, { repetitionNumber: 2 }],
            annotationSummaries: [
              { annotationName: "exact", meanScore: 0.5 },
              { annotationName: "tone", meanScore: null },
            ],
          },
          {
            experimentId: other,
            averageLatencyMs: 400,
            runs: [{ repetitionNumber: 1 }],
            annotationSummaries: [{ annotationName: "exact", meanScore: 0.25 }],
          },
        ],
      },
      {
        example: { id: set.ids[1] },
        repeatedRunGroups: [base, other].map((experimentId) => ({
          experimentId,
          averageLatencyMs: null,
          runs: [],
          annotationSummaries: [],
        })),
      },
    ]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await compare<Page>(base, [other], chosen, `, first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(rest.edges.map((edge) => edge.node)).toEqual([expect.objectContaining({ example: { id: set.ids[2] } })]);
    expect(rest.pageInfo.hasNextPage).toBe(false);
    const reversed = await node<{ experimentRepeatedRunGroups: { experimentId: string }[] }>(
      set.ids[0]!,
      "DatasetExample",
      `experimentRepeatedRunGroups(experimentIds: ["${other}", "${base}"]) { experimentId }`,
    );
    expect(reversed.experimentRepeatedRunGroups.map(({ experimentId }) => experimentId)).toEqual([other, base]);
  });

  test("metrics against the best of the others: improved, regressed, equal and without", async () => {
    const set = await dataset(4);
    const [base, one, two] = [await experiment(set), await experiment(set), await experiment(set)];
    const latencies: readonly (readonly (number | null)[])[] = [
      [100, 200, 300],
      [300, 200, 400],
      [200, 200, null],
      [100, null, null],
    ];
    for (const [example, row] of latencies.entries())
      for (const [at, id] of [base, one, two].entries())
        if (row[at] != null) await run(set, id, { example, milliseconds: row[at] });
    const query = `query($base: ID!, $others: [ID!]!) {
      experimentRunMetricComparisons(baseExperimentId: $base, compareExperimentIds: $others) {
        latency { numRunsImproved numRunsRegressed numRunsEqual numRunsWithoutComparison }
        totalTokenCount { numRunsWithoutComparison } } }`;
    expect(await askData<object>(api, query, { base, others: [one, two] })).toEqual({
      experimentRunMetricComparisons: {
        latency: { numRunsImproved: 1, numRunsRegressed: 1, numRunsEqual: 1, numRunsWithoutComparison: 1 },
        totalTokenCount: { numRunsWithoutComparison: 4 },
      },
    });
    expect(await askRefusal(api, query, { base, others: [] })).toContain("compareExperimentIds");
  });

  const turnMeasure = `mutation($input: SetExperimentMeasureDirectionInput!) {
    turned: setExperimentMeasureDirection(input: $input) { optimizationDirection } }`;
  const turn = (input: object) => askData<object>(api, turnMeasure, { input });

  test("what is better is known for everybody: less, unless a user sets more", async () => {
    const set = await dataset(2);
    const [base, one, two] = [await experiment(set), await experiment(set), await experiment(set)];
    const latencies = [
      [200, 100, 300],
      [300, 100, 200],
    ];
    for (const [example, row] of latencies.entries())
      for (const [at, id] of [base, one, two].entries()) await run(set, id, { example, milliseconds: row[at]! });
    const asked = () =>
      askData<object>(
        api,
        `query($base: ID!, $others: [ID!]!) {
          directions: experimentMeasureDirections { measure optimizationDirection }
          counted: experimentRunMetricComparisons(baseExperimentId: $base, compareExperimentIds: $others) {
            latency { numRunsImproved numRunsRegressed } } }`,
        { base, others: [one, two] },
      );
    const answer = (latency: string, numRunsImproved: number, numRunsRegressed: number) => ({
      directions: [
        { measure: "LATENCY", optimizationDirection: latency },
        ...["TOKENS", "COST", "ERRORS"].map((measure) => ({ measure, optimizationDirection: "MINIMIZE" })),
      ],
      counted: { latency: { numRunsImproved, numRunsRegressed } },
    });
    expect(await asked()).toEqual(answer("MINIMIZE", 0, 2));
    for (const optimizationDirection of ["MINIMIZE", "MAXIMIZE"])
      expect(await turn({ measure: "LATENCY", optimizationDirection })).toEqual({ turned: { optimizationDirection } });
    // Against the longest of the others: 300 and 200.
    expect(await asked()).toEqual(answer("MAXIMIZE", 1, 1));
    await turn({ measure: "LATENCY", optimizationDirection: "MINIMIZE" });
  });

  test("of scores more is better, unless the annotation configuration of the name or a user sets less", async () => {
    const set = await dataset(1);
    const id = await experiment(set);
    await run(set, id, { example: 0, scores: { LATENCY: 1, neither: 1, said: 1, toxic: 0 } });
    const configured = async (name: string, direction: string) => {
      const config = { name, type: "CONTINUOUS", optimization_direction: direction };
      return (await ask("POST /v1/annotation_configs", config)).data.id as string;
    };
    const toxic = await configured("toxic", "MINIMIZE");
    await configured("neither", "NONE");
    const asked = async () => {
      const { node } = await askData<{ node: { annotationSummaries: Record<string, string>[] } }>(
        api,
        `query($id: ID!) { node(id: $id) { ... on Experiment {
          annotationSummaries { annotationName optimizationDirection } } } }`,
        { id },
      );
      return node.annotationSummaries.map((found) => `${found.annotationName} ${found.optimizationDirection}`);
    };
    expect(await asked()).toEqual(["LATENCY MAXIMIZE", "neither MAXIMIZE", "said MAXIMIZE", "toxic MINIMIZE"]);
    for (const annotationName of ["neither", "said"]) await turn({ annotationName, optimizationDirection: "MINIMIZE" });
    await turn({ annotationName: "toxic", optimizationDirection: "MAXIMIZE" });
    expect(await asked()).toEqual(["LATENCY MAXIMIZE", "neither MINIMIZE", "said MINIMIZE", "toxic MAXIMIZE"]);
    expect((await ask(`GET /v1/annotation_configs/${toxic}`)).data).toMatchObject({
      optimization_direction: "MAXIMIZE",
    });
  });

  test.each([
    [{}, "optimizationDirection"],
    [{ optimizationDirection: "NONE", measure: "COST" }, "optimizationDirection: must be MINIMIZE or MAXIMIZE"],
    [{ optimizationDirection: "MINIMIZE" }, "measure: name a measure or an annotationName"],
    [{ optimizationDirection: "MINIMIZE", measure: "COST", annotationName: "right" }, "annotationName: must not stand"],
    [{ optimizationDirection: "MINIMIZE", annotationName: "" }, "annotationName: must not be empty"],
    [{ optimizationDirection: "MINIMIZE", annotationName: "x".repeat(65_536) }, "annotationName: must not be longer"],
    [{ optimizationDirection: "MINIMIZE", measure: "SCORE" }, "SCORE"],
  ])("a direction is refused: %j", async (input, message) => {
    expect(await askRefusal(api, turnMeasure, { input })).toContain(message);
  });

  test("what cannot be compared is reported", async () => {
    const set = await dataset(1);
    const [base, other] = [await experiment(set), await experiment(set)];
    const foreign = await experiment(await dataset(1));
    expect(await refusedComparison(base, [base])).toContain("must not hold the base");
    expect(await refusedComparison(base, [other, other])).toContain("twice");
    expect(await refusedComparison(base, [foreign])).toContain(`${foreign} is an experiment of another dataset`);
    expect(await refusedComparison(base, [globalId("Experiment", 999_999)])).toContain("not found");
    expect(await refusedComparison(base, [set.id])).toContain("is not the id of a Experiment");
  });

  test("experiments of a dataset: newest first, found by words and ids, with their evaluations together", async () => {
    const set = await dataset(1);
    const first = await experiment(set, { name: "A prompt", description: "short" });
    const second = await experiment(set, { name: "a model", description: "with 50% more" });
    await run(set, first, { example: 0, scores: { exact: 0.25 } });
    await run(set, second, { example: 0, scores: { exact: 1, tone: 3 } });
    const listed = async (given: string) => {
      const { experiments } = await node<{ experiments: { edges: { node: { id: string } }[] } }>(
        set.id,
        "Dataset",
        `experiments(${given}) { edges { node { id } } }`,
      );
      return experiments.edges.map((edge) => edge.node.id);
    };
    expect(await listed("first: 10")).toEqual([second, first]);
    expect(await listed('filterCondition: "PROMPT"')).toEqual([first]);
    expect(await listed('filterCondition: "50%"')).toEqual([second]);
    expect(await listed(`filterIds: ["${first}"]`)).toEqual([first]);
    expect(
      await node<object>(
        set.id,
        "Dataset",
        "experimentCount experimentAnnotationSummaries { annotationName minScore maxScore }",
      ),
    ).toEqual({
      experimentCount: 2,
      experimentAnnotationSummaries: [
        { annotationName: "exact", minScore: 0.25, maxScore: 1 },
        { annotationName: "tone", minScore: 3, maxScore: 3 },
      ],
    });
  });

  test("one experiment of a dataset is its baseline", async () => {
    const set = await dataset(1);
    const [first, second] = [await experiment(set), await experiment(set)];
    const change = (id: string, baseline: boolean) =>
      askData<object>(
        api,
        `mutation($id: ID!, $baseline: Boolean!) { setExperimentBaseline(experimentId: $id, baseline: $baseline) {
          experiment { isBaseline } previousBaselineExperiment { id } dataset { baselineExperiment { id } } } }`,
        { id, baseline },
      );
    const answer = (isBaseline: boolean, previous: string | null, now: string | null) => ({
      setExperimentBaseline: {
        experiment: { isBaseline },
        previousBaselineExperiment: previous === null ? null : { id: previous },
        dataset: { baselineExperiment: now === null ? null : { id: now } },
      },
    });
    expect(await change(first, true)).toEqual(answer(true, null, first));
    expect(await change(second, true)).toEqual(answer(true, first, second));
    expect(await change(first, false)).toEqual(answer(false, second, second));
    expect(await change(second, false)).toEqual(answer(false, second, null));
  });

  test("an experiment that is dismissed leaves the lists, may come back, and is no baseline", async () => {
    const set = await dataset(1);
    const id = await experiment(set);
    const mutate = (field: string) =>
      askData<object>(api, `mutation($id: ID!) { ${field}(experimentId: $id) { experiment { isEphemeral } } }`, { id });
    const counts = () =>
      node<object>(set.id, "Dataset", "shown: experimentCount all: experimentCount(includeEphemeral: true)");
    expect(await mutate("dismissExperiment")).toEqual({ dismissExperiment: { experiment: { isEphemeral: true } } });
    expect(await counts()).toEqual({ shown: 0, all: 1 });
    expect(
      await askRefusal(
        api,
        "mutation($id: ID!) { setExperimentBaseline(experimentId: $id, baseline: true) { dataset { id } } }",
        { id },
      ),
    ).toContain("Ephemeral experiments cannot be marked as baseline");
    expect(await mutate("reinstateExperiment")).toEqual({
      reinstateExperiment: { experiment: { isEphemeral: false } },
    });
    expect(await counts()).toEqual({ shown: 1, all: 1 });
  });

  test("names are changed, and several experiments go with their projects, all or none", async () => {
    const set = await dataset(1);
    const [first, second] = [await experiment(set), await experiment(set)];
    const patched = await askData<object>(
      api,
      `mutation($id: ID!) { patchExperiment(input: {experimentId: $id, name: "renamed", metadata: {a: 1}}) {
        experiment { name metadata } } }`,
      { id: first },
    );
    expect(patched).toEqual({ patchExperiment: { experiment: { name: "renamed", metadata: { a: 1 } } } });
    const deletion = `mutation($ids: [ID!]!) { deleteExperiments(input: {experimentIds: $ids}) { experiments { id } } }`;
    expect(await askRefusal(api, deletion, { ids: [first, globalId("Experiment", 999_999)] })).toContain("not found");
    const { project } = await node<{ project: { id: string } }>(first, "Experiment", "project { id }");
    expect(await askData<object>(api, deletion, { ids: [first, second] })).toEqual({
      deleteExperiments: { experiments: [{ id: first }, { id: second }] },
    });
    expect(await node<object>(set.id, "Dataset", "experimentCount")).toEqual({ experimentCount: 0 });
    expect(await askRefusal(api, "query($id: ID!) { node(id: $id) { id } }", { id: project.id })).toContain("No node");
  });
});

const rowOf = (id: string) => Number(atob(id).split(":")[1]);
