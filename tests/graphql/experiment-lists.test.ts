// The experiments of a dataset in the order that is asked for, and by their numbers, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

interface Listed {
  readonly node: { readonly experiments: { readonly edges: readonly { readonly node: { readonly name: string } }[] } };
}

forEachDriver("experiments of a dataset", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  let dataset: string;
  beforeAll(async () => {
    dataset = (await uploaded({ name: "set", inputs: [{ q: 1 }], outputs: [{ a: 1 }] })).dataset_id;
    for (const name of ["one", "two", "three"]) await ask(`POST /v1/datasets/${dataset}/experiments`, { name });
  });
  const { ask, uploaded } = datasetsOf(() => api);

  const listed = async (given: string) => {
    const list = `... on Dataset { experiments(${given}) { edges { node { name } } } }`;
    const { node } = await askData<Listed>(api, `query($id: ID!) { node(id: $id) { ${list} } }`, { id: dataset });
    return node.experiments.edges.map((edge) => edge.node.name);
  };

  test("are sorted by number or creation", async () => {
    for (const column of ["sequenceNumber", "createdAt"]) {
      expect(await listed(`sort: { col: ${column}, dir: asc }`)).toEqual(["one", "two", "three"]);
      expect(await listed(`sort: { col: ${column}, dir: desc }`)).toEqual(["three", "two", "one"]);
    }
  });

  test("are chosen by number, beside the other filters", async () => {
    expect(await listed("sequenceNumbers: [3, 1, 7]")).toEqual(["three", "one"]);
    expect(await listed("sequenceNumbers: []")).toEqual([]);
    expect(await listed("sequenceNumbers: null")).toEqual(["three", "two", "one"]);
    expect(await listed('sequenceNumbers: [2], filterCondition: "one"')).toEqual([]);
  });
});
