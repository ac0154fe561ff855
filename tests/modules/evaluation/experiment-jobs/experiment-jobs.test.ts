// Jobs over the whole service, against scripted models.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { globalId } from "../../../../src/kernel/ids.ts";
import { openTestApi, send, type TestApi } from "../../../support/api.ts";
import { jobsOf, jobTask, newJob, numberedDataset, openContext, runJob } from "../../../support/dataset-runs.ts";
import { forEachDriver } from "../../../support/drivers.ts";
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
});
