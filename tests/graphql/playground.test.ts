// Subscriptions of the playground over /graphql beyond the recorded rows: refusals, limits, clients that go away, budgets, keys.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, type TestApi } from "../support/api.ts";
import { CHAT_COMPLETION, postSubscription, readChat } from "../support/chat-subscriptions.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { TEST_KEY } from "../support/model-calls.ts";
import { readParts } from "../support/multipart.ts";
import { keyOf, restricted, signedIn } from "../support/principals.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import { until } from "../support/until.ts";

forEachDriver("subscriptions of the playground", (driver) => {
  let models: ScriptedModels;
  let api: TestApi;
  let url: string;
  let principal: Principal = openPrincipal;
  let isLocked = false;

  beforeAll(async () => {
    models = await startScriptedModels();
    url = await driver.createDatabase();
    api = await openTestApi(url, {
      resolvePrincipal: () => principal,
      isStorageLocked: () => isLocked,
      variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true" },
    });
  });
  afterAll(async () => {
    await api.close();
    await models.close();
  });
  beforeEach(() => {
    principal = openPrincipal;
    isLocked = false;
    models.requests.length = 0;
    models.abandoned.length = 0;
  });

  const input = (model: string, changes: object = {}, version: object = {}) => ({
    promptVersion: {
      templateFormat: "NONE",
      template: { messages: [{ role: "USER", content: [{ text: { text: "hi" } }] }] },
      invocationParameters: { openai: {} },
      modelProvider: "OPENAI",
      modelName: model,
      ...version,
    },
    connectionConfig: { baseUrl: models.openAi },
    credentials: [{ envVarName: "OPENAI_API_KEY", value: TEST_KEY }],
    repetitions: 1,
    ...changes,
  });
  const chat = async (...given: Parameters<typeof input>) =>
    readChat(await postSubscription(api, { input: input(...given) }));

  interface PlaygroundSpan {
    readonly statusCode: string;
    readonly statusMessage: string;
    readonly attributes: string;
  }
  const spansOf = async (): Promise<readonly PlaygroundSpan[]> => {
    const query = `{ getProjectByName(name: "playground") { spans(first: 100) {
      edges { node { statusCode statusMessage attributes } } } } }`;
    const { getProjectByName } = await askData<{
      getProjectByName: { spans: { edges: { node: PlaygroundSpan }[] } } | null;
    }>(api, query);
    return getProjectByName?.spans.edges.map(({ node }) => node) ?? [];
  };

  describe("are refused", () => {
    test.each([
      ["repetitions", { repetitions: 0 }, "repetitions must be from 1 to 100"],
      ["repetitions", { repetitions: 101 }, "repetitions must be from 1 to 100"],
      ["headers", { headers: ["x"] }, "headers must be an object of strings"],
      ["variables", { template: { variables: [1], format: "NONE" } }, "template.variables: must be a JSON object"],
      [
        "evaluators",
        { evaluators: [{ id: "x", name: "x", inputMapping: { literalMapping: {}, pathMapping: {} } }] },
        "evaluators: are run over datasets",
      ],
    ])("for %s by name", async (_what, changes, text) => {
      expect((await chat("text", changes)).errors.join()).toContain(text);
    });

    test("for an id of another type by both types", async () => {
      const { errors } = await chat("text", {}, { customProviderId: globalId("Project", 1) });
      expect(errors).toEqual([
        "The node id must correspond to a node of type GenerativeModelCustomProvider, but instead corresponds to a node of type: Project",
      ]);
    });

    test("for arguments that end no stream, tools without a tool among them", async () => {
      expect((await chat("text", {}, { tools: { tools: [] } })).errors.join()).toContain("tools");
      expect(models.requests).toEqual([]);
    });

    test("while the database is fuller than allowed, and to those who may not spend", async () => {
      isLocked = true;
      expect((await chat("text")).errors.join()).toContain("Database operations are disabled");
      isLocked = false;
      principal = keyOf(1, "VIEWER");
      expect((await chat("text")).errors).toEqual(["Viewers cannot perform this action"]);
      principal = restricted(1, "ADMIN");
      const response = await postSubscription(api, { input: input("text") });
      expect([response.status, await response.text()]).toEqual([403, "Password reset required"]);
      expect(models.requests).toEqual([]);
    });

    test("in read-only mode", async () => {
      const readOnly = await openTestApi(url, { settings: { readOnly: true } });
      const { errors } = await readChat(await postSubscription(readOnly, { input: input("text") }));
      await readOnly.close();
      expect(errors).toEqual(["Application is read-only"]);
    });

    test("with an error that does not show the keys of the request", async () => {
      const credentials = [{ value: TEST_KEY }, { envVarName: 1, value: TEST_KEY }];
      const { errors } = await chat("text", { credentials });
      expect(errors.join()).toContain("credentials");
      expect(errors.join()).not.toContain(TEST_KEY);
      const wrongSource = await postSubscription(api, {}, { body: JSON.stringify({ query: CHAT_COMPLETION }) });
      expect(await wrongSource.text()).toContain("$input");
    });
  });

  test("members and system keys may spend", async () => {
    for (const each of [
      signedIn(1, "MEMBER"),
      keyOf(1, "MEMBER"),
      { kind: "system", userId: 1, apiKeyId: 9 } as const,
    ]) {
      principal = each;
      expect((await chat("text")).errors).toEqual([]);
    }
    const { rows } = {
      rows: await api.stored.storage.handle.read(api.context(), "short").selectFrom("spending").selectAll().execute(),
    };
    expect(rows).toMatchObject([
      { calls: expect.any(Number), provider: "openai" },
      { api_key_id: 9, user_id: 1 },
    ]);
  });

  describe("a client that goes away", () => {
    test("ends the requests that run, and leaves their spans; the others are never begun", async () => {
      const before = (await spansOf()).length;
      const response = await postSubscription(api, { input: input("slow", { repetitions: 7 }) });
      let begun = 0;
      for await (const part of readParts(response)) {
        if (JSON.stringify(part).includes("first ")) begun++;
        if (begun === 3) break;
      }
      await until(() => models.abandoned.length === 3);
      await until(async () => (await spansOf()).length === before + 3);
      expect(models.requests).toHaveLength(3);
      const cancelled = (await spansOf()).filter(({ statusMessage }) => statusMessage === "The call was cancelled");
      expect(cancelled).toHaveLength(3);
      for (const { statusCode, attributes } of cancelled) {
        expect(statusCode).toBe("ERROR");
        expect(JSON.parse(attributes)).toMatchObject({ metadata: { repetition: expect.any(Number) } });
      }
    });

    test("before the first piece does the same", async () => {
      const before = (await spansOf()).length;
      const response = await postSubscription(api, { input: input("silent") });
      const reader = response.body!.getReader();
      await reader.read();
      const waiting = reader.read();
      await until(() => models.requests.length === 1);
      await reader.cancel();
      await waiting;
      await until(async () => (await spansOf()).length === before + 1);
      expect(models.abandoned).toHaveLength(1);
    });
  });

  test("a budget that other repetitions have reserved is an error of the repetition", async () => {
    const set = "mutation { setBudget(input: {scope: SERVER, period: DAY, maxTokens: 20000}) { budget { id } } }";
    const { setBudget } = await askData<{ setBudget: { budget: { id: string } } }>(api, set);
    const { events } = await chat("slow-first-byte-50", { repetitions: 3 });
    await askData(api, "mutation Delete($id: ID!) { deleteBudget(budgetId: $id) { __typename } }", setBudget.budget);
    // The call says no maximum: three of them do not fit at once.
    const refused = events.filter(({ __typename }) => __typename === "ChatCompletionSubscriptionError");
    expect(refused.map(({ message }) => message!.split(" by ")[0])).toEqual([
      "The daily budget of the server is reserved",
    ]);
    expect(events.filter(({ __typename }) => __typename.endsWith("Result"))).toHaveLength(2);
  });

  test("a stream in odd chunks, and a key that a model repeats, come whole and without the key", async () => {
    const { events } = await chat("odd-3-text");
    expect(events.map(({ content = "" }) => content).join("")).toBe("Hello world");
    const echo = await chat("keyecho");
    expect(JSON.stringify(echo.parts)).toContain("[REDACTED]");
    expect(JSON.stringify(echo.parts)).not.toContain(TEST_KEY);
    expect(JSON.stringify(await spansOf())).not.toContain(TEST_KEY);
  });

  test("the project of the spans has its description", async () => {
    await chat("text");
    const query =
      '{ projects { edges { node { name ... on Project { spanAnnotationNames } } } } getProjectByName(name: "playground") { name } }';
    expect(await askData(api, query)).toMatchObject({ getProjectByName: { name: "playground" } });
    const project = await api.projects.findProjectByName(api.context(), "playground");
    expect(project?.description).toBe("Traces from prompt playground");
  });
});
