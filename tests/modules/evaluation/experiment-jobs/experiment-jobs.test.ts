// Jobs over the whole service, against scripted models.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { globalId } from "../../../../src/kernel/ids.ts";
import { experimentsFeature } from "../../../../src/modules/evaluation/experiments/experiments.feature.ts";
import { openTestApi, send, type TestApi } from "../../../support/api.ts";
import { jobsOf, jobTask, newJob, numberedDataset, openContext, runJob } from "../../../support/dataset-runs.ts";
import { forEachDriver } from "../../../support/drivers.ts";
import { evaluatorRequests } from "../../../support/evaluators.ts";
import { askData } from "../../../support/graphql.ts";
import { wholeRun } from "../../../support/job-runs.ts";
import { type ScriptedModels, startScriptedModels } from "../../../support/scripted-models.ts";

forEachDriver("experiment jobs", (driver) => {
  let api: TestApi;
  let models: ScriptedModels;
  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), { variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true" } });
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

  test("the traces of its evaluators go with an ephemeral experiment, those of others stay", async () => {
    const dataset = await numberedDataset(api, 3);
    const id = await evaluatorRequests(() => api).createBuiltIn(dataset, "contains", "judge", {
      inputMapping: { literalMapping: { words: "world" }, pathMapping: { text: "$.output" } },
    });
    const evaluatorIds = [Number(atob(id).split(":")[1])];
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
      const { data } = (await answer.json()) as { data: { attributes: { metadata: string } }[] };
      return data.map(({ attributes }) => JSON.parse(attributes.metadata).experiment_id).sort();
    };
    const idsOf = (...experiments: { id: number }[]) =>
      experiments.flatMap((experiment) => Array(3).fill(globalId("Experiment", experiment.id)));
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
