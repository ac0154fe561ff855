// Datasets in GraphQL, on both databases: made and changed, read at any version, split and labelled, and what differs.

import { describe, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { MAX_KEY_BYTES } from "../../src/model/span.ts";
import { openTestApi } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

interface Example {
  readonly id: string;
  readonly externalId: string | null;
  readonly revision: { readonly input: unknown; readonly revisionKind: string };
  readonly datasetSplits: readonly { readonly name: string }[];
}
interface Page<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
interface Version {
  readonly id: string;
  readonly description: string | null;
  readonly metadata: unknown;
  readonly exampleCount: number;
}

forEachDriver("datasets in GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { uploaded, examples: restExamples } = datasetsOf(() => api);
  let last = 0;
  const freshName = () => `set ${++last}`;
  const values = (...list: unknown[]) => list.map((value) => ({ q: value }));

  const mutate = async <Result>(field: string, type: string, input: object, chosen: string): Promise<Result> => {
    const query = `mutation($input: ${type}!) { ${field}(input: $input) { ${chosen} } }`;
    return (await askData<Record<string, Result>>(api, query, { input }))[field]!;
  };
  const refusal = (field: string, type: string, input: object, chosen: string) =>
    askRefusal(api, `mutation($input: ${type}!) { ${field}(input: $input) { ${chosen} } }`, { input });
  const node = async <Result>(id: string, type: string, chosen: string): Promise<Result> =>
    (await askData<{ node: Result }>(api, `query($id: ID!) { node(id: $id) { ... on ${type} { ${chosen} } } }`, { id }))
      .node;
  const examplesOf = async (id: string, given = "first: 100"): Promise<Page<Example>> => {
    const chosen = `examples(${given}) {
      edges { cursor node { id externalId revision { input revisionKind } datasetSplits { name } } }
      pageInfo { hasNextPage endCursor } }`;
    return (await node<{ examples: Page<Example> }>(id, "Dataset", chosen)).examples;
  };
  const inputs = (page: Page<Example>) => page.edges.map(({ node: { revision } }) => revision.input);
  const versionsOf = async (id: string): Promise<readonly Version[]> => {
    const chosen = "versions { edges { node { id description metadata exampleCount } } }";
    const found = await node<{ versions: Page<Version> }>(id, "Dataset", chosen);
    return found.versions.edges.map((edge) => edge.node);
  };
  const made = async (name = freshName()) =>
    (await mutate<{ dataset: { id: string } }>("createDataset", "CreateDatasetInput", { name }, "dataset { id }"))
      .dataset.id;

  test("the last change of a dataset is that of its words or of its examples, whichever is later", async () => {
    const name = freshName();
    const { dataset_id: id } = await uploaded({ name, inputs: values(1) });
    type Times = { readonly lastUpdatedAt: string; readonly updatedAt: string; readonly newestVersion: object };
    const times = () => node<Times>(id, "Dataset", "lastUpdatedAt updatedAt newestVersion { createdAt }");
    await uploaded({ name, action: "append", inputs: values(2) });
    const appended = await times();
    expect(appended.newestVersion).toEqual({ createdAt: appended.lastUpdatedAt });
    await mutate("patchDataset", "PatchDatasetInput", { datasetId: id, description: "new words" }, "dataset { id }");
    const patched = await times();
    expect(patched.lastUpdatedAt).toBe(patched.updatedAt);
    expect(patched.lastUpdatedAt > appended.lastUpdatedAt).toBe(true);
  });

  test("a dataset is made, changed, listed by name and counted, and its name is unique", async () => {
    const { dataset } = await mutate<{ dataset: { id: string } }>(
      "createDataset",
      "CreateDatasetInput",
      { name: "Alpha set", description: "first", metadata: { team: "a" } },
      "dataset { id name description metadata exampleCount createdBy { id } updatedBy { id } }",
    );
    expect(dataset).toEqual({
      id: dataset.id,
      name: "Alpha set",
      description: "first",
      metadata: { team: "a" },
      exampleCount: 0,
      createdBy: null,
      updatedBy: null,
    } as never);
    const taken = await refusal("createDataset", "CreateDatasetInput", { name: "Alpha set" }, "dataset { id }");
    expect(taken).toContain("Alpha set");
    const change = { datasetId: dataset.id, name: "Beta set", description: null };
    const patched = await mutate("patchDataset", "PatchDatasetInput", change, "dataset { name description metadata }");
    expect(patched).toEqual({ dataset: { name: "Beta set", description: null, metadata: { team: "a" } } });
    expect(await refusal("patchDataset", "PatchDatasetInput", { ...change, name: null }, "dataset { id }")).toContain(
      "name",
    );
    const query = `{ datasetCount datasets(filter: {col: name, value: "BETA"}) { edges { node { name } } } }`;
    expect(await askData<object>(api, query)).toEqual({
      datasetCount: last + 1,
      datasets: { edges: [{ node: { name: "Beta set" } }] },
    });
  });

  test("datasetsLastUpdatedAt moves with each change of any dataset, and stays else", async () => {
    const moment = async () => (await askData<{ at: string }>(api, "{ at: datasetsLastUpdatedAt }")).at;
    const name = freshName();
    const { dataset_id: datasetId } = await uploaded({ name, inputs: values(1) });
    const made = await moment();
    expect(await moment()).toBe(made);
    await uploaded({ name, action: "append", inputs: values(2) });
    const appended = await moment();
    expect(appended > made).toBe(true);
    await mutate("deleteDataset", "DeleteDatasetInput", { datasetId }, "dataset { id }");
    expect((await moment()) > appended).toBe(true);
  });

  test("examples are read page by page, by text, by split and at any version", async () => {
    const { dataset_id, version_id } = await uploaded({
      name: freshName(),
      inputs: values("Größe", "b", "c"),
      example_ids: ["one", null, null],
      splits: [null, "left", "left"],
    });
    const first = await examplesOf(dataset_id, "first: 2");
    expect([inputs(first), first.pageInfo.hasNextPage]).toEqual([values("Größe", "b"), true]);
    expect(inputs(await examplesOf(dataset_id, `first: 2, after: "${first.pageInfo.endCursor}"`))).toEqual(values("c"));
    expect(inputs(await examplesOf(dataset_id, 'filter: "GRÖSSE"'))).toEqual(values("Größe"));
    const split = (
      await askData<{ datasetSplits: Page<{ id: string }> }>(
        api,
        '{ datasetSplits(names: ["left"]) { edges { node { id } } } }',
      )
    ).datasetSplits.edges[0]!.node.id;
    expect(inputs(await examplesOf(dataset_id, `splitIds: ["${split}"]`))).toEqual(values("b", "c"));
    const [one] = first.edges;
    await mutate(
      "patchDatasetExamples",
      "PatchDatasetExamplesInput",
      { patches: [{ exampleId: one!.node.id, input: { q: "new" } }], versionDescription: " second " },
      "dataset { id }",
    );
    expect(inputs(await examplesOf(dataset_id))).toEqual(values("new", "b", "c"));
    expect(inputs(await examplesOf(dataset_id, `datasetVersionId: "${version_id}"`)).length).toBe(3);
    const found = await node(
      one!.node.id,
      "DatasetExample",
      `externalId dataset { id }
      now: revision { input revisionKind } earlier: revision(datasetVersionId: "${version_id}") { input revisionKind }`,
    );
    expect(found).toEqual({
      externalId: "one",
      dataset: { id: dataset_id },
      now: { input: { q: "new" }, revisionKind: "PATCH" },
      earlier: { input: { q: "Größe" }, revisionKind: "CREATE" },
    });
    expect((await versionsOf(dataset_id)).map(({ description }) => description)).toEqual(["second", null]);
    const byOwnId = await askData<object>(
      api,
      `{ known: getDatasetExampleByExternalId(datasetId: "${dataset_id}", externalId: "one") { id }
         unknown: getDatasetExampleByExternalId(datasetId: "${dataset_id}", externalId: "two") { id } }`,
    );
    expect(byOwnId).toEqual({ known: { id: one!.node.id }, unknown: null });
    expect(inputs(await examplesOf(dataset_id, "last: 2"))).toEqual(values("b", "c"));
    for (const given of ['before: "x"', 'after: "x"', "first: -1"]) {
      const refused = await askRefusal(
        api,
        `{ node(id: "${dataset_id}") { ... on Dataset { examples(${given}) { edges { cursor } } } } }`,
        {},
      );
      expect(refused).toContain(given.split(":", 1)[0]!);
    }
  });

  test("what is added, patched and deleted makes one version each, and deleted examples stay in the older ones", async () => {
    const id = await made();
    const added = { datasetId: id, examples: values(1, 2, 3).map((input) => ({ input, output: {}, metadata: {} })) };
    const counted = await mutate(
      "addExamplesToDataset",
      "AddExamplesToDatasetInput",
      added,
      "dataset { id exampleCount }",
    );
    expect(counted).toEqual({ dataset: { id, exampleCount: 3 } });
    const [one, two] = (await examplesOf(id)).edges.map((edge) => edge.node);
    await mutate("deleteDatasetExamples", "DeleteDatasetExamplesInput", { exampleIds: [one!.id] }, "dataset { id }");
    expect(inputs(await examplesOf(id))).toEqual(values(2, 3));
    const [, before] = await versionsOf(id);
    expect(inputs(await examplesOf(id, `datasetVersionId: "${before!.id}"`)).length).toBe(3);
    const again = { exampleIds: [one!.id, two!.id] };
    expect(await refusal("deleteDatasetExamples", "DeleteDatasetExamplesInput", again, "dataset { id }")).toContain(
      one!.id,
    );
    expect(inputs(await examplesOf(id))).toEqual(values(2, 3));
    const double = { patches: [0, 1].map(() => ({ exampleId: two!.id, input: {} })) };
    expect(await refusal("patchDatasetExamples", "PatchDatasetExamplesInput", double, "dataset { id }")).toContain(
      two!.id,
    );
    const empty = { patches: [{ exampleId: two!.id }] };
    expect(await refusal("patchDatasetExamples", "PatchDatasetExamplesInput", empty, "dataset { id }")).toContain(
      two!.id,
    );
    const list = { ...added, examples: [{ input: [1], output: {}, metadata: {} }] };
    expect(await refusal("addExamplesToDataset", "AddExamplesToDatasetInput", list, "dataset { id }")).toContain(
      "examples[0]",
    );
    const shared = { ...added, examples: [1, 2].map(() => ({ ...added.examples[0]!, externalId: "same" })) };
    expect(await refusal("addExamplesToDataset", "AddExamplesToDatasetInput", shared, "dataset { id }")).toContain(
      "same",
    );
    expect((await versionsOf(id)).length).toBe(2);
  });

  test("splits are made, changed, given to examples and deleted, all or nothing", async () => {
    const { dataset_id } = await uploaded({ name: freshName(), inputs: values(1, 2) });
    const ids = (await examplesOf(dataset_id)).edges.map((edge) => edge.node.id);
    const { datasetSplit } = await mutate<{ datasetSplit: { id: string } }>(
      "createDatasetSplitWithExamples",
      "CreateDatasetSplitWithExamplesInput",
      { name: "gold", color: "#ffcc00", exampleIds: ids },
      "datasetSplit { id } examples { id }",
    );
    const silver = await mutate<{ datasetSplit: { id: string } }>(
      "createDatasetSplit",
      "CreateDatasetSplitInput",
      { name: "silver", color: "#808080" },
      "datasetSplit { id }",
    );
    const patch = { datasetSplitId: datasetSplit.id, color: "#FFFF00", description: "the best" };
    expect(
      await mutate("patchDatasetSplit", "PatchDatasetSplitInput", patch, "datasetSplit { name color description }"),
    ).toEqual({
      datasetSplit: { name: "gold", color: "#FFFF00", description: "the best" },
    });
    for (const [name, type, given] of [
      ["createDatasetSplit", "CreateDatasetSplitInput", { name: "coloured" }],
      ["createDatasetSplitWithExamples", "CreateDatasetSplitWithExamplesInput", { name: "coloured", exampleIds: ids }],
      ["patchDatasetSplit", "PatchDatasetSplitInput", { datasetSplitId: datasetSplit.id }],
    ] as const) {
      for (const color of ["yellow", "#FFF", "#ffff00;x"]) {
        expect(await refusal(name, type, { ...given, color }, "datasetSplit { id }")).toContain(
          `color: must be # and six hexadecimal digits, got ${color}`,
        );
      }
    }
    const taken = { datasetSplitId: datasetSplit.id, name: "silver" };
    expect(await refusal("patchDatasetSplit", "PatchDatasetSplitInput", taken, "datasetSplit { id }")).toContain(
      "silver",
    );
    const set = { exampleIds: [ids[0]], datasetSplitIds: [silver.datasetSplit.id], datasetId: dataset_id };
    await mutate("setDatasetExamplesSplits", "SetDatasetExamplesSplitsInput", set, "examples { id }");
    const one = { exampleId: ids[1], datasetSplitIds: [silver.datasetSplit.id, datasetSplit.id] };
    await mutate("setDatasetExampleSplits", "SetDatasetExampleSplitsInput", one, "example { id }");
    const names = (await examplesOf(dataset_id)).edges.map((edge) => edge.node.datasetSplits.map(({ name }) => name));
    expect(names).toEqual([["silver"], ["gold", "silver"]]);
    const foreign = { ...set, datasetId: await made() };
    expect(
      await refusal("setDatasetExamplesSplits", "SetDatasetExamplesSplitsInput", foreign, "examples { id }"),
    ).toContain(ids[0]!);
    const unknown = { datasetSplitIds: [datasetSplit.id, globalId("DatasetSplit", 99_999)] };
    expect(await refusal("deleteDatasetSplits", "DeleteDatasetSplitInput", unknown, "datasetSplits { id }")).toContain(
      unknown.datasetSplitIds[1]!,
    );
    await mutate(
      "deleteDatasetSplits",
      "DeleteDatasetSplitInput",
      { datasetSplitIds: [datasetSplit.id] },
      "datasetSplits { name }",
    );
    expect(await node(dataset_id, "Dataset", "splits { name }")).toEqual({ splits: [{ name: "silver" }] });
  });

  test("labels are made, given and taken", async () => {
    const id = await made();
    const input = { name: "golden", color: "#33c5e8", datasetIds: [id] };
    const chosen = "datasetLabel { id usageCount } datasets { id labels { name } }";
    const { datasetLabel } = await mutate<{ datasetLabel: { id: string } }>(
      "createDatasetLabel",
      "CreateDatasetLabelInput",
      input,
      chosen,
    );
    expect(datasetLabel).toMatchObject({ usageCount: 1 });
    expect(await node(id, "Dataset", "labels { name }")).toEqual({ labels: [{ name: "golden" }] });
    expect(
      await refusal("createDatasetLabel", "CreateDatasetLabelInput", { ...input, color: "#FFF" }, chosen),
    ).toContain("#FFF");
    expect(await refusal("createDatasetLabel", "CreateDatasetLabelInput", input, chosen)).toContain("golden");
    const long = { ...input, name: "é".repeat(MAX_KEY_BYTES / 2 + 1) };
    expect(await refusal("createDatasetLabel", "CreateDatasetLabelInput", long, chosen)).toBe(
      `BAD_REQUEST name: must not be longer than ${MAX_KEY_BYTES} bytes`,
    );
    const listed = await askData<object>(
      api,
      `{ datasets(filter: {filterLabels: ["${datasetLabel.id}"]}) { edges { node { id } } } datasetLabels { edges { node { name } } } }`,
    );
    expect(listed).toEqual({
      datasets: { edges: [{ node: { id } }] },
      datasetLabels: { edges: [{ node: { name: "golden" } }] },
    });
    await mutate("setDatasetLabels", "SetDatasetLabelsInput", { datasetId: id, datasetLabelIds: [] }, "dataset { id }");
    expect(await node(id, "Dataset", "labels { name }")).toEqual({ labels: [] });
    await mutate(
      "deleteDatasetLabels",
      "DeleteDatasetLabelsInput",
      { datasetLabelIds: [datasetLabel.id] },
      "datasetLabels { name }",
    );
  });

  describe("what differs between two versions", () => {
    const difference = async (id: string, from: string, to: string, given = "first: 10") =>
      (
        await node<{
          versionDifference: { counts: object; examples: Page<{ kind: string; example: { id: string } }> };
        }>(
          id,
          "Dataset",
          `versionDifference(fromVersionId: "${from}", toVersionId: "${to}") {
            counts { added changed removed }
            examples(${given}) { edges { node { kind example { id } } } pageInfo { hasNextPage endCursor } } }`,
        )
      ).versionDifference;

    test("what was added, changed and removed, in both directions, and nothing for what came back", async () => {
      const name = freshName();
      const rows = (q: unknown[], ids: string[]) => ({
        name,
        action: "update",
        inputs: values(...q),
        example_ids: ids,
      });
      const v1 = await uploaded(rows([1, 2, 3], ["a", "b", "c"]));
      const v2 = await uploaded(rows([1, 9, 4], ["a", "b", "d"]));
      const v3 = await uploaded(rows([1, 2, 3], ["a", "b", "c"]));
      const id = v1.dataset_id;
      const [a, b, c] = (await restExamples(id)).map(({ node_id }) => node_id);
      const [d] = (await restExamples(id, `?version_id=${v2.version_id}`)).filter((each) => each.id === "d");
      const forth = await difference(id, v1.version_id, v2.version_id);
      expect(forth.counts).toEqual({ added: 1, changed: 1, removed: 1 });
      expect(a).toBeDefined();
      expect(forth.examples.edges.map((edge) => [edge.node.kind, edge.node.example.id])).toEqual([
        ["CHANGED", b!],
        ["REMOVED", c!],
        ["ADDED", d!.node_id],
      ]);
      const back = await difference(id, v2.version_id, v1.version_id, "first: 1");
      expect([back.counts, back.examples.pageInfo.hasNextPage]).toEqual([{ added: 1, changed: 1, removed: 1 }, true]);
      const rest = await difference(
        id,
        v2.version_id,
        v1.version_id,
        `first: 5, after: "${back.examples.pageInfo.endCursor}"`,
      );
      expect(rest.examples.edges.map((edge) => edge.node.kind)).toEqual(["ADDED", "REMOVED"]);
      const one = await difference(id, v1.version_id, v2.version_id, "kinds: [REMOVED]");
      expect(one.examples.edges.map((edge) => edge.node.example.id)).toEqual([c!]);
      expect((await difference(id, v1.version_id, v3.version_id)).counts).toEqual({ added: 0, changed: 0, removed: 0 });
    });

    test("a version of another dataset is refused by its id", async () => {
      const one = await uploaded({ name: freshName(), inputs: [] });
      const other = await uploaded({ name: freshName(), inputs: [] });
      const query = `{ node(id: "${one.dataset_id}") { ... on Dataset {
        versionDifference(fromVersionId: "${one.version_id}", toVersionId: "${other.version_id}") { counts { added } } } } }`;
      expect(await askRefusal(api, query, {})).toContain(other.version_id);
    });
  });

  test("deletion takes everything along", async () => {
    const { dataset_id } = await uploaded({ name: freshName(), inputs: values(1) });
    await mutate("deleteDataset", "DeleteDatasetInput", { datasetId: dataset_id }, "dataset { id name }");
    expect(await refusal("deleteDataset", "DeleteDatasetInput", { datasetId: dataset_id }, "dataset { id }")).toContain(
      dataset_id,
    );
  });
});
