// Budgets and spending over REST and GraphQL: who sets them, who sees which, and that they hold for real calls.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { keyOf, member, signedIn } from "../support/principals.ts";
import { readRunEvents } from "../support/run-events.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";

interface ShownBudget {
  readonly id: string;
  readonly scope: string;
  readonly user_id: string | null;
  readonly use: { readonly tokens: number; readonly reserved_tokens: number } | null;
}

forEachDriver("budgets", (driver) => {
  let models: ScriptedModels;
  let api: TestApi;
  let principal: Principal = openPrincipal;
  let memberId = 0;

  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), {
      resolvePrincipal: () => principal,
      variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true", OLLAMA_BASE_URL: models.openAi },
    });
    const database = api.stored.storage.handle.write(api.context());
    memberId = (
      await database
        .insertInto("users")
        .values({ ...member, username: "ada", email: "ada@example.org" })
        .returning("id")
        .executeTakeFirstOrThrow()
    ).id;
  });
  afterAll(async () => {
    await api.close();
    await models.close();
  });
  beforeEach(async () => {
    principal = openPrincipal;
    models.requests.length = 0;
    const database = api.stored.storage.handle.write(api.context());
    for (const table of ["budgets", "spending", "spending_reservations"] as const)
      await database.deleteFrom(table).execute();
  });

  const put = async (body: object) => {
    const response = await send(api.server, "PUT /v1/budgets", { json: body });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: ShownBudget }).data;
  };
  const refusal = async (body: object) => {
    const response = await send(api.server, "PUT /v1/budgets", { json: body });
    return `${response.status} ${await response.text()}`;
  };
  const list = async () => {
    const response = await send(api.server, "GET /v1/budgets");
    return ((await response.json()) as { data: ShownBudget[] }).data;
  };
  /** The error of a run; null where it was answered. */
  const tryChat = async () => {
    const variant = { model_provider: "OLLAMA", model_name: "text", messages: [{ role: "user", content: "hi" }] };
    const limited = { ...variant, invocation_parameters: { type: "openai", openai: { max_tokens: 20 } } };
    const response = await send(api.server, "POST /v1/playground/runs", { json: { variants: [limited] } });
    const events = await Array.fromAsync(readRunEvents(response));
    return events.find(({ name }) => name === "result")!.data.error as { code: string; message: string } | null;
  };

  test("one is set, replaced, listed and deleted", async () => {
    const made = await put({ scope: "server", period: "day", max_tokens: 1000 });
    expect(made).toMatchObject({
      scope: "server",
      user_id: null,
      period: "day",
      max_cost_usd: null,
      max_tokens: 1000,
      use: { cost_usd: 0, tokens: 0, reserved_cost_usd: 0, reserved_tokens: 0 },
    });
    const changed = await put({ scope: "server", period: "day", max_cost_usd: 12_345.678901 });
    expect(changed).toMatchObject({ id: made.id, max_cost_usd: 12_345.678901, max_tokens: null });
    await put({ scope: "user", period: "month", max_cost_usd: 5 });
    expect((await list()).map(({ scope, use }) => [scope, use === null])).toEqual([
      ["server", false],
      ["user", true],
    ]);
    expect((await send(api.server, `DELETE /v1/budgets/${made.id}`)).status).toBe(204);
    expect((await send(api.server, `DELETE /v1/budgets/${made.id}`)).status).toBe(404);
    expect((await send(api.server, `DELETE /v1/budgets/${globalId("User", 1)}`)).status).toBe(422);
    expect(await list()).toHaveLength(1);
  });

  test("it holds for calls, shows what is used, and tells who spent it", async () => {
    const { id } = await put({ scope: "server", period: "day", max_tokens: 100 });
    expect(await tryChat()).toBeNull();
    expect((await list())[0]!.use).toMatchObject({ tokens: 18, reserved_tokens: 0 });
    await put({ scope: "server", period: "day", max_tokens: 80 });
    const error = await tryChat();
    expect(error).toMatchObject({ code: "spending.budget_used_up" });
    expect(error!.message).toContain("The daily budget of the server is used up: 18 of 80 tokens");
    expect(models.requests).toHaveLength(1);
    await send(api.server, `DELETE /v1/budgets/${id}`);
    expect(await tryChat()).toBeNull();
    const spending = await send(api.server, "GET /v1/spending");
    const project = await api.projects.findProjectByName(api.context(), "playground");
    expect(await spending.json()).toEqual({
      data: [
        {
          day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          user_id: null,
          api_key_id: null,
          project_id: globalId("Project", project!.id),
          purpose: "playground",
          provider: "ollama",
          model: "text",
          calls: 2,
          failed_calls: 0,
          prompt_tokens: 22,
          completion_tokens: 14,
          cost_usd: 0,
          unpriced_calls: 2,
          estimated_calls: 0,
          lost_calls: 0,
          lost_cost_usd: 0,
        },
      ],
      next_cursor: null,
    });
  });

  test("that of an account, a key and a project hold for these", async () => {
    await put({ scope: "user", user_id: globalId("User", memberId), period: "day", max_tokens: 0 });
    expect(await tryChat()).toBeNull();
    principal = signedIn(memberId, "MEMBER");
    expect((await tryChat())?.message).toContain("of this account");
    principal = openPrincipal;
    const project = await api.projects.findProjectByName(api.context(), "playground");
    await put({ scope: "project", project_id: globalId("Project", project!.id), period: "day", max_tokens: 0 });
    expect((await tryChat())?.message).toContain("of this project");
    await api.projects.deleteProject(api.context(), "playground");
    expect((await list()).map(({ scope }) => scope)).toEqual(["user"]);
    await put({ scope: "api_key", period: "month", max_tokens: 0 });
    principal = { kind: "system", userId: 1, apiKeyId: 77 };
    expect((await tryChat())?.message).toContain("of this API key");
  });

  test("members see what applies to them and change nothing; viewers neither spend nor set", async () => {
    await put({ scope: "user", period: "day", max_tokens: 1000 });
    await put({ scope: "user", user_id: globalId("User", memberId), period: "month", max_tokens: 1000 });
    await put({ scope: "project", period: "day", max_tokens: 1000 });
    principal = keyOf(memberId, "MEMBER");
    expect(await tryChat()).toBeNull();
    expect((await list()).map(({ scope, use }) => [scope, use?.tokens])).toEqual([
      ["user", 18],
      ["user", 18],
    ]);
    expect(await refusal({ scope: "server", period: "day", max_tokens: 1 })).toStartWith("403 ");
    expect((await send(api.server, "GET /v1/spending")).status).toBe(403);
    principal = signedIn(memberId, "VIEWER");
    expect(await refusal({ scope: "server", period: "day", max_tokens: 1 })).toStartWith("403 ");
    expect((await list()).map(({ scope }) => scope)).toEqual(["user", "user"]);
  });

  test("what is left is the least of the budgets of the caller, over REST and GraphQL", async () => {
    const left = async () => {
      const { data } = (await (await send(api.server, "GET /v1/budgets/left")).json()) as { data: object };
      const query = "{ budgetLeft { cost { left period endsAt } tokens { left period endsAt } } }";
      const { budgetLeft } = await askData<{ budgetLeft: object }>(api, query);
      const ofRest = JSON.stringify(data, (_, value) => (typeof value === "string" ? value.toLowerCase() : value));
      expect(JSON.stringify(budgetLeft).replaceAll("endsAt", "ends_at").toLowerCase()).toBe(ofRest);
      return data;
    };
    principal = keyOf(memberId, "MEMBER");
    expect(await left()).toEqual({ cost: null, tokens: null });
    principal = openPrincipal;
    await put({ scope: "server", period: "month", max_tokens: 1000, max_cost_usd: 2.5 });
    await put({ scope: "user", period: "day", max_tokens: 400 });
    await put({ scope: "user", user_id: globalId("User", memberId), period: "month", max_cost_usd: 7 });
    // A project's own, and one of another key, are not those of the caller.
    await put({ scope: "project", period: "day", max_tokens: 1 });
    principal = keyOf(memberId, "MEMBER");
    const ofMonth = { period: "month", ends_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00/) };
    const ofDay = { period: "day", ends_at: expect.stringMatching(/T00:00:00/) };
    expect(await left()).toEqual({ cost: { left: 2.5, ...ofMonth }, tokens: { left: 400, ...ofDay } });
    principal = openPrincipal;
    await put({ scope: "project", period: "day", max_tokens: 10_000 });
    principal = keyOf(memberId, "MEMBER");
    // The model has no price, so that budgets of money refuse it.
    expect((await tryChat())?.code).toBe("spending.no_price");
    principal = openPrincipal;
    for (const { id, scope, user_id } of await list()) {
      if (scope === "server" || user_id !== null) await send(api.server, `DELETE /v1/budgets/${id}`);
    }
    principal = keyOf(memberId, "MEMBER");
    expect(await tryChat()).toBeNull();
    expect(await left()).toEqual({ cost: null, tokens: { left: 382, ...ofDay } });
    principal = openPrincipal;
    await put({ scope: "server", period: "day", max_tokens: 5 });
    // Lowered below what is spent.
    expect(await left()).toEqual({ cost: null, tokens: { left: 0, ...ofDay } });
  });

  test("what is wrong is named", async () => {
    const base = { scope: "user", period: "day" };
    expect(await refusal({ ...base })).toBe("422 A budget limits money, tokens, or both");
    expect(await refusal({ ...base, max_tokens: 1, user_id: globalId("User", 999) })).toBe(
      "404 No user has the id 999",
    );
    expect(await refusal({ ...base, max_tokens: 1, user_id: "ada" })).toBe("422 user_id: ada is not the id of one");
    expect(await refusal({ ...base, max_tokens: 1, project_id: globalId("Project", 1) })).toStartWith(
      "422 project_id: ",
    );
    expect(await refusal({ scope: "server", period: "day", max_cost_usd: 1e9 })).toBe(
      "422 The limit of money must be from 0 to 9 million USD",
    );
    for (const wrong of [
      { max_tokens: -1 },
      { max_tokens: 1.5 },
      { max_cost_usd: true },
      { period: "week" },
      { more: 1 },
    ]) {
      expect(await refusal({ ...base, max_tokens: 1, ...wrong })).toStartWith('422 {"detail":');
    }
  });

  test("GraphQL sets, shows and deletes the same", async () => {
    const set = `mutation Set($input: SetBudgetInput!) { setBudget(input: $input) {
      budget { id scope user { username } period maxCost maxTokens use { cost tokens reservedCost reservedTokens } } } }`;
    const input = { scope: "USER", userId: globalId("User", memberId), period: "DAY", maxCost: 2.5, maxTokens: 3000 };
    const { setBudget } = await askData<{ setBudget: { budget: { id: string } } }>(api, set, { input });
    expect(setBudget.budget).toMatchObject({
      scope: "USER",
      user: { username: "ada" },
      period: "DAY",
      maxCost: 2.5,
      maxTokens: 3000,
      use: { cost: 0, tokens: 0, reservedCost: 0, reservedTokens: 0 },
    });
    await tryChat();
    const query = `{ budgets { id apiKeyId project { name } }
      spending(first: 10) { edges { node { day user { username } project { name } purpose model calls promptTokens cost } }
        pageInfo { hasNextPage } } }`;
    expect(await askData(api, query)).toMatchObject({
      budgets: [{ id: setBudget.budget.id, apiKeyId: null, project: null }],
      spending: {
        edges: [
          {
            node: {
              user: null,
              project: { name: "playground" },
              purpose: "PLAYGROUND",
              model: "text",
              calls: 1,
              promptTokens: 11,
            },
          },
        ],
        pageInfo: { hasNextPage: false },
      },
    });
    expect(await askRefusal(api, set, { input: { ...input, scope: "SERVER" } })).toStartWith("BAD_REQUEST userId: ");
    const remove = `mutation { deleteBudget(budgetId: "${setBudget.budget.id}") { query { budgets { id } } } }`;
    expect(await askData(api, remove)).toEqual({ deleteBudget: { query: { budgets: [] } } });
    principal = signedIn(memberId, "MEMBER");
    expect(await askRefusal(api, set, { input })).toBe("UNAUTHORIZED Only admin can perform this action");
    expect(await askRefusal(api, "{ spending(first: 1) { pageInfo { hasNextPage } } }")).toStartWith("UNAUTHORIZED ");
  });

  test("spending is paged, and narrowed to days", async () => {
    const row = {
      user_id: 0,
      api_key_id: 0,
      project_id: 0,
      purpose: "proxy",
      provider: "openai",
      model: "m",
      calls: 1,
      failed_calls: 0,
      prompt_tokens: 1,
      completion_tokens: 1,
      cost: 1,
      unpriced_calls: 0,
      estimated_calls: 0,
      lost_calls: 0,
      lost_cost: 0,
    };
    const day = 86_400_000_000;
    const database = api.stored.storage.handle.write(api.context());
    await database
      .insertInto("spending")
      .values([1, 2, 3].map((number) => ({ ...row, day_us: number * day })))
      .execute();
    const page = async (query: string) =>
      (await (await send(api.server, `GET /v1/spending?${query}`)).json()) as {
        data: { day: string }[];
        next_cursor: string;
      };
    const first = await page("limit=2");
    expect(first.data.map((each) => each.day)).toEqual(["1970-01-04", "1970-01-03"]);
    expect((await page(`cursor=${first.next_cursor}`)).data.map((each) => each.day)).toEqual(["1970-01-02"]);
    const narrow = await page("start_time=1970-01-03T00:00:00Z&end_time=1970-01-04T00:00:00Z");
    expect(narrow.data.map((each) => each.day)).toEqual(["1970-01-03"]);
  });
});
