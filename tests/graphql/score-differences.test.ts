// How scores of experiments differ from those of their base in GraphQL, on both databases.

import { expect, test } from "bun:test";
import { openTestApi } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

const TIME = "2026-01-02T03:05:00+00:00";

interface Run {
  readonly example: number;
  readonly repetition?: number;
  readonly scores: Readonly<Record<string, number | null>>;
}

forEachDriver("differences of scores in GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploaded, examples } = datasetsOf(() => api);

  const dataset = async (size: number) => {
    const inputs = Array.from({ length: size }, (_, at) => ({ q: at }));
    const { dataset_id: id } = await uploaded({ name: "compared", inputs, outputs: inputs });
    return { id, ids: (await examples(id)).map(({ node_id }) => node_id) };
  };
  let last = 0;
  const experiment = async (set: { id: string }): Promise<string> =>
    (await ask(`POST /v1/datasets/${set.id}/experiments`, { name: `tried ${++last}` })).data.id;
  const run = async (set: { ids: readonly string[] }, experimentId: string, given: Run): Promise<void> => {
    const { data } = await ask(`POST /v1/experiments/${experimentId}/runs`, {
      dataset_example_id: set.ids[given.example],
      output: {},
      repetition_number: given.repetition ?? 1,
      start_time: TIME,
      end_time: TIME,
    });
    for (const [name, score] of Object.entries(given.scores))
      await ask("POST /v1/experiment_evaluations", {
        experiment_run_id: data.id,
        name,
        annotator_kind: "CODE",
        start_time: TIME,
        end_time: TIME,
        result: { score, explanation: `because of ${name}` },
      });
  };

  test("scores against the base by example: higher and lower beyond a threshold, and the interval of the mean difference", async () => {
    const set = await dataset(7);
    const [base, other, few] = [await experiment(set), await experiment(set), await experiment(set)];
    // The differences are -0.5, -0.25, -0.25, -0.5, -0.25 and 0; the seventh example has no score in the base.
    const scores = [
      [1, [0.25, 0.75]],
      [0.75, [0.5]],
      [0.5, [0, 0.5]],
      [1, [0.5]],
      [0.5, [0.25]],
      [1, [1]],
      [null, [0]],
    ] as const;
    for (const [example, [before, after]] of scores.entries()) {
      await run(set, base, { example, scores: { right: before } });
      for (const [at, right] of after.entries())
        await run(set, other, { example, repetition: at + 1, scores: { right, other: 1 } });
    }
    await run(set, few, { example: 0, scores: { right: 0 } });
    const query = `query($base: ID!, $others: [ID!]!, $threshold: Float) {
      found: experimentScoreDifferences(baseExperimentId: $base, compareExperimentIds: $others, threshold: $threshold) {
        experimentId annotationName exampleCount meanDifference intervalLow intervalHigh numExamplesHigher numExamplesLower } }`;
    const asked = async (threshold: number | null) =>
      (await askData<{ found: Record<string, number | null>[] }>(api, query, { base, others: [other, few], threshold }))
        .found;
    const found = await asked(null);
    // The deviation of these six is 0.18819, and Student's t of five degrees of freedom 2.571: 0.19753 to each side.
    expect(found).toEqual([
      {
        experimentId: other,
        annotationName: "right",
        exampleCount: 6,
        meanDifference: expect.closeTo(-1.75 / 6, 9),
        intervalLow: expect.closeTo(-1.75 / 6 - 0.1975, 3),
        intervalHigh: expect.closeTo(-1.75 / 6 + 0.1975, 3),
        numExamplesHigher: 0,
        numExamplesLower: 5,
      },
      {
        experimentId: few,
        annotationName: "right",
        exampleCount: 1,
        meanDifference: -1,
        intervalLow: null,
        intervalHigh: null,
        numExamplesHigher: 0,
        numExamplesLower: 1,
      },
    ] as never);
    expect((await asked(0.25))[0]).toMatchObject({ numExamplesLower: 2 });
    expect(await askRefusal(api, query, { base, others: [other], threshold: -1 })).toContain("threshold");
    expect(await askRefusal(api, query, { base, others: [] })).toContain("compareExperimentIds");
    expect(await askRefusal(api, query, { base, others: [base] })).toBeTruthy();
  });
});
