// The rows of tests/vectors/playground.json about runs over datasets, their jobs and their evaluators, over /graphql.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import {
  changeJob,
  datasetChatInput,
  passCooldown,
  type RunOfDataset,
  readExperiment,
  runDatasetChat,
  startDatasetChat,
} from "../support/dataset-chats.ts";
import { numberedDataset } from "../support/dataset-runs.ts";
import { forEachDriver } from "../support/drivers.ts";
import { categoricalConfig, evaluatorRequests, judgeVersion } from "../support/evaluators.ts";
import { askData, askGraphql } from "../support/graphql.ts";
import { wholeRun } from "../support/job-runs.ts";
import { TEST_KEY } from "../support/model-calls.ts";
import { readParts } from "../support/multipart.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import { until } from "../support/until.ts";
import document from "../vectors/playground.json" with { type: "json" };

/** Answers of many shapes. */
type Any = ReturnType<typeof JSON.parse>;

setDefaultTimeout(30_000);

const expected = (id: string): Any => document.vectors.find((row) => row.id === id)!.expect;

forEachDriver("runs over datasets over GraphQL", (driver) => {
  let api: TestApi;
  let models: ScriptedModels;
  let dataset: string;
  let customProviderId: string;
  /** Waits for retries: begun first, read last. */
  let limited: { readonly models: ScriptedModels; readonly run: Promise<RunOfDataset> };
  let completed: RunOfDataset;
  /** As the runner of jobs does. */
  let looking: ReturnType<typeof setInterval>;

  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), { variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true" } });
    const { run: look } = api.features.jobs.find(({ name }) => name === "experiment-jobs")!;
    looking = setInterval(() => void look(wholeRun(api.context)), 1000);
    dataset = await numberedDataset(api, 3);
    const limitedModels = await startScriptedModels();
    const two = await numberedDataset(api, 2);
    limited = { models: limitedModels, run: runDatasetChat(api, datasetChatInput(limitedModels, two, "e429")) };
    const created = await askData<Any>(
      api,
      `mutation($input: CreateGenerativeModelCustomProviderMutationInput!) {
        createGenerativeModelCustomProvider(input: $input) { provider { id } }
      }`,
      {
        input: {
          name: "scripted",
          provider: "scripted",
          clientConfig: {
            openai: {
              openaiAuthenticationMethod: { apiKey: TEST_KEY },
              openaiClientKwargs: { baseUrl: models.openAi },
              openaiApiType: "CHAT_COMPLETIONS",
            },
          },
        },
      },
    );
    customProviderId = created.createGenerativeModelCustomProvider.provider.id;
  });
  afterAll(async () => {
    clearInterval(looking);
    await api.close();
    await models.close();
    await limited.models.close();
  });

  const run = (model: string, changes: object = {}, datasetId = dataset) =>
    runDatasetChat(api, datasetChatInput(models, datasetId, model, changes));
  const typesOf = ({ events }: RunOfDataset) => events.map(({ __typename }) => __typename);
  const errorsOf = ({ events }: RunOfDataset) =>
    events.filter(({ __typename }) => __typename === "ChatCompletionSubscriptionError");
  const jobOf = async ({ experimentId }: RunOfDataset) => (await readExperiment(api, experimentId)).job;
  const untilStatus = (id: string, status: string) =>
    until(async () => (await readExperiment(api, id)).job.status === status, 20_000);

  describe("events, experiment and job", () => {
    test("d1: an experiment first, then each run with its span", async () => {
      models.requests.length = 0;
      completed = await run("text");
      const { first, experiment, results, output, job } = expected("d1");
      const { projectNamePattern, ...fields } = experiment;
      expect(completed.errors).toEqual([]);
      expect(completed.events[0]).toMatchObject({ __typename: first, experiment: fields });
      expect(completed.events[0].experiment.project.name).toMatch(new RegExp(projectNamePattern));
      const ended = completed.events.filter(({ __typename }) => __typename === "ChatCompletionSubscriptionResult");
      expect(ended).toHaveLength(results);
      for (const event of ended) {
        expect(event).toMatchObject({ repetitionNumber: 1, span: { name: "ChatCompletion" } });
        expect(event.experimentRun.id).toBeString();
        const own = completed.events.filter(({ datasetExampleId }) => datasetExampleId === event.datasetExampleId);
        expect(own.at(-1)).toBe(event);
        expect(own.map(({ content = "" }) => content).join("")).toBe("Hello world");
      }
      const read = await readExperiment(api, completed.experimentId);
      expect(read.runs.map((each: Any) => each.output)).toEqual([output, output, output]);
      expect(read.job).toMatchObject({
        ...job,
        stopReason: null,
        lastError: null,
        progress: { runs: 3, succeeded: 3, failed: 0, runsLeft: 0, secondsLeft: null },
        spent: { calls: 3, promptTokens: 33, completionTokens: 21 },
        estimate: { examples: 3, runs: 3, calls: 3 },
      });
      expect(read.job.taskConfig).toMatchObject({
        prompt: { templateType: "CHAT", templateFormat: "MUSTACHE", modelProvider: "OPENAI", modelName: "text" },
        connection: { __typename: "OpenAIConnectionConfig", baseUrl: models.openAi },
        customProvider: null,
      });
    });

    test("d3: a path that leads nowhere is the error of each run, without a call", async () => {
      models.requests.length = 0;
      const failed = await run("text", { templateVariablesPath: "input.zzz" });
      const { events, messageContains, requests, job, runs } = expected("d3");
      expect(typesOf(failed)).toEqual(events);
      for (const { message, span, experimentRun } of errorsOf(failed)) {
        expect([message.includes(messageContains), span]).toEqual([true, null]);
        expect(experimentRun.id).toBeString();
      }
      expect(models.requests).toHaveLength(requests);
      const read = await readExperiment(api, failed.experimentId);
      expect([read.job.status, read.job.errors.length]).toEqual([job.status, job.errors]);
      for (const { category, detail } of read.job.errors) {
        expect([category, detail]).toEqual([
          job.category,
          { __typename: "FailureDetail", errorType: "template", workItem: { __typename: "TaskWorkItemId" } },
        ]);
      }
      expect(read.runs).toHaveLength(runs.count);
      for (const each of read.runs) expect(each).toMatchObject({ output: runs.output, traceId: runs.traceId });
    });

    test("d4, d5: appended messages, and variables from the whole example", async () => {
      const refused = await run("text", { appendedMessagesPath: "x" });
      expect(typesOf(refused)).toEqual(expected("d4").events);
      expect(errorsOf(refused)[0].message).toBe(expected("d4").message);
      models.requests.length = 0;
      const appended = await run("text", { appendedMessagesPath: "messages" });
      expect(errorsOf(appended)).toEqual([]);
      const sent = models.requests.map(({ body }) => (body.messages as Any[]).map(({ content }) => content));
      expect(sent.sort()).toEqual([0, 1, 2].map((k) => [`hi v${k}`, `m${k}`, "ok"]));
      const { promptVersion } = datasetChatInput(models, dataset, "echo");
      const text = "{{input.x}}|{{reference.answer}}|{{metadata.k}}";
      const template = { messages: [{ role: "USER", content: [{ text: { text } }] }] };
      const whole = await run("echo", { templateVariablesPath: "", promptVersion: { ...promptVersion, template } });
      expect(whole.events.flatMap(({ content }) => content ?? []).sort()).toEqual(expected("d5").texts);
    });

    test("d7, d9 to d14: what is wrong is said before anything is written", async () => {
      const count = async () => {
        const query = "query Count($id: ID!) { node(id: $id) { ... on Dataset { experimentCount } } }";
        return (await askData<Any>(api, query, { id: dataset })).node.experimentCount;
      };
      const before = await count();
      const evaluator = {
        id: globalId("DatasetEvaluator", 999),
        name: "x",
        inputMapping: { literalMapping: {}, pathMapping: {} },
      };
      const rows: readonly (readonly [id: string, changes: object, error: string])[] = [
        ["d7", { credentials: null, connectionConfig: null }, expected("d7").error],
        ["d9", { datasetId: globalId("Project", 1) }, expected("d9").error],
        ["d10", { datasetVersionId: globalId("DatasetVersion", 999) }, expected("d10").error],
        ["d11", { splitIds: [globalId("DatasetSplit", 9999)] }, expected("d11").error],
        ["d12", { evaluators: [evaluator] }, evaluator.id],
        ["d13", { repetitions: 0 }, "repetitions"],
        ["d14", { maxConcurrency: 0 }, "maxConcurrency"],
        ["metadata that is no object", { experimentMetadata: [1] }, "experimentMetadata"],
        ["a filter that no example has", { filter: "nowhere" }, "No examples found"],
      ];
      for (const [id, changes, error] of rows) {
        const { events, errors } = await run("text", changes);
        expect({ id, events, has: errors.join().includes(error) ? error : errors }).toEqual({
          id,
          events: [],
          has: error,
        });
      }
      expect(await count()).toBe(before);
    });

    test("d15: as many calls at once as asked for", async () => {
      const many = await numberedDataset(api, 12);
      models.mostAtOnce = 0;
      const { maxConcurrentRequests, results } = expected("d15");
      const { promptVersion } = datasetChatInput(models, many, "slow-first-byte-500");
      const given = { connectionConfig: null, credentials: [], promptVersion: { ...promptVersion, customProviderId } };
      const ended = await run("", given, many);
      expect(models.mostAtOnce).toBe(maxConcurrentRequests);
      expect(typesOf(ended).filter((type) => type === "ChatCompletionSubscriptionResult")).toHaveLength(results);
      expect((await jobOf(ended)).taskConfig.customProvider.id).toBe(customProviderId);
    });
  });

  describe("jobs", () => {
    test("j4, j5: five failures in a row end it, and a resume tries again", async () => {
      const seven = await numberedDataset(api, 7);
      const tripped = await run("e401", { maxConcurrency: 1 }, seven);
      const { messageContains, runs, job } = expected("j4");
      expect(typesOf(tripped).slice(1)).toEqual(Array(6).fill("ChatCompletionSubscriptionError"));
      const last = tripped.events.at(-1);
      expect([last.datasetExampleId, last.repetitionNumber, last.message.includes(messageContains)]).toEqual([
        null,
        null,
        true,
      ]);
      const read = await readExperiment(api, tripped.experimentId);
      expect([read.runs.length, read.job.status, read.job.stopReason]).toEqual([
        runs.count,
        job.status,
        "circuit_breaker",
      ]);
      const log = read.job.errors.find(({ category }: Any) => category === job.log.category);
      expect([log.message, log.detail]).toEqual(["Circuit breaker tripped (task): provider_auth", null]);
      expect(JSON.stringify(read)).not.toContain(TEST_KEY);
      const logs = new Set(read.job.errors.map(({ id }: Any) => id));
      expect(await changeJob(api, "resumeExperiment", tripped.experimentId)).toBe(expected("j5").answer);
      await untilStatus(tripped.experimentId, expected("j5").then);
      const again = await readExperiment(api, tripped.experimentId);
      expect(again.job.errors.some(({ id }: Any) => logs.has(id))).toBe(false);
    });

    test("j8 to j12: stopped and resumed, with a pause between both", async () => {
      const seven = await numberedDataset(api, 7);
      models.abandoned.length = 0;
      const response = await startDatasetChat(api, datasetChatInput(models, seven, "slow", { maxConcurrency: 2 }));
      const events: Any[] = [];
      const reading = (async () => {
        for await (const part of readParts(response)) {
          const event = (part as Any).payload?.data?.chatCompletionOverDataset;
          if (event !== undefined) events.push(event);
        }
      })();
      await until(() => events.filter(({ content }) => content === "first ").length === 2);
      const id = events[0].experiment.id;
      expect(await changeJob(api, "stopExperiment", id)).toBe(expected("j8").answer);
      await reading;
      const { runs, job } = await readExperiment(api, id);
      expect(events.slice(1).map(({ __typename }) => __typename)).toEqual(["TextChunk", "TextChunk"]);
      expect([runs, job.status, job.stopReason]).toEqual([[], "STOPPED", "stopped"]);
      await until(() => models.abandoned.length === 2);
      expect(await changeJob(api, "resumeExperiment", id)).toContain(expected("j9").error);
      expect(await changeJob(api, "stopExperiment", id)).toBe(expected("j10").answer);
      await passCooldown(api);
      const resumed = [await changeJob(api, "resumeExperiment", id), await changeJob(api, "resumeExperiment", id)];
      expect(resumed).toEqual(expected("j11").answers);
      const [cooldown, stopped] = expected("j12").answers;
      expect(await changeJob(api, "stopExperiment", id)).toContain(cooldown.error);
      await passCooldown(api);
      expect(await changeJob(api, "stopExperiment", id)).toBe(stopped);
    });

    test("a pause lets the running calls end, and a resume does the others", async () => {
      const four = await numberedDataset(api, 4);
      const response = await startDatasetChat(
        api,
        datasetChatInput(models, four, "slow-first-byte-300", { maxConcurrency: 2 }),
      );
      const parts: Any[] = [];
      models.requests.length = 0;
      const reading = (async () => {
        for await (const part of readParts(response)) parts.push(part);
      })();
      await until(() => models.requests.length === 2);
      const id = parts.find(({ payload }) => payload !== undefined).payload.data.chatCompletionOverDataset.experiment
        .id;
      await changeJob(api, "stopExperiment", id, ", pause: true");
      await reading;
      const paused = await readExperiment(api, id);
      expect([paused.job.status, paused.job.stopReason]).toEqual(["STOPPED", "paused"]);
      expect([paused.job.progress.succeeded, paused.job.progress.runsLeft, models.requests.length]).toEqual([2, 2, 2]);
      await passCooldown(api);
      expect(await changeJob(api, "resumeExperiment", id)).toBe("RUNNING");
      await untilStatus(id, "COMPLETED");
      expect(models.requests).toHaveLength(4);
      expect((await readExperiment(api, id)).runs).toHaveLength(4);
    });

    test("j13, j14, j17: there is no such job", async () => {
      const gone = globalId("Experiment", 9999);
      const made = await send(api.server, `POST /v1/datasets/${dataset}/experiments`, { json: {} });
      const { data } = (await made.json()) as Any;
      for (const mutation of ["stopExperiment", "resumeExperiment"] as const) {
        expect(await changeJob(api, mutation, gone)).toContain(expected("j13").error);
        expect(await changeJob(api, mutation, data.id)).toContain(expected("j14").error);
      }
      expect((await readExperiment(api, data.id)).job).toBeNull();
      expect(await changeJob(api, "stopExperiment", globalId("Project", 1))).toContain(globalId("Project", 1));
      for (const mutation of ["dismissExperiment", "reinstateExperiment"]) {
        const query = `mutation($id: ID!) { ${mutation}(experimentId: $id) { experiment { id } } }`;
        const { errors } = await askGraphql(api, query, { id: gone });
        expect(errors?.[0]?.message).toContain(expected("j13").error);
      }
    });

    test("j15: put aside, and taken back", async () => {
      const flags = [];
      for (const mutation of ["dismissExperiment", "reinstateExperiment"]) {
        const query = `mutation($id: ID!) { changed: ${mutation}(experimentId: $id) { experiment { isEphemeral } } }`;
        flags.push((await askData<Any>(api, query, { id: completed.experimentId })).changed.experiment.isEphemeral);
      }
      expect(flags).toEqual(expected("j15").isEphemeral);
    });

    test("j16: a resume of what is done calls nothing", async () => {
      models.requests.length = 0;
      expect(await changeJob(api, "resumeExperiment", completed.experimentId)).toBe(expected("j16").answer);
      await untilStatus(completed.experimentId, expected("j16").then);
      expect(models.requests).toHaveLength(expected("j16").requests);
    });

    test("an ephemeral one is stopped when its reader leaves, any other goes on", async () => {
      const leave = async (changes: object): Promise<string> => {
        const model = "slow-first-byte-200";
        const response = await startDatasetChat(
          api,
          datasetChatInput(models, dataset, model, { maxConcurrency: 1, ...changes }),
        );
        const parts = readParts(response);
        for await (const part of parts) {
          const event = (part as Any).payload?.data?.chatCompletionOverDataset;
          if (event !== undefined) return event.experiment.id;
        }
        throw new Error("there was no experiment");
      };
      const ephemeral = await leave({ createEphemeralExperiment: true });
      await untilStatus(ephemeral, "STOPPED");
      const stopped = await readExperiment(api, ephemeral);
      expect([stopped.isEphemeral, stopped.job.stopReason]).toEqual([true, "client_left"]);
      const lasting = await leave({});
      await untilStatus(lasting, "COMPLETED");
      expect((await readExperiment(api, lasting)).runs).toHaveLength(3);
    });

    test("limits in tokens and money stop it before the call that could exceed them", async () => {
      const { promptVersion } = datasetChatInput(models, dataset, "text");
      const bounded = { ...promptVersion, invocationParameters: { openai: { maxCompletionTokens: 100 } } };
      const given = { promptVersion: bounded, maxConcurrency: 1 };
      const none = await run("", { ...given, limits: { maxTokens: 0 } });
      const refused = await readExperiment(api, none.experimentId);
      expect([refused.runs, refused.job.status, refused.job.stopReason]).toEqual([[], "STOPPED", "token_limit"]);
      expect(none.events.at(-1).message).toBe(refused.job.stopMessage);
      const most = Number(/may take up to (\d+) tokens/.exec(refused.job.stopMessage)![1]);
      // One fits; what it has really taken leaves too little for another.
      const ended = await run("", { ...given, limits: { maxTokens: most + 10 } });
      const { runs, job } = await readExperiment(api, ended.experimentId);
      expect([runs.length, job.stopReason, job.spent.calls]).toEqual([1, "token_limit", 1]);
      await passCooldown(api);
      expect(await changeJob(api, "resumeExperiment", ended.experimentId, ", limits: {maxTokens: 10000}")).toBe(
        "RUNNING",
      );
      await untilStatus(ended.experimentId, "COMPLETED");
      expect((await readExperiment(api, ended.experimentId)).runs).toHaveLength(3);
      const priceless = await run("", { ...given, limits: { maxCost: 1 } });
      expect(priceless.errors.join()).toContain("has no price");
    });

    test("a model that fails at times is tried again, and said to the reader once", async () => {
      const ended = await run("flaky-2", { maxConcurrency: 1 });
      expect(errorsOf(ended)).toEqual([]);
      expect((await jobOf(ended)).spent.calls).toBe(5);
    });
  });

  describe("evaluators", () => {
    const requests = evaluatorRequests(() => api);
    let judged: string;
    let count = 0;
    beforeAll(async () => {
      judged = await numberedDataset(api, 1);
    });

    const judge = async (model: string, name: string, names = [name]) =>
      requests.createLlm(judged, name, {
        promptVersion: judgeVersion(names, { modelName: model, customProviderId }),
        outputConfigs: names.map((each) => categoricalConfig(each)),
      });
    const callsOf = (...calls: readonly (readonly [name: string, given: object])[]) =>
      `calls-${JSON.stringify(calls.map(([name, given]) => ({ name, arguments: JSON.stringify(given) })))}`;
    const judgedBy = async (id: string) => {
      const evaluators = [{ id, name: `e-${count++}`, inputMapping: { literalMapping: {}, pathMapping: {} } }];
      const ended = await run("text", { evaluators }, judged);
      expect(ended.errors).toEqual([]);
      const chunks = ended.events.filter(({ __typename }) => __typename === "EvaluationChunk");
      return { ended, chunks };
    };

    test("e1: the label, score and explanation of a tool call, with its trace", async () => {
      models.requests.length = 0;
      const id = await judge(callsOf(["judge-e1", { label: "good", explanation: "e" }]), "judge-e1");
      const { ended, chunks } = await judgedBy(id);
      const { annotation, spans, kinds, wire, traceProjectPattern } = expected("e1");
      expect(chunks).toMatchObject([{ evaluatorName: "judge-e1", error: null, experimentRunEvaluation: annotation }]);
      expect(typesOf(ended).indexOf("EvaluationChunk")).toBeGreaterThan(
        typesOf(ended).indexOf("ChatCompletionSubscriptionResult"),
      );
      expect(models.requests.at(-1)!.body.stream ?? false).toBe(wire.stream);
      const { node } = await askData<Any>(
        api,
        `query($id: ID!) { node(id: $id) { ... on DatasetEvaluator { project { name } } } }`,
        { id },
      );
      expect(node.project.name).toMatch(new RegExp(traceProjectPattern));
      const found = chunks[0].trace.spans.edges.map(({ node }: Any) => node);
      const named: string[] = spans.map((name: string) => name.replace("<name>", "judge-e1").replace("<prompt>", ""));
      const kindOf = (name: string) => found.find((each: Any) => each.name.startsWith(name))?.spanKind;
      expect([found.length, named.map(kindOf)]).toEqual([named.length, kinds]);
      const [{ annotations }] = (await readExperiment(api, ended.experimentId)).runs;
      expect(annotations.edges[0].node).toMatchObject({ name: "judge-e1", label: "good", score: 1 });
    });

    const failing: readonly (readonly [id: string, model: (name: string) => string, error: string])[] = [
      ["e2", (name) => callsOf([name, { label: "nope", explanation: "e" }]), "'nope'"],
      ["e3", () => "text", expected("e3").error],
      ["e4", (name) => callsOf([name, { explanation: "e" }]), expected("e4").error],
      ["e6", () => callsOf(["zzz_unknown", { label: "good" }]), ""],
      ["e7", () => "e401", expected("e7").errorContains],
    ];
    test.each(failing)("%s: what is wrong is the error of the evaluation", async (id, model, error) => {
      const { ended, chunks } = await judgedBy(await judge(model(`judge-${id}`), `judge-${id}`));
      expect(chunks).toMatchObject([{ evaluatorName: `judge-${id}`, experimentRunEvaluation: null }]);
      expect(chunks[0].error).toContain(error);
      expect(JSON.stringify(ended)).not.toContain(TEST_KEY);
      const { job } = await readExperiment(api, ended.experimentId);
      expect(job).toMatchObject({ status: "COMPLETED", errors: [{ category: "EVAL" }], progress: { succeeded: 1 } });
    });

    test("e8 to e10: the names of several outputs and of built-in evaluators, and their labels", async () => {
      const both = callsOf(["q1", { label: "good", explanation: "a" }], ["q2", { label: "bad", explanation: "b" }]);
      const { chunks, ended } = await judgedBy(await judge(both, "two", ["q1", "q2"]));
      expect(chunks.map(({ evaluatorName }) => evaluatorName)).toEqual(
        expected("e8").annotationNames.map((name: string) => name.replace("<link>", "two")),
      );
      models.requests.length = 0;
      expect(await changeJob(api, "resumeExperiment", ended.experimentId)).toBe("RUNNING");
      await untilStatus(ended.experimentId, "COMPLETED");
      expect(models.requests).toHaveLength(0);
      const text = { literalMapping: {}, pathMapping: { text: "$.output" } };
      const words = { ...text, literalMapping: { words: "Hello" } };
      const contains = await judgedBy(
        await requests.createBuiltIn(judged, "contains", "has-hello", { inputMapping: words }),
      );
      expect(contains.chunks.map(({ evaluatorName }) => evaluatorName)).toEqual(expected("e9").annotationNames);
      const exact = await requests.createBuiltIn(judged, "exact_match", "exact", {
        inputMapping: { literalMapping: { expected: "a", actual: "b" }, pathMapping: {} },
        outputConfigs: [categoricalConfig("em-a", { yes: 10, no: -1 }), categoricalConfig("em-b", { only: 1 })],
      });
      const found = (await judgedBy(exact)).chunks.map(({ experimentRunEvaluation }) => experimentRunEvaluation);
      expect(found.map(({ label }) => label)).toEqual(expected("e10").labels);
      expect(found.map(({ score }) => score)).toEqual(expected("e10").scores);
    });
  });

  test("j1: a provider that limits its calls is asked four times", async () => {
    const ended = await limited.run;
    const { events, message, requestsPerExample, job, runs, errorRate } = expected("j1");
    expect(typesOf(ended)).toEqual(events);
    expect(errorsOf(ended).map((event) => event.message)).toEqual([message, message]);
    for (const { experimentRun } of errorsOf(ended)) expect(experimentRun.id).toBeString();
    expect(limited.models.requests).toHaveLength(2 * requestsPerExample);
    const read = await readExperiment(api, ended.experimentId);
    expect([read.job.status, read.job.errors.length, read.errorRate]).toEqual([job.status, job.errors, errorRate]);
    for (const { detail } of read.job.errors) {
      expect(detail).toEqual({ __typename: "RetriesExhaustedDetail", ...job.detail.RetriesExhaustedDetail });
    }
    expect(read.runs.map(({ error }: Any) => error)).toEqual(Array(runs.count).fill(runs.error));
  }, 90_000);
});
