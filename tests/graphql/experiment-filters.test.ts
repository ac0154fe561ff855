// Conditions on the runs of compared experiments, on both databases: what they select, what is refused, and what is warned of.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestApi, type TestApi } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";

const START = "2026-01-02T03:05:00+00:00";
const end = (milliseconds: number) => new Date(Date.parse(START) + milliseconds).toISOString();

/** The runs of the base and of another experiment, by example: A to F. The last has none. */
const runs = [
  { example: "A", output: { answer: "Paris", "a.b": 1, list: [{ role: "tool" }] }, milliseconds: 100, exact: 1 },
  { example: "B", output: "A PLAIN text with \u0000 and \ud800", milliseconds: 2000, exact: 0, label: "bad" },
  { example: "C", output: null, error: "Timed out", milliseconds: 3000 },
  { example: "D", output: 7.5, milliseconds: 4000, exact: 0.5, label: "good" },
  { example: "E", output: [1, "two"], milliseconds: 5000, other: true, exact: 0.25 },
] as const;

const selected: readonly (readonly [condition: string, examples: string])[] = [
  ["latency_ms > 2000", "CDE"],
  ["1000 < latency_ms < 4500 and not latency_ms == 3000", "BD"],
  ["error is not None", "C"],
  ["'TIMED' in error", "C"],
  ["repetition_number == 1", "ABCDE"],
  ["repetition_number in [2, 3]", ""],
  ["output['answer'] == 'Paris'", "A"],
  ["output['a.b'] is not None", "A"],
  ["output['list'][0]['role'] == 'tool'", "A"],
  ["output[1] == 'two'", "E"],
  ["'plain' in output", "B"],
  ["float(output) > 7", "D"],
  ["output is None", "C"],
  ["input['q'] == 'B'", "B"],
  ["'c' in input['q']", "C"],
  ["reference_output['expected'] == 'd'", "D"],
  ["float(metadata['rank']) >= 4", "DE"],
  ["metadata['nothing'] is None", "ABCDE"],
  ["evals['exact'].score < 0.6", "BDE"],
  ["annotations['exact'].label == 'good'", "D"],
  ["evals['exact']", "ABDE"],
  ["not evals['exact']", "C"],
  ["evals['exact'].score > 0.9 or error is not None", "AC"],
  ["'because' in evals['exact'].explanation", "ABDE"],
  ["start_time >= '2026-01-02T03:05:00+00:00'", "ABCDE"],
  ["", "ABCDEF"],
];

const refused: readonly (readonly [condition: string, message: string])[] = [
  ["latency > 3", "invalid name `latency`"],
  ["latency_ms > 'x'", "compare"],
  ["attributes['a'] == 'x'", "invalid name `attributes`"],
  ["output.answer == 'x'", 'members are read by `output["…"]`'],
  ["user.id == 'x'", "invalid name `user.id`"],
  ["evals['exact'].identifier == 'x'", "expected one of `.score`, `.label`, or `.explanation`"],
  ["evals['exact'].disputed", "invalid eval attribute `.disputed`"],
  ["span_annotations['x'].score > 1", "invalid expression: span_annotations['x'].score"],
  ["trace_annotations['x'].score > 1", "a run has `evals[...]` only"],
  ["any(x.score > 1 for x in spans)", "nothing to iterate"],
  ["output[answer] == 'x'", "invalid expression: output[answer]"],
  ["latency_ms >", "invalid syntax"],
  ["latency_ms", "is not a condition"],
  ["   ", "the condition is blank"],
];

forEachDriver("conditions on runs of experiments", (driver) => {
  let api: TestApi;
  let base: string;
  let other: string;
  const letters = new Map<string, string>();
  const { ask, uploaded, examples } = datasetsOf(() => api);

  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
    const names = [..."ABCDEF"];
    const { dataset_id: id } = await uploaded({
      name: "capitals",
      inputs: names.map((q) => ({ q })),
      outputs: names.map((name) => ({ expected: name.toLowerCase() })),
      metadata: names.map((_, at) => ({ rank: at + 1 })),
    });
    for (const { node_id, input } of await examples(id)) letters.set(node_id, (input as { q: string }).q);
    const ids = new Map([...letters].map(([exampleId, letter]) => [letter, exampleId]));
    const experiment = async (): Promise<string> =>
      (await ask(`POST /v1/datasets/${id}/experiments`, { name: "tried" })).data.id;
    [base, other] = [await experiment(), await experiment()];
    for (const given of runs) {
      const { data } = await ask(`POST /v1/experiments/${"other" in given ? other : base}/runs`, {
        dataset_example_id: ids.get(given.example),
        output: given.output,
        repetition_number: 1,
        start_time: START,
        end_time: end(given.milliseconds),
        ...("error" in given ? { error: given.error } : {}),
      });
      if (!("exact" in given)) continue;
      await ask("POST /v1/experiment_evaluations", {
        experiment_run_id: data.id,
        name: "exact",
        annotator_kind: "CODE",
        start_time: START,
        end_time: START,
        result: { score: given.exact, label: "label" in given ? given.label : null, explanation: "Because." },
      });
    }
  });
  afterAll(() => api.close());

  const query = `query($base: ID!, $others: [ID!]!, $condition: String, $first: Int, $after: String) {
    compareExperiments(baseExperimentId: $base, compareExperimentIds: $others, filterCondition: $condition, first: $first, after: $after) {
      edges { node { example { id } repeatedRunGroups { experimentId } } } pageInfo { hasNextPage endCursor } } }`;
  interface Compared {
    readonly compareExperiments: {
      readonly edges: readonly { readonly node: { readonly example: { readonly id: string } } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  }
  const compared = async (condition: string | null, more: object = {}) => {
    const asked = { base, others: [other], condition, ...more };
    const { compareExperiments } = await askData<Compared>(api, query, asked);
    const found = compareExperiments.edges.map(({ node }) => letters.get(node.example.id)).join("");
    return { found, page: compareExperiments.pageInfo };
  };
  const validation = async (condition: string, experimentIds: readonly string[] = [base, other]) =>
    (
      await askData<{ validateExperimentRunFilterCondition: object }>(
        api,
        `query($condition: String!, $experimentIds: [ID!]!) {
          validateExperimentRunFilterCondition(condition: $condition, experimentIds: $experimentIds) {
            isValid errorMessage errorStart errorEnd warnings } }`,
        { condition, experimentIds },
      )
    ).validateExperimentRunFilterCondition;

  test.each(selected)("%s selects %s", async (condition, expected) => {
    expect(await validation(condition)).toEqual({
      isValid: true,
      errorMessage: null,
      errorStart: null,
      errorEnd: null,
      warnings: [],
    });
    expect((await compared(condition)).found).toBe(expected);
  });

  test.each(refused)("%s is refused: %s", async (condition, message) => {
    if (condition.trim() !== "")
      expect(await validation(condition)).toMatchObject({
        isValid: false,
        errorMessage: expect.stringContaining(message),
      });
    const refusal = await askRefusal(api, query, { base, others: [other], condition });
    expect(refusal).toContain(message);
  });

  test("absent it narrows nothing; runs of experiments that are not compared count for nothing", async () => {
    expect((await compared(null)).found).toBe("ABCDEF");
    expect((await compared("latency_ms > 4500", { others: [] })).found).toBe("");
  });

  test("pages go on behind the last example that matched", async () => {
    const first = await compared("evals['exact'].score < 0.6", { first: 2 });
    expect(first).toMatchObject({ found: "BD", page: { hasNextPage: true } });
    const second = await compared("evals['exact'].score < 0.6", { first: 2, after: first.page.endCursor });
    expect(second).toMatchObject({ found: "E", page: { hasNextPage: false } });
  });

  test("a mistake is told with its place, an evaluation that nobody gave is warned of", async () => {
    expect(await validation("error is None and latency > 3")).toMatchObject({ errorStart: 18, errorEnd: 25 });
    expect(await validation("evals['exakt'].score > 0")).toMatchObject({
      isValid: true,
      warnings: ["no run has an evaluation named `exakt`"],
    });
  });

  test("words for completion: every one can be written, with the evaluations and members that the runs have", async () => {
    const { terms } = await askData<{ terms: { name: string; type: string; values: string[] }[] }>(
      api,
      `query($ids: [ID!]!) { terms: experimentRunFilterVocabulary(experimentIds: $ids) { name type values } }`,
      { ids: [base, other] },
    );
    const compared = { string: "== 'x'", number: "> 1", boolean: "is not None", datetime: `> '${START}'` };
    for (const { name, type } of terms) {
      const condition = name.endsWith("]") && type === "boolean" ? name : `${name} ${compared[type as "string"]}`;
      expect(await validation(condition)).toMatchObject({ isValid: true });
    }
    const byName = new Map(terms.map((term) => [term.name, term]));
    expect(byName.get("evals['exact'].score")).toMatchObject({ type: "number" });
    expect(byName.get("evals['exact'].label")?.values.sort()).toEqual(["bad", "good"]);
    expect(byName.get("output['answer']")).toMatchObject({ type: "string", values: ["Paris"] });
    expect(byName.get("input['q']")?.values).toEqual(["A", "B", "C", "D", "E"]);
    expect(byName.get("metadata['rank']")).toMatchObject({ type: "number" });
    expect([...byName.keys()]).toContain("repetition_number");
    expect([...byName.keys()]).not.toContain("user.id");
  });

  test("an experiment that is not there is told by its id", async () => {
    const gone = Buffer.from("Experiment:999").toString("base64");
    const refusal = await askRefusal(
      api,
      `query($ids: [ID!]!) { validateExperimentRunFilterCondition(condition: "error is None", experimentIds: $ids) { isValid } }`,
      { ids: [gone] },
    );
    expect(refusal).toContain(gone);
  });
});
