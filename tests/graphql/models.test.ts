// Models and their prices in GraphQL, on both databases: the list, what people enter, what is refused, and what calls of a model cost.

import { expect, test } from "bun:test";
import { createCurrentPrices } from "../../src/ingest/current-prices.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { modelsFeature } from "../../src/modules/tracing/models/models.feature.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { builtInModels } from "../support/prices.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const MODEL = `id name provider providerKey namePattern kind startTime
  tokenPrices { tokenType kind costPerMillionTokens costPerToken tiers { abovePromptTokens costPerMillionTokens } }`;
const create = `mutation($input: CreateModelMutationInput!) { createModel(input: $input) { model { ${MODEL} } query { projectCount } } }`;
const update = `mutation($input: UpdateModelMutationInput!) { updateModel(input: $input) { model { ${MODEL} createdAt updatedAt } } }`;
const remove = `mutation($id: ID!) { deleteModel(input: {id: $id}) { model { name } } }`;

const INPUT = { tokenType: "input", kind: "PROMPT", costPerMillionTokens: 0.5 };
const OUTPUT = { tokenType: "output", kind: "COMPLETION", costPerMillionTokens: 2 };
const acme = { name: "acme", namePattern: "^acme-", costs: [INPUT, OUTPUT] };

type StorageWriter = ReturnType<CallContext["database"]["write"]>;

interface Model {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

forEachDriver("GraphQL models", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));

  const list = async (first: number, fields = "id name kind") => {
    const query = `{ generativeModels(first: ${first}) { edges { node { ${fields} } } pageInfo { hasNextPage } } }`;
    const { generativeModels } = await askData<{
      generativeModels: { edges: { node: Model }[]; pageInfo: { hasNextPage: boolean } };
    }>(api, query);
    return generativeModels.edges.map(({ node }) => node);
  };
  const created = async (input: object) =>
    (await askData<{ createModel: { model: Model } }>(api, create, { input })).createModel.model;
  const refused = (input: object) => askRefusal(api, create, { input: { ...acme, ...input } });

  test("built-in ones are listed and found by their id, and cannot be changed", async () => {
    const all = await list(5000);
    expect(all.length).toBe(builtInModels.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const [first] = all;
    expect(await askData(api, `{ node(id: "${first!.id}") { ... on GenerativeModel { name kind } } }`)).toEqual({
      node: { name: first!.name, kind: "BUILT_IN" },
    });
    const cannot = "BAD_REQUEST Built-in models cannot be changed or deleted: create one with the same pattern";
    expect(await askRefusal(api, update, { input: { ...acme, id: first!.id } })).toBe(cannot);
    expect(await askRefusal(api, remove, { id: first!.id })).toBe(cannot);
  });

  test("are entered, changed and deleted; their own come first", async () => {
    const tiers = [{ abovePromptTokens: 200_000, costPerMillionTokens: 0.000001 }];
    const model = await created({
      ...acme,
      name: " acme ",
      provider: "azure",
      startTime: "2026-11-01T00:00:00Z",
      costs: [{ ...INPUT, tiers }, OUTPUT, { ...INPUT, tokenType: "cache_read", costPerMillionTokens: 0 }],
    });
    expect(model).toEqual({
      id: globalId("GenerativeModel", 1),
      name: "acme",
      provider: "azure",
      providerKey: "AZURE_OPENAI",
      namePattern: "^acme-",
      kind: "CUSTOM",
      startTime: "2026-11-01T00:00:00+00:00",
      tokenPrices: [
        { ...INPUT, costPerToken: 5e-7, tiers },
        { ...OUTPUT, costPerToken: 2e-6, tiers: [] },
        { ...INPUT, tokenType: "cache_read", costPerMillionTokens: 0, costPerToken: 0, tiers: [] },
      ],
    } as never);
    expect((await list(1)).map(({ name }) => name)).toEqual(["acme"]);
    const changed = await askData<{ updateModel: { model: object } }>(api, update, {
      input: { ...acme, id: model.id, name: "acme 2" },
    });
    expect(changed.updateModel.model).toMatchObject({ id: model.id, name: "acme 2", provider: null, startTime: null });
    expect(await askData(api, remove, { id: model.id })).toEqual({ deleteModel: { model: { name: "acme 2" } } });
    expect((await list(1))[0]!.kind).toBe("BUILT_IN");
    const gone = "NOT_FOUND No model has the id 1";
    expect(await askRefusal(api, remove, { id: model.id })).toBe(gone);
    expect(await askRefusal(api, update, { input: { ...acme, id: model.id } })).toBe(gone);
    expect(await askData(api, `{ viewer { id } }`)).toBeDefined();
  });

  test("refuses what is wrong, and names the field", async () => {
    const refusals: readonly (readonly [given: object, message: string])[] = [
      [{ name: " " }, "name: must not be empty"],
      [{ name: "x".repeat(256) }, "name: must not be longer than 255 characters"],
      [{ namePattern: "" }, "namePattern: must not be empty"],
      [{ namePattern: ".*" }, "namePattern: is found in every name; if that is meant, write .+"],
      [{ namePattern: "(a+)+b\\1" }, "references to groups"],
      [{ namePattern: "a(?=b)" }, "looking around"],
      [
        { namePattern: "^(?:(?:a?){500}){4}[bc]{3}qN$" },
        "The name pattern is not usable: with its repetitions written out it has more than 512 states",
      ],
      [{ namePattern: "a(" }, "a group that is not closed"],
      [{ costs: [OUTPUT] }, "costs: a price of input (PROMPT) is missing"],
      [{ costs: [INPUT] }, "costs: a price of output (COMPLETION) is missing"],
      [{ costs: [INPUT, OUTPUT, INPUT] }, "costs[2]: input has a price already in costs[0]"],
      [{ costs: [{ ...INPUT, costPerMillionTokens: -1 }, OUTPUT] }, "costs[0].costPerMillionTokens: must be USD"],
      [{ costs: [INPUT, { ...OUTPUT, costPerMillionTokens: 1e10 }] }, "costs[1].costPerMillionTokens: must be USD"],
      [{ costs: [INPUT, { ...OUTPUT, costPerMillionTokens: 0.1234567 }] }, "must not have more than six decimals"],
      [{ costs: [INPUT, OUTPUT, { ...INPUT, tokenType: "" }] }, "costs[2].tokenType: must not be empty"],
      [
        { costs: [{ ...INPUT, tiers: [{ abovePromptTokens: 0.5, costPerMillionTokens: 1 }] }, OUTPUT] },
        "costs[0].tiers[0].abovePromptTokens: must be a whole number",
      ],
    ];
    for (const [given, message] of refusals) {
      expect({ given, message: await refused(given) }).toEqual({
        given,
        message: expect.stringContaining(message) as never,
      });
    }
    expect((await list(1))[0]!.kind).toBe("BUILT_IN");
  });

  test("refuses more than a thousand of them", async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      ...{ name: `many ${at}`, name_pattern: `^many-${at}$`, prices: "[]", change: 0, created_us: 1, updated_us: 1 },
    }));
    const write = (work: (database: StorageWriter) => Promise<unknown>) =>
      api.stored.storage.transaction(api.context(), async (inner) => {
        await work(inner.database.write(inner));
      });
    await write((database) => database.insertInto("models").values(rows).execute());
    expect(await refused({})).toBe(
      "CONFLICT There are 1000 own models already, the most that can be: delete some first",
    );
    await write((database) => database.deleteFrom("models").where("name", "like", "many %").execute());
  });

  test("refuses two of a name or of a pattern, unless the prices start at another time", async () => {
    const { id } = await created({ ...acme, name: "twin" });
    expect(await refused({ name: "twin", namePattern: "other" })).toBe(
      'CONFLICT name: a model named "twin" with the same start exists',
    );
    expect(await refused({ name: "other", provider: "" })).toBe(
      'CONFLICT namePattern: the model "twin" has the pattern ^acme-, the same provider and the same start',
    );
    const others = [
      await created({ ...acme, name: "twin", startTime: "2027-01-01T00:00:00Z" }),
      await created({ ...acme, name: "other", provider: "acme" }),
    ];
    const both = await Promise.allSettled([1, 2].map(() => created({ ...acme, name: "raced", namePattern: "raced" })));
    expect(both.filter(({ status }) => status === "fulfilled").length).toBe(1);
    const raced = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    for (const model of [{ id }, ...others, ...raced]) await askData(api, remove, { id: model.id });
  });

  test("say what calls of theirs cost, and when the last one was", async () => {
    const { id } = await created({ ...acme, name: "used" });
    const modelCall = JSON.stringify({ model_name: "acme-7b", token_count: { prompt: 10, completion: 1 } });
    const call = { kind: "LLM", model: "acme-7b", promptTokens: 10, completionTokens: 1, modelCall } as const;
    const attributes = `{"openinference":{"span":{"kind":"LLM"}},"llm":${modelCall}}`;
    const spans = [
      incomingSpan({ ...call, attributes, projectName: "one", traceKey: "one", spanKey: "a" }),
      incomingSpan({
        ...call,
        attributes,
        projectName: "two",
        traceKey: "two",
        spanKey: "b",
        startUs: START_US + 1_000_000,
      }),
    ];
    await ingestBatch(api.stored.ingest, spans, createCurrentPrices(builtInModels));
    const project = await api.projects.getProject(api.context(), "two");
    const SUMS = "{ total { tokens cost } }";
    const fields = `lastUsedAt all: costSummary ${SUMS}`;
    const found = await askData<{ node: object }>(
      api,
      `{ node(id: "${id}") { ... on GenerativeModel { ${fields}
        two: costSummary(projectId: "${globalId("Project", project.id)}") ${SUMS}
        none: costSummary(timeRange: {end: "2020-01-01T00:00:00Z"}) ${SUMS}
        costDetailSummaryEntries { tokenType isPrompt value { tokens cost } } } } }`,
    );
    expect(found.node).toEqual({
      lastUsedAt: new Date((START_US + 1_000_000) / 1000).toISOString().replace(".000Z", "+00:00"),
      all: { total: { tokens: 22, cost: 14e-6 } },
      two: { total: { tokens: 11, cost: 7e-6 } },
      none: { total: { tokens: null, cost: null } },
      costDetailSummaryEntries: [
        { tokenType: "input", isPrompt: true, value: { tokens: 20, cost: 1e-5 } },
        { tokenType: "output", isPrompt: false, value: { tokens: 2, cost: 4e-6 } },
      ],
    });
    const top = await askData<{ node: Record<string, { name: string }[]> }>(
      api,
      `{ node(id: "${globalId("Project", project.id)}") { ... on Project {
        cost: topModelsByCost(timeRange: {start: "2020-01-01T00:00:00Z"}) { name }
        tokens: topModelsByTokenCount(timeRange: {}) { name }
        before: topModelsByCost(timeRange: {end: "2020-01-01T00:00:00Z"}) { name } } } }`,
    );
    expect(top.node).toEqual({ cost: [{ name: "used" }], tokens: [{ name: "used" }], before: [] });
    await askData(api, remove, { id });
  });

  test("recomputes stored costs, one at a time, and says how far it is", async () => {
    const FIELDS =
      "recomputation { status projectId modelName startTime progress examinedSpans changedSpans oldCost newCost }";
    const begin = (input: string) => `mutation { startCostRecomputation(input: ${input}) { ${FIELDS} } }`;
    expect(await askData(api, "{ costRecomputation { status } }")).toEqual({ costRecomputation: null });
    expect(
      await askRefusal(api, begin('{timeRange: {start: "2026-01-02T00:00:00Z", end: "2026-01-01T00:00:00Z"}}')),
    ).toBe("BAD_REQUEST timeRange: the start must be before the end");
    const running = {
      status: "RUNNING",
      projectId: null,
      modelName: "acme-7b",
      startTime: "2020-01-01T00:00:00+00:00",
      progress: 0,
      examinedSpans: 0,
      changedSpans: 0,
      oldCost: 0,
      newCost: 0,
    };
    const input = '{modelName: "acme-7b", timeRange: {start: "2020-01-01T00:00:00Z"}}';
    expect(await askData(api, begin(input))).toEqual({ startCostRecomputation: { recomputation: running } });
    expect(await askRefusal(api, begin("{}"))).toBe(
      "CONFLICT Costs are being recomputed already: wait until that is done, or cancel it",
    );
    expect(await askData(api, `mutation { cancelCostRecomputation { ${FIELDS} } }`)).toEqual({
      cancelCostRecomputation: { recomputation: { ...running, status: "CANCELLED" } },
    });
    await askData(api, begin(input));
    const { recomputation } = api.features.use(modelsFeature);
    while (await recomputation.runSlice(api.context()));
    // The model of the test before is deleted: its two calls have no price any more.
    expect(await askData(api, `{ costRecomputation ${FIELDS.slice("recomputation ".length)} }`)).toEqual({
      costRecomputation: { ...running, status: "DONE", progress: 1, examinedSpans: 2, changedSpans: 2, oldCost: 14e-6 },
    });
  });
});
