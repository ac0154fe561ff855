// What belongs to experiments, found by its id: tags, and the runs of an example.

import { beforeAll, expect, test } from "bun:test";
import { findRowId } from "../../src/kernel/ids.ts";
import { openTestApi } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

const TIME = "2026-01-02T03:04:05Z";

forEachDriver("nodes of experiments", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  let experiment: string;
  let example: string;
  beforeAll(async () => {
    const { dataset_id: id } = await uploaded({ name: "set", inputs: [{ q: 1 }], outputs: [{ a: 1 }] });
    example = (await examples(id))[0]!.node_id;
    experiment = (await ask(`POST /v1/datasets/${id}/experiments`, { name: "one" })).data.id;
    const run = { dataset_example_id: example, output: "said", repetition_number: 1, start_time: TIME, end_time: TIME };
    await ask(`POST /v1/experiments/${experiment}/runs`, run);
  });
  const { ask, uploaded, examples } = datasetsOf(() => api);

  const node = async (id: string, fields: string) =>
    (await askData<{ node: object }>(api, `query($id: ID!) { node(id: $id) { __typename id ${fields} } }`, { id }))
      .node;

  test("a tag", async () => {
    const { data: tag } = await ask(`POST /v1/experiments/${experiment}/tags`, { name: "baseline" });
    expect(await node(experiment, "... on Experiment { tags { id name } }")).toMatchObject({
      tags: [{ id: tag.id, name: "baseline" }],
    });
    expect(await node(tag.id, "... on ExperimentTag { name experimentId description }")).toEqual({
      __typename: "ExperimentTag",
      id: tag.id,
      name: "baseline",
      experimentId: experiment,
      description: null,
    });
  });

  test("the runs of an example", async () => {
    const idOf = (exampleId: number | null) => {
      const key = `experiment_id=${findRowId("Experiment", experiment)}:dataset_example_id=${exampleId}`;
      return Buffer.from(`ExperimentRepeatedRunGroup:${key}`).toString("base64");
    };
    const id = idOf(findRowId("DatasetExample", example));
    const fields = "... on ExperimentRepeatedRunGroup { experimentId runs { repetitionNumber } }";
    const found = { experimentId: experiment, runs: [{ repetitionNumber: 1 }] };
    expect(await node(id, fields)).toEqual({ __typename: "ExperimentRepeatedRunGroup", id, ...found });
    const refused = await askRefusal(api, "query($id: ID!) { node(id: $id) { id } }", { id: idOf(99_999) });
    expect(refused).toStartWith("NOT_FOUND");
  });
});
