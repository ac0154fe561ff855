// Experiments that the server runs, for tests: datasets of numbered examples, and jobs over them.
import { openPrincipal } from "../../src/access/principal.ts";
import { experimentJobsFeature } from "../../src/modules/evaluation/experiment-jobs/experiment-jobs.feature.ts";
import type { JobTask } from "../../src/modules/evaluation/experiment-jobs/experiment-jobs.schema.ts";
import type {
  ExperimentJobsService,
  NewJob,
} from "../../src/modules/evaluation/experiment-jobs/experiment-jobs.service.ts";
import type { JobEvent } from "../../src/modules/evaluation/experiment-jobs/running/job-events.schema.ts";
import type { TestApi } from "./api.ts";
import { datasetsOf } from "./datasets.ts";
import { TEST_KEY } from "./model-calls.ts";
import type { ScriptedModels } from "./scripted-models.ts";

let datasets = 0;

/** The global id of a dataset with so many examples: input `{x, messages}`, output `{answer}`, metadata `{k}`. */
export async function numberedDataset(api: TestApi, examples: number): Promise<string> {
  const answers = ["Hello world", "nope", "Hello world"];
  const numbers = Array.from({ length: examples }, (_, number) => number);
  const { dataset_id } = await datasetsOf(() => api).uploaded({
    name: `numbered ${datasets++}`,
    action: "create",
    inputs: numbers.map((k) => ({
      x: `v${k}`,
      messages: [
        { role: "user", content: `m${k}` },
        { role: "assistant", content: "ok" },
      ],
    })),
    outputs: numbers.map((k) => ({ answer: answers[k % answers.length] })),
    metadata: numbers.map((k) => ({ k })),
  });
  return dataset_id;
}

export function jobTask(model: string, models: ScriptedModels, changes: Partial<JobTask> = {}): JobTask {
  return {
    prompt: {
      modelProvider: "OPENAI",
      modelName: model,
      templateType: "CHAT",
      templateFormat: "MUSTACHE",
      template: JSON.stringify({ type: "chat", messages: [{ role: "user", content: "hi {{x}}" }] }),
      invocationParameters: JSON.stringify({ type: "openai", openai: {} }),
      tools: null,
      responseFormat: null,
    },
    promptVersionId: null,
    customProviderId: null,
    usesCustomProvider: false,
    connection: { baseUrl: models.openAi, openaiApiType: "CHAT_COMPLETIONS" },
    templateVariablesPath: "input",
    appendedMessagesPath: null,
    streamModelOutput: true,
    tracingEnabled: true,
    maxConcurrency: 10,
    ...changes,
  };
}

export function newJob(datasetId: string, task: JobTask, changes: Partial<NewJob> = {}): NewJob {
  return {
    task,
    limits: { maxCost: null, maxTokens: null },
    datasetId,
    datasetVersionId: null,
    splitIds: [],
    filter: null,
    promptName: null,
    experimentName: null,
    experimentDescription: null,
    experimentMetadata: {},
    repetitions: 1,
    evaluatorIds: [],
    isEphemeral: false,
    credentials: [{ name: "OPENAI_API_KEY", value: TEST_KEY }],
    headers: null,
    ...changes,
  };
}

export const jobsOf = (api: TestApi): ExperimentJobsService => api.features.use(experimentJobsFeature).jobs;

export const openContext = (api: TestApi) => ({ ...api.context(), principal: openPrincipal });

/** Runs a job to the end of its events. */
export async function runJob(api: TestApi, job: NewJob) {
  const { experiment, events } = await jobsOf(api).startJob(openContext(api), job);
  const seen: JobEvent[] = [];
  for await (const event of events) seen.push(event);
  return { experiment, events: seen };
}
