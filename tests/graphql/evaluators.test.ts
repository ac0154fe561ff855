// Evaluators in GraphQL, on both databases: attached to datasets, listed, changed and deleted with everything that belongs to them.

import { expect, test } from "bun:test";
import { sql } from "kysely";
import { globalId } from "../../src/kernel/ids.ts";
import { evaluatorsFeature } from "../../src/modules/evaluation/evaluators/evaluators.feature.ts";
import { DATASET_EVALUATOR } from "../../src/modules/evaluation/evaluators/evaluators.schema.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import {
  categoricalConfig,
  createBuiltInEvaluator,
  createLlmEvaluator,
  emptyMapping,
  evaluatorRequests,
  judgeVersion,
} from "../support/evaluators.ts";
import { askRefusal } from "../support/graphql.ts";
import { wholeRun } from "../support/job-runs.ts";
import { openForSuite } from "../support/suite.ts";

/** Answers of many shapes. */
type Any = ReturnType<typeof JSON.parse>;

forEachDriver("evaluators in GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, newDataset, llmInput, createLlm, builtInId, createBuiltIn, link, remove } = evaluatorRequests(() => api);

  test("the built-in evaluators are there from the start, with their inputs and outputs", async () => {
    const { builtInEvaluators } = await ask(`{ builtInEvaluators {
      name description kind isBuiltin metadata inputSchema createdAt user { id }
      outputConfigs { ... on CategoricalAnnotationConfig { id name values { label score } }
        ... on ContinuousAnnotationConfig { id name lowerBound upperBound optimizationDirection } }
    } }`);
    expect(builtInEvaluators.map(({ name }: Any) => name)).toEqual([
      "contains",
      "exact_match",
      "json_distance",
      "levenshtein_distance",
      "regex",
    ]);
    expect(builtInEvaluators[0]).toMatchObject({
      kind: "BUILTIN",
      isBuiltin: true,
      metadata: { type: "string_matching" },
      inputSchema: { type: "object", required: ["words", "text"] },
      outputConfigs: [
        {
          name: "contains",
          values: [
            { label: "true", score: 1 },
            { label: "false", score: 0 },
          ],
        },
      ],
      user: null,
    });
    expect(builtInEvaluators[2].outputConfigs).toMatchObject([
      { name: "json_distance", lowerBound: 0, upperBound: null, optimizationDirection: "MINIMIZE" },
    ]);
    const again = await ask("{ builtInEvaluators { outputConfigs { ... on CategoricalAnnotationConfig { id } } } }");
    expect(again.builtInEvaluators[0].outputConfigs[0].id).toBe(builtInEvaluators[0].outputConfigs[0].id);
  });

  test("an LLM evaluator comes with its prompt, label, tag and project", async () => {
    const dataset = await newDataset("with-judge");
    const made = await link(await createLlm(dataset, "quality", { description: "" }));
    expect(made).toMatchObject({
      name: "quality",
      description: null,
      dataset: { name: "with-judge" },
      inputMapping: { literalMapping: {}, pathMapping: { output: "$.output" } },
      outputConfigs: [
        {
          name: "quality",
          values: [
            { label: "good", score: 1 },
            { label: "bad", score: 0 },
          ],
        },
      ],
      evaluator: {
        __typename: "LLMEvaluator",
        name: "quality",
        kind: "LLM",
        isBuiltin: false,
        metadata: {},
        inputSchema: { type: "object", properties: { output: { type: "string" } }, required: ["output"] },
        datasetEvaluators: [{ name: "quality" }],
        datasets: { edges: [{ node: { name: "with-judge" } }] },
        prompt: { labels: [{ name: "evaluator", color: "#4ecf50" }], versionCount: 1 },
        promptVersion: { sequenceNumber: 1, modelName: "gpt-4o" },
      },
    });
    expect(made.project.name).toMatch(/^dataset-evaluator-[0-9a-f]{24}$/);
    expect(made.evaluator.prompt.name).toMatch(/^quality-evaluator-[0-9a-f]{8}$/);
    expect(made.evaluator.promptVersionTag.name).toMatch(/^quality-evaluator-[0-9a-f]{8}$/);
    const other = await link(await createLlm(await newDataset("another"), "quality"));
    expect(other.evaluator.name).toMatch(/^quality-[0-9a-f]{8}$/);
    expect(await askRefusal(api, createLlmEvaluator, { input: llmInput(dataset, "quality") })).toContain(
      "evaluator with name 'quality' already exists for this dataset",
    );
    // Nothing is left of what was refused.
    const { evaluatorCount, promptCount } = await ask("{ evaluatorCount promptCount }");
    expect([evaluatorCount, promptCount]).toEqual([2, 2]);
  });

  test("of a version that exists a further one is made only if something differs", async () => {
    const dataset = await newDataset("of-version");
    const first = await link(
      await createLlm(dataset, "one", {
        promptVersion: judgeVersion(["two"]),
        outputConfigs: [categoricalConfig("two")],
      }),
    );
    const promptVersionId = first.evaluator.promptVersion.id;
    const two = { promptVersionId, promptVersion: judgeVersion(["two"]), outputConfigs: [categoricalConfig("two")] };
    const same = await link(await createLlm(dataset, "second", two));
    expect(same.evaluator.promptVersion.id).toBe(promptVersionId);
    const otherModel = { ...two, promptVersion: judgeVersion(["two"], { modelName: "gpt-4.1" }) };
    const third = await link(await createLlm(dataset, "third", otherModel));
    expect(third.evaluator).toMatchObject({
      prompt: { id: first.evaluator.prompt.id, versionCount: 2 },
      promptVersion: { sequenceNumber: 2 },
    });
    // The tag keeps the first one with its version.
    expect((await link(first.id)).evaluator.promptVersion.id).toBe(promptVersionId);
  });

  const updateLlm = `mutation($input: UpdateDatasetLLMEvaluatorInput!) {
    updateDatasetLlmEvaluator(input: $input) { evaluator { id name } }
  }`;

  test("an LLM evaluator is changed with its tag, or gets a new prompt", async () => {
    const dataset = await newDataset("changing");
    const before = await link(await createLlm(dataset, "changing"));
    const input = {
      ...llmInput(dataset, "changed", { outputConfigs: [categoricalConfig("changed")] }),
      datasetEvaluatorId: before.id,
      promptVersionId: before.evaluator.promptVersion.id,
    };
    await ask(updateLlm, { input });
    const after = await link(before.id);
    expect(after).toMatchObject({
      name: "changed",
      evaluator: {
        id: before.evaluator.id,
        name: "changed",
        promptVersionTag: before.evaluator.promptVersionTag,
        promptVersion: { sequenceNumber: 2 },
        prompt: { id: before.evaluator.prompt.id, versionCount: 2 },
      },
    });
    const { promptVersionId: _, ...withoutVersion } = input;
    await ask(updateLlm, { input: withoutVersion });
    const again = await link(before.id);
    expect(again.evaluator.prompt.id).not.toBe(before.evaluator.prompt.id);
    expect(again.evaluator.promptVersion.sequenceNumber).toBe(1);
    const builtIn = await createBuiltIn(dataset, "contains", "words");
    expect(await askRefusal(api, updateLlm, { input: { ...input, datasetEvaluatorId: builtIn } })).toContain(
      "Cannot update a built-in evaluator",
    );
    expect(
      await askRefusal(api, updateLlm, { input: { ...input, datasetEvaluatorId: globalId(DATASET_EVALUATOR, 99999) } }),
    ).toContain("not found");
  });

  const updateBuiltIn = `mutation($input: UpdateDatasetBuiltinEvaluatorInput!) {
    updateDatasetBuiltinEvaluator(input: $input) { evaluator { id name description } }
  }`;

  test("a built-in evaluator is attached with names and outputs of its own, and changed", async () => {
    const dataset = await newDataset("built-in");
    const id = await createBuiltIn(dataset, "contains", "has-hello", {
      inputMapping: { literalMapping: { words: "hello" }, pathMapping: { text: "$.output" } },
    });
    expect(await link(id)).toMatchObject({
      name: "has-hello",
      description: "Whether a text contains any or all of some words.",
      outputConfigs: [{ name: "contains" }],
      evaluator: { __typename: "BuiltInEvaluator", name: "contains", kind: "BUILTIN", isBuiltin: true },
    });
    const input = {
      datasetEvaluatorId: id,
      name: "says-hello",
      description: "Greets",
      inputMapping: emptyMapping,
      outputConfigs: [categoricalConfig("greeting", { yes: 10, no: -1 })],
    };
    await ask(updateBuiltIn, { input });
    expect(await link(id)).toMatchObject({
      name: "says-hello",
      description: "Greets",
      outputConfigs: [
        {
          name: "greeting",
          values: [
            { label: "yes", score: 10 },
            { label: "no", score: -1 },
          ],
        },
      ],
    });
    await ask(updateBuiltIn, { input: { ...input, outputConfigs: null, description: null } });
    expect((await link(id)).outputConfigs).toMatchObject([{ name: "contains" }]);
    const { inputMapping: __, ...withoutMapping } = input;
    expect(await askRefusal(api, updateBuiltIn, { input: withoutMapping })).toContain("input_mapping is required");
    expect(
      await askRefusal(api, updateBuiltIn, { input: { ...input, datasetEvaluatorId: await createLlm(dataset, "j") } }),
    ).toContain("Cannot update a non-built-in evaluator");
  });

  test("what cannot be attached is refused, and named", async () => {
    const dataset = await newDataset("refusing");
    const evaluatorId = await builtInId("levenshtein_distance");
    const builtIn = (changes: object) =>
      askRefusal(api, createBuiltInEvaluator, {
        input: { datasetId: dataset, evaluatorId, name: "x", inputMapping: emptyMapping, ...changes },
      });
    const bounds = (lowerBound: number | null, upperBound: number | null) => [
      { continuous: { name: "d", optimizationDirection: "MINIMIZE", lowerBound, upperBound } },
    ];
    expect(await builtIn({ evaluatorId: dataset })).toContain("Invalid evaluator type: Dataset.");
    expect(await builtIn({ evaluatorId: globalId("LLMEvaluator", 1) })).toContain("not found");
    expect(await builtIn({ evaluatorId: globalId("BuiltInEvaluator", 9999) })).toContain("not found");
    expect(await builtIn({ datasetId: globalId("Dataset", 9999) })).toContain("Dataset with id");
    expect(await builtIn({ name: "Not A Name" })).toContain("Not A Name");
    expect(await builtIn({ outputConfigs: [] })).toContain("at least 1");
    expect(await builtIn({ outputConfigs: bounds(0, 1) })).toContain("upperBound");
    expect(await builtIn({ outputConfigs: bounds(1, null) })).toContain("lowerBound");
    expect(await builtIn({ outputConfigs: [categoricalConfig("d")] })).toContain("no labels");
    expect(await builtIn({ inputMapping: { literalMapping: {}, pathMapping: { text: "$..a" } } })).toContain(
      "Invalid JSONPath expression for key 'text'",
    );
    expect(await builtIn({ inputMapping: { literalMapping: [], pathMapping: {} } })).toContain("literal_mapping");
    const pattern = { literalMapping: { pattern: "(" }, pathMapping: {} };
    expect(await builtIn({ evaluatorId: await builtInId("regex"), inputMapping: pattern })).toContain(
      "Invalid regex pattern",
    );
    const llm = (changes: object) =>
      askRefusal(api, createLlmEvaluator, { input: llmInput(dataset, "judge", changes) });
    expect(await llm({ outputConfigs: [] })).toContain("at least 1");
    expect(await llm({ outputConfigs: [categoricalConfig("other")] })).toContain(
      "No tool definition found matching output config name 'other'",
    );
    const { tools: ___, ...withoutTools } = judgeVersion(["judge"]);
    expect(await llm({ promptVersion: withoutTools })).toContain("Evaluator prompts require tools");
    const template = { messages: [{ role: "USER", content: [{ text: { text: "{{#open}}" } }] }] };
    expect(await llm({ promptVersion: judgeVersion(["judge"], { template }) })).toContain("never closed");
    expect(await llm({ promptVersion: judgeVersion(["judge"], { modelProvider: "ANTHROPIC" }) })).toContain(
      "does not match model provider",
    );
    expect(await llm({ promptVersionId: globalId("PromptVersion", 99999) })).toContain("No prompt version");
    const { node } = await ask(`query($id: ID!) { node(id: $id) { ... on Dataset { evaluatorCount } } }`, {
      id: dataset,
    });
    expect(node.evaluatorCount).toBe(0);
  });

  test("lists are sorted and filtered, and only show built-in evaluators that are used", async () => {
    const dataset = await newDataset("listed");
    await createBuiltIn(dataset, "regex", "b-pattern");
    await createLlm(dataset, "a-judge", { promptVersion: judgeVersion(["a-judge"]) });
    await createBuiltIn(dataset, "regex", "c-pattern");
    const list = async (args: string) => {
      const { node } = await ask(
        `query($id: ID!) { node(id: $id) { ... on Dataset { datasetEvaluators${args} { edges { node { name } } } } } }`,
        { id: dataset },
      );
      return node.datasetEvaluators.edges.map((edge: Any) => edge.node.name);
    };
    expect(await list("")).toEqual(["a-judge", "b-pattern", "c-pattern"]);
    expect(await list("(sort: {col: name, dir: desc}, first: 2)")).toEqual(["c-pattern", "b-pattern"]);
    expect(await list("(sort: {col: kind, dir: desc})")).toEqual(["a-judge", "c-pattern", "b-pattern"]);
    expect(await list("(sort: {col: createdAt, dir: asc})")).toEqual(["b-pattern", "a-judge", "c-pattern"]);
    expect(await list('(filter: {col: name, value: "PATT"})')).toEqual(["b-pattern", "c-pattern"]);
    const read: string[] = [];
    for (let after = ""; after !== "end"; ) {
      const args = `(sort: {col: kind, dir: desc}, first: 1${after})`;
      const page = (
        await ask(
          `query($id: ID!) { node(id: $id) { ... on Dataset { datasetEvaluators${args} {
            edges { node { name } } pageInfo { hasNextPage endCursor } } } } }`,
          { id: dataset },
        )
      ).node.datasetEvaluators;
      read.push(...page.edges.map((edge: Any) => edge.node.name));
      after = page.pageInfo.hasNextPage ? `, after: ${JSON.stringify(page.pageInfo.endCursor)}` : "end";
    }
    expect(read).toEqual(["a-judge", "c-pattern", "b-pattern"]);
    const all = async (args: string) =>
      (await ask(`{ evaluators${args} { edges { node { name kind } } } }`)).evaluators.edges.map(
        (edge: Any) => edge.node.name,
      );
    expect(await all('(filter: {col: name, value: "c-patt"})')).toEqual(["regex"]);
    expect(await all('(filter: {col: name, value: "a-jud"})')).toEqual(["a-judge"]);
    expect(await all("(sort: {col: kind, dir: asc}, first: 1)")).toEqual(["contains"]);
    expect(await all("")).not.toContain("json_distance");
  });

  test("ready-made judges, all or those that are promoted", async () => {
    const list = async (args: string) =>
      (
        await ask(`{ classificationEvaluatorConfigs${args} { name description choices optimizationDirection
        messages { role content { ... on TextContentPart { text { text } } } } } }`)
      ).classificationEvaluatorConfigs;
    const all = await list("");
    expect(all).toHaveLength(14);
    expect(await list("(labels: [])")).toEqual(all);
    expect(all[0]).toMatchObject({
      name: "completeness",
      choices: { complete: 1, incomplete: 0 },
      optimizationDirection: "MAXIMIZE",
      messages: [{ role: "USER", content: [{ text: { text: expect.stringContaining("{{conversation}}") } }] }],
    });
    const promoted = await list('(labels: ["promoted_dataset_evaluator"])');
    expect(promoted.map(({ name }: Any) => name)).toEqual([
      "completeness",
      "correctness",
      "hallucination",
      "pii_detection",
      "tool_invocation",
      "tool_selection",
    ]);
    expect(await list('(labels: ["other"])')).toEqual([]);
  });

  const projectNames = async (query = "") => {
    const answer = await send(api.server, `GET /v1/projects?limit=1000${query}`);
    return ((await answer.json()) as Any).data.map(({ name }: Any) => name);
  };

  test("the project of an evaluator is hidden, and is deleted with it only", async () => {
    const dataset = await newDataset("projects");
    const made = await link(await createBuiltIn(dataset, "contains", "hidden"));
    const { id, name } = made.project;
    expect(await projectNames()).not.toContain(name);
    expect(await projectNames("&include_dataset_evaluator_projects=true")).toContain(name);
    const { projects } = await ask("{ projects { edges { node { name } } } }");
    expect(projects.edges.map((edge: Any) => edge.node.name)).not.toContain(name);
    const refused = await send(api.server, `DELETE /v1/projects/${id}`);
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('dataset evaluator "hidden"'),
    ]);
    expect(await remove([made.id])).toEqual([made.id]);
    expect(await projectNames("&include_dataset_evaluator_projects=true")).not.toContain(name);
  });

  test("a deletion takes the prompt that was made for an evaluator, and nothing that others use", async () => {
    const dataset = await newDataset("deleting");
    const first = await link(
      await createLlm(dataset, "d-one", {
        promptVersion: judgeVersion(["d"]),
        outputConfigs: [categoricalConfig("d")],
      }),
    );
    const shared = {
      promptVersionId: first.evaluator.promptVersion.id,
      promptVersion: judgeVersion(["d"]),
      outputConfigs: [categoricalConfig("d")],
    };
    const second = await link(await createLlm(dataset, "d-two", shared));
    const promptId = first.evaluator.prompt.id;
    const isThere = async (id: string) =>
      (await ask(`query($id: ID!) { node(id: $id) { __typename } }`, { id }).catch(() => null)) !== null;
    const refused = await send(api.server, `DELETE /v1/prompts/${promptId}`);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("is made of the prompt")]);
    expect(await remove([first.id, globalId(DATASET_EVALUATOR, 99999)])).toEqual([first.id]);
    expect([await isThere(first.id), await isThere(first.evaluator.id), await isThere(promptId)]).toEqual([
      false,
      false,
      true,
    ]);
    // The prompt was not made for the second one.
    await remove([second.id]);
    expect(await isThere(promptId)).toBe(true);
    const third = await link(await createLlm(dataset, "d-three"));
    await remove([third.id], false);
    expect([await isThere(third.evaluator.id), await isThere(third.evaluator.prompt.id)]).toEqual([false, true]);
    const fourth = await link(await createLlm(dataset, "d-four"));
    await remove([fourth.id]);
    expect([await isThere(fourth.evaluator.prompt.id), await isThere(await builtInId("contains"))]).toEqual([
      false,
      true,
    ]);
    expect(
      await askRefusal(
        api,
        `mutation($input: DeleteDatasetEvaluatorsInput!) { deleteDatasetEvaluators(input: $input) { datasetEvaluatorIds } }`,
        { input: { datasetEvaluatorIds: [dataset] } },
      ),
    ).toContain("Invalid dataset evaluator id");
  });

  test("a deletion that was cut off is hidden, frees the name, and is finished by the job", async () => {
    const dataset = await newDataset("cut-off");
    const made = await link(await createLlm(dataset, "cut"));
    await sql`update dataset_evaluators set deletion_began_us = 1, deletes_prompt = 1 where name = 'cut'`.execute(
      api.stored.storage.handle.write(api.context()),
    );
    const isThere = async (id: string) =>
      (await ask("query($id: ID!) { node(id: $id) { __typename } }", { id }).catch(() => null)) !== null;
    expect([await isThere(made.id), await isThere(made.evaluator.id)]).toEqual([false, true]);
    await createBuiltIn(dataset, "contains", "cut");
    expect(await projectNames()).not.toContain(made.project.name);
    const job = api.features.jobs.find(({ name }) => name === "deleted-evaluators")!;
    await job.run(wholeRun(() => api.context()));
    expect([await isThere(made.evaluator.id), await isThere(made.evaluator.prompt.id)]).toEqual([false, false]);
    expect(await projectNames("&include_dataset_evaluator_projects=true")).not.toContain(made.project.name);
    // Nothing is left for a second run.
    expect(await job.run(wholeRun(() => api.context()))).toBe(true);
  });

  test("of several that attach the same name at once, one does it, and nothing of the others is left", async () => {
    const dataset = await newDataset("at-once");
    const { promptCount: before } = await ask("{ promptCount }");
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => createLlm(dataset, "only-one")));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { promptCount, evaluators } = await ask(
      `{ promptCount evaluators(filter: {col: name, value: "only-one"}) { edges { node { name } } } }`,
    );
    expect([promptCount - before, evaluators.edges.length]).toEqual([1, 1]);
  });

  test("changes and deletions at once end without a deadlock", async () => {
    const dataset = await newDataset("busy");
    const links = await Promise.all(["b-one", "b-two", "b-three"].map((name) => createLlm(dataset, name)));
    const { promptVersion } = (await link(links[0]!)).evaluator;
    const change = (id: string, name: string) =>
      ask(updateLlm, {
        input: { ...llmInput(dataset, name), datasetEvaluatorId: id, promptVersionId: promptVersion.id },
      });
    const all = await Promise.allSettled([
      ...links.map((id, at) => change(id, `c-${at}`)),
      remove(links.toReversed()),
      remove(links),
    ]);
    for (const each of all) {
      if (each.status === "rejected") expect(String(each.reason)).toMatch(/not found|already exists|No prompt/);
    }
    const { node } = await ask("query($id: ID!) { node(id: $id) { ... on Dataset { evaluatorCount } } }", {
      id: dataset,
    });
    expect(node.evaluatorCount).toBe(0);
  });

  test("a dataset is deleted with its evaluators", async () => {
    const dataset = await newDataset("whole");
    const made = await link(await createLlm(dataset, "whole-judge"));
    await createBuiltIn(dataset, "contains", "whole-words");
    await ask(`mutation($input: DeleteDatasetInput!) { deleteDataset(input: $input) { dataset { id } } }`, {
      input: { datasetId: dataset },
    });
    const { evaluators } = await ask(`{ evaluators(filter: {col: name, value: "whole"}) { edges { node { id } } } }`);
    expect(evaluators.edges).toEqual([]);
    const { node } = await ask(`query($id: ID!) { node(id: $id) { ... on Prompt { name } } }`, {
      id: made.evaluator.prompt.id,
    });
    expect(node.name).toStartWith("whole-judge-evaluator-");
  });

  test("evaluators are prepared in the order that is asked for, with the version of now", async () => {
    const dataset = await newDataset("prepared");
    const judge = await createLlm(dataset, "p-judge");
    const words = await createBuiltIn(dataset, "contains", "p-words", {
      outputConfigs: [categoricalConfig("x"), categoricalConfig("y")],
    });
    const { preparation } = api.features.use(evaluatorsFeature);
    const rowId = (id: string) => Number(Buffer.from(id, "base64").toString().split(":")[1]);
    const ids = [rowId(words), rowId(judge)];
    const prepared = await preparation.prepareEvaluators(api.context(), rowId(dataset), ids);
    expect(prepared.map(({ name, resultNames }) => [name, resultNames])).toEqual([
      ["p-words", ["p-words.x", "p-words.y"]],
      ["p-judge", ["p-judge"]],
    ]);
    expect(prepared[1]!.definition).toMatchObject({
      kind: "LLM",
      model: { provider: "OPENAI", model: "gpt-4o", customProviderId: null },
      templateFormat: "MUSTACHE",
    });
    const prepare = (datasetId: number, wanted: readonly number[]) =>
      preparation.prepareEvaluators(api.context(), datasetId, wanted);
    expect(prepare(rowId(dataset) + 1, ids)).rejects.toThrow("not found");
    expect(prepare(rowId(dataset), [...ids, ids[0]!])).rejects.toThrow("is there twice");
  });
});
