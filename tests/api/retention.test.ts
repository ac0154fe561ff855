// Retention policies over REST and GraphQL, on both databases: made, changed, assigned, tried and deleted.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { retentionFeature } from "../../src/modules/tracing/retention/retention.feature.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { wholeRun } from "../support/job-runs.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const DAY_US = 24 * 3_600_000_000;
const DEFAULT_ID = globalId("ProjectTraceRetentionPolicy", 0);
const POLICY = `id name cronExpression maxBytes keepsAnnotated keepsDatasetSources nextSweepAt
  rule { __typename ... on TraceRetentionRuleMaxDays { maxDays } ... on TraceRetentionRuleMaxCount { maxCount }
    ... on TraceRetentionRuleMaxDaysOrCount { maxDays maxCount } }
  projects { edges { node { name } } }`;

forEachDriver("retention policies", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), {
      variables: { SERVICE_DEFAULT_RETENTION_POLICY_DAYS: "30" },
    }),
  );
  beforeAll(async () => {
    for (const name of ["chat", "search"]) await api.projects.createProject(api.context(), { name });
  });

  const ask = async (line: string, json?: unknown) => {
    const response = await send(api.server, line, json === undefined ? {} : { json });
    const text = await response.text();
    return { status: response.status, text, data: (text.startsWith("{") ? JSON.parse(text) : {}).data };
  };
  const projectId = async (name: string) => (await ask(`GET /v1/projects/${name}`)).data.id as string;
  const change = async (name: string, type: string, input: object, fields = POLICY) => {
    const query = `mutation($input: ${type}!) { ${name}(input: $input) { node { ${fields} } } }`;
    return (await askData<Record<string, { node: Record<string, unknown> }>>(api, query, { input }))[name]!.node;
  };
  const create = (input: object) =>
    change("createProjectTraceRetentionPolicy", "CreateProjectTraceRetentionPolicyInput", input);
  const patch = (input: object) =>
    change("patchProjectTraceRetentionPolicy", "PatchProjectTraceRetentionPolicyInput", input);
  const refused = (name: string, type: string, input: object) =>
    askRefusal(api, `mutation($input: ${type}!) { ${name}(input: $input) { node { id } } }`, { input });
  const policyOf = async (name: string) => {
    const query = `query($name: String!) { getProjectByName(name: $name) { traceRetentionPolicy { name } } }`;
    type Answer = { getProjectByName: { traceRetentionPolicy: { name: string } } };
    return (await askData<Answer>(api, query, { name })).getProjectByName.traceRetentionPolicy.name;
  };

  test("the default policy is that of the setting, and of every project without another one", async () => {
    const query = `{ defaultProjectTraceRetentionPolicy { ${POLICY} } projectTraceRetentionPolicies { edges { node { id } } } }`;
    const answer = await askData<Record<string, unknown>>(api, query);
    expect(answer).toEqual({
      defaultProjectTraceRetentionPolicy: {
        id: DEFAULT_ID,
        name: "Default",
        cronExpression: "0 0 * * 0",
        rule: { __typename: "TraceRetentionRuleMaxDays", maxDays: 30 },
        maxBytes: null,
        keepsAnnotated: false,
        keepsDatasetSources: false,
        nextSweepAt: expect.stringContaining("T00:00:00"),
        projects: { edges: ["default", "chat", "search"].map((name) => ({ node: { name } })) },
      },
      projectTraceRetentionPolicies: { edges: [{ node: { id: DEFAULT_ID } }] },
    });
    expect(await policyOf("chat")).toBe("Default");
  });

  test("the default policy is made once, keeps its name and stays", async () => {
    const changed = await patch({ id: DEFAULT_ID, rule: { maxDays: { maxDays: 0 } }, cronExpression: "0  3 * *  1" });
    expect(changed).toMatchObject({ cronExpression: "0 3 * * 1", rule: { maxDays: 0 } });
    await api.features.use(retentionFeature).retention.ensureDefaultPolicy(api.context());
    expect((await ask("GET /v1/retention_policies")).data).toMatchObject([{ id: DEFAULT_ID, max_days: 0 }]);
    const name = ["patchProjectTraceRetentionPolicy", "PatchProjectTraceRetentionPolicyInput"] as const;
    expect(await refused(...name, { id: DEFAULT_ID, name: "Other" })).toContain("keeps its name");
    await patch({ id: DEFAULT_ID, name: "Default" });
    expect(
      await refused("deleteProjectTraceRetentionPolicy", "DeleteProjectTraceRetentionPolicyInput", { id: DEFAULT_ID }),
    ).toContain("cannot be deleted");
    expect((await ask(`DELETE /v1/retention_policies/${DEFAULT_ID}`)).status).toBe(422);
  });

  test("a policy is made with its projects, changed as far as it is given, and gives them back when it is deleted", async () => {
    const [chat, search] = [await projectId("chat"), await projectId("search")];
    const made = await create({
      name: " a month ",
      cronExpression: "0 */6 * * *",
      rule: { maxDaysOrCount: { maxDays: 30, maxCount: 1000 } },
      maxBytes: 1e9,
      keepsAnnotated: true,
      addProjects: [chat],
    });
    expect(made).toMatchObject({
      name: "a month",
      rule: { __typename: "TraceRetentionRuleMaxDaysOrCount", maxDays: 30, maxCount: 1000 },
      maxBytes: 1e9,
      keepsAnnotated: true,
      projects: { edges: [{ node: { name: "chat" } }] },
    });
    const { id } = made as { id: string };
    expect(await policyOf("chat")).toBe("a month");
    const changed = await patch({
      id,
      rule: { maxCount: { maxCount: 5 } },
      addProjects: [search],
      removeProjects: [chat],
    });
    expect(changed).toMatchObject({
      name: "a month",
      rule: { __typename: "TraceRetentionRuleMaxCount", maxCount: 5 },
      maxBytes: 1e9,
      projects: { edges: [{ node: { name: "search" } }] },
    });
    const query =
      "query($id: ID!) { node(id: $id) { ... on ProjectTraceRetentionPolicy { name sweeps { traceCount } } } }";
    expect(await askData<unknown>(api, query, { id })).toEqual({ node: { name: "a month", sweeps: [] } });
    await change("deleteProjectTraceRetentionPolicy", "DeleteProjectTraceRetentionPolicyInput", { id }, "name");
    expect(await policyOf("search")).toBe("Default");
    expect(await askData<unknown>(api, "{ projectTraceRetentionPolicies { edges { node { name } } } }")).toEqual({
      projectTraceRetentionPolicies: { edges: [{ node: { name: "Default" } }] },
    });
  });

  const rule = { maxDays: { maxDays: 1 } };
  const fine = { name: "fine", cronExpression: "0 0 * * *", rule };
  const wrong: readonly [string, object, string][] = [
    ["no name", { ...fine, name: " " }, "name"],
    ["a name without end", { ...fine, name: "x".repeat(1025) }, "name"],
    ["a minute", { ...fine, cronExpression: "5 0 * * *" }, "cronExpression"],
    ["a schedule that never comes", { ...fine, cronExpression: "0 0 31 2 *" }, "cronExpression"],
    ["a negative age", { ...fine, rule: { maxDays: { maxDays: -1 } } }, "maxDays"],
    ["an age of ages", { ...fine, rule: { maxDays: { maxDays: 1e300 } } }, "maxDays"],
    ["a negative count", { ...fine, rule: { maxCount: { maxCount: -1 } } }, "maxCount"],
    ["a negative size", { ...fine, maxBytes: -1 }, "maxBytes"],
    ["a size beyond numbers", { ...fine, maxBytes: 1e17 }, "maxBytes"],
    ["two rules", { ...fine, rule: { ...rule, maxCount: { maxCount: 1 } } }, ""],
    ["an unknown project", { ...fine, addProjects: [globalId("Project", 999_999)] }, globalId("Project", 999_999)],
  ];
  test.each(wrong)("%s is refused by name, and nothing is made", async (_what, input, word) => {
    const name = ["createProjectTraceRetentionPolicy", "CreateProjectTraceRetentionPolicyInput"] as const;
    expect(await refused(...name, input)).toContain(word);
    expect((await ask("GET /v1/retention_policies")).data).toHaveLength(1);
  });

  test("over REST: made, changed in part, listed and deleted", async () => {
    const made = await ask("POST /v1/retention_policies", { name: "a week", schedule: "0 3 * * *", max_days: 7 });
    expect(made.status).toBe(200);
    expect(made.data).toEqual({
      id: expect.any(String),
      name: "a week",
      schedule: "0 3 * * *",
      max_days: 7,
      max_count: null,
      max_bytes: null,
      keeps_annotated: false,
      keeps_dataset_sources: false,
      next_sweep_at: expect.stringContaining("T03:00:00"),
    });
    const { id } = made.data;
    // Read as the number 0 it would delete everything.
    const refused = await ask(`PATCH /v1/retention_policies/${id}`, { max_days: false });
    expect(refused.status).toBe(422);
    const changed = await ask(`PATCH /v1/retention_policies/${id}`, { max_count: 100, max_days: null });
    expect(changed.data).toEqual({ ...made.data, max_days: null, max_count: 100 });
    expect((await ask(`PATCH /v1/retention_policies/${id}`, { schedule: "daily" })).status).toBe(422);
    expect((await ask("POST /v1/retention_policies", { name: "x" })).status).toBe(422);
    expect((await ask("POST /v1/retention_policies", { name: "x", schedule: "0 0 * * *", max_days: -1 })).status).toBe(
      422,
    );
    expect((await ask(`DELETE /v1/retention_policies/${id}`)).status).toBe(204);
    expect((await ask(`DELETE /v1/retention_policies/${id}`)).status).toBe(404);
    expect((await ask("DELETE /v1/retention_policies/nonsense")).status).toBe(422);
  });

  test("a project is given a policy by REST, and null is the default one", async () => {
    const { id } = (await ask("POST /v1/retention_policies", { name: "given", schedule: "0 3 * * *" })).data;
    const chat = await projectId("chat");
    const assign = (body: unknown, project = "chat") => ask(`PATCH /v1/projects/${project}/retention`, body);
    expect((await assign({ policy_id: id })).data).toEqual({ project_id: chat, policy_id: id });
    expect(await policyOf("chat")).toBe("given");
    expect((await assign({ policy_id: DEFAULT_ID }, chat)).data).toEqual({ project_id: chat, policy_id: null });
    await assign({ policy_id: id });
    expect((await assign({ policy_id: null })).data).toEqual({ project_id: chat, policy_id: null });
    expect(await policyOf("chat")).toBe("Default");
    for (const body of [{}, [], { policy_id: 7 }]) expect((await assign(body)).status).toBe(422);
    for (const text of ["", "nothing", chat, globalId("ProjectTraceRetentionPolicy", 2 ** 40)]) {
      const answer = await assign({ policy_id: text }, "unknown");
      expect([answer.status, answer.text]).toEqual([422, `Invalid retention policy ID: ${text}`]);
    }
    expect((await assign({ policy_id: id }, "unknown")).status).toBe(404);
    const gone = globalId("ProjectTraceRetentionPolicy", 4711);
    const answer = await assign({ policy_id: gone });
    expect([answer.status, answer.text]).toEqual([404, `Retention policy with ID ${gone} not found`]);
    await ask(`DELETE /v1/retention_policies/${id}`);
  });

  test("what a rule would delete is shown before it is saved, and after the sweep what was deleted", async () => {
    const startUs = Date.now() * 1000 - 60_000_000;
    for (const age of [0, 1, 2, 3]) {
      const given = { projectName: "search", traceKey: `aged ${age}`, startUs: startUs - age * DAY_US };
      await ingestBatch(api.stored.ingest, [incomingSpan(given)]);
    }
    const search = await projectId("search");
    const preview =
      "query($input: TraceRetentionPreviewInput!) { previewTraceRetention(input: $input) { project { name } traceCount spanCount byteCount isEverything isComplete } }";
    const input = { rule: { maxCount: { maxCount: 3 } }, policyId: DEFAULT_ID, projectIds: [search] };
    type Previewed = Record<string, unknown>;
    const previewOf = (given: object) =>
      askData<{ previewTraceRetention: Previewed[] }>(api, preview, { input: { ...input, ...given } });
    const { previewTraceRetention } = await previewOf({});
    expect(previewTraceRetention).toEqual([
      {
        project: { name: "search" },
        traceCount: 1,
        spanCount: 1,
        byteCount: expect.any(Number),
        isEverything: false,
        isComplete: true,
      },
    ]);
    const all = await previewOf({ rule: { maxDays: { maxDays: 0.0000001 } } });
    expect(all.previewTraceRetention).toMatchObject([{ traceCount: 4, isEverything: true }]);
    const { id } = (await create({ ...fine, rule: { maxDays: { maxDays: 1.5 } }, addProjects: [search] })) as {
      id: string;
    };
    const foretold = await ask(`GET /v1/retention_policies/${id}/preview`);
    expect(foretold.data.projects).toMatchObject([
      { project_id: search, trace_count: 2, span_count: 2, is_everything: false, is_complete: true },
    ]);
    await change("runProjectTraceRetentionPolicy", "RunProjectTraceRetentionPolicyInput", { id }, "id");
    await api.features.use(retentionFeature).sweeps.serveSchedules(wholeRun(api.context));
    const { node } = await askData<{ node: { sweeps: object[] } }>(
      api,
      "query($id: ID!) { node(id: $id) { ... on ProjectTraceRetentionPolicy { sweeps { project { name } traceCount spanCount byteCount failure } } } }",
      { id },
    );
    const [{ byte_count: byteCount }] = foretold.data.projects;
    expect(node.sweeps).toEqual([
      { project: { name: "search" }, traceCount: 2, spanCount: 2, byteCount, failure: null },
    ]);
    expect((await ask("GET /v1/projects/search/traces")).data).toHaveLength(2);
  });
});
