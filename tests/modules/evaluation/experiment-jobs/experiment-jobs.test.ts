// Jobs over the whole service, against scripted models.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { globalId } from "../../../../src/kernel/ids.ts";
import { experimentsFeature } from "../../../../src/modules/evaluation/experiments/experiments.feature.ts";
import { openTestApi, send, type TestApi } from "../../../support/api.ts";
import { jobsOf, jobTask, newJob, numberedDataset, openContext, runJob } from "../../../support/dataset-runs.ts";
import { forEachDriver } from "../../../support/drivers.ts";
import { evaluatorRequests, judgeVersion } from "../../../support/evaluators.ts";
import { askData } from "../../../support/graphql.ts";
import { wholeRun } from "../../../support/job-runs.ts";
import { TEST_KEY } from "../../../support/model-calls.ts";
import { type ScriptedModels, startScriptedModels } from "../../../support/scripted-models.ts";
import { until } from "../../../support/until.ts";

const containsWorld = { inputMapping: { literalMapping: { words: "world" }, pathMapping: { text: "$.output" } } };
const rowIdOf = (id: string) => Number(atob(id).split(":")[1]);

forEachDriver("experiment jobs", (driver) => {
  let api: TestApi;
  let models: ScriptedModels;
  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), {
      variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true", OPENAI_BASE_URL: models.openAi },
    });
  });
  afterAll(async () => {
    await api.close();
    await models.close();
  });

  test("every example becomes a run with a span", async () => {
    const dataset = await numberedDataset(api, 3);
    const { experiment, events } = await runJob(api, newJob(dataset, jobTask("text", models), { repetitions: 2 }));
    expect(events.filter(({ type }) => type === "result")).toHaveLength(6);
    const job = await jobsOf(api).getJob(openContext(api), globalId("Experiment", experiment.id));
    expect(job).toMatchObject({ status: "COMPLETED", spent: { calls: 6, promptTokens: 66, completionTokens: 42 } });
    const answer = await send(api.server, `GET /v1/experiments/${globalId("Experiment", experiment.id)}/runs`);
    const { data } = (await answer.json()) as { data: { output: unknown; error: unknown; trace_id: string }[] };
    expect(data).toHaveLength(6);
    expect(data[0]).toMatchObject({
      output: { messages: [{ role: "assistant", content: "Hello world" }], available_tools: [] },
      error: null,
    });
  });

  test("five failures of a judge in a row end its calls; runs and other evaluators go on", async () => {
    const dataset = await numberedDataset(api, 8);
    const requests = evaluatorRequests(() => api);
    const promptVersion = judgeVersion(["failing"], { modelName: "e400" });
    const failing = await requests.createLlm(dataset, "failing", { promptVersion });
    const other = await requests.createBuiltIn(dataset, "contains", "other", containsWorld);
    const evaluatorIds = [failing, other].map(rowIdOf);
    const task = jobTask("text", models, { maxConcurrency: 1 });
    models.requests.length = 0;
    const { experiment, events } = await runJob(api, newJob(dataset, task, { evaluatorIds }));
    const judgements = () => models.requests.filter(({ body }) => body.model === "e400").length;
    const judgedAs = (name: string) => events.filter((event) => event.type === "evaluation" && event.name === name);
    expect([judgements(), judgedAs("failing").length, judgedAs("other").length]).toEqual([5, 5, 8]);
    for (const event of judgedAs("failing")) expect(event).toMatchObject({ error: expect.stringContaining("400") });
    for (const event of judgedAs("other")) expect(event).toMatchObject({ error: null });
    const id = globalId("Experiment", experiment.id);
    const job = await jobsOf(api).getJob(openContext(api), id);
    expect(job).toMatchObject({ status: "COMPLETED", stopReason: null, spent: { calls: 13 } });
    const last = (await jobsOf(api).findLastErrors(openContext(api), [job.id])).get(job.id);
    expect(last).toMatchObject({ message: "Circuit breaker tripped (failing): provider_error", detail: null });
    // What is missing is made by a resume.
    await jobsOf(api).resumeJob(openContext(api), id, {
      credentials: [{ name: "OPENAI_API_KEY", value: TEST_KEY }],
      headers: null,
      retriesFailed: true,
      limits: null,
    });
    await until(async () => (await jobsOf(api).getJob(openContext(api), id)).status === "COMPLETED");
    expect(judgements()).toBe(10);
    expect(models.requests.filter(({ body }) => body.model === "text")).toHaveLength(8);
  });

  test("the traces of its evaluators go with an ephemeral experiment, those of others stay", async () => {
    const dataset = await numberedDataset(api, 3);
    const id = await evaluatorRequests(() => api).createBuiltIn(dataset, "contains", "judge", containsWorld);
    const evaluatorIds = [rowIdOf(id)];
    const run = async (isEphemeral: boolean) =>
      (await runJob(api, newJob(dataset, jobTask("text", models), { evaluatorIds, isEphemeral }))).experiment;
    const ephemeral = await run(true);
    const lasting = await run(false);
    const database = api.stored.storage.handle.write(api.context());
    /** Ids of the experiments whose evaluations have a trace. */
    const judged = async (): Promise<string[]> => {
      const { node } = await askData<{ node: { project: { name: string } } }>(
        api,
        "query($id: ID!) { node(id: $id) { ... on DatasetEvaluator { project { name } } } }",
        { id },
      );
      const answer = await send(api.server, `GET /v1/projects/${node.project.name}/spans?parent_id=null`);
      const { data } = (await answer.json()) as { data: { attributes: Record<string, unknown> }[] };
      return data.map(({ attributes }) => String(attributes["metadata.experiment_id"])).sort();
    };
    const idsOf = (...experiments: { id: number }[]) =>
      experiments.flatMap((experiment) => Array<string>(3).fill(globalId("Experiment", experiment.id))).sort();
    expect(await judged()).toEqual(idsOf(ephemeral, lasting));
    await database.updateTable("experiments").set({ dismissed_us: 1 }).where("id", "=", ephemeral.id).execute();
    await api.features.use(experimentsFeature).experiments.sweepDismissed(wholeRun(() => api.context()));
    expect(await judged()).toEqual(idsOf(lasting));
    const path = (experiment: { id: number }) => `/v1/experiments/${globalId("Experiment", experiment.id)}`;
    expect((await send(api.server, `GET ${path(ephemeral)}`)).status).toBe(404);
    expect((await send(api.server, `DELETE ${path(lasting)}?delete_project=true`)).status).toBe(204);
    expect(await judged()).toEqual([]);
  });
});
