// Runs over datasets over REST: estimated, started, watched, stopped and resumed.
import { liveAnswer } from "../../../../api/live-answer.ts";
import { type Route, type RouteModule, route } from "../../../../api/route.ts";
import { globalId } from "../../../../kernel/ids.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { DATASET } from "../../datasets/datasets.schema.ts";
import { EXPERIMENT } from "../../experiments/experiments.schema.ts";
import { HEARTBEAT, runEvent } from "../../playground/runs/run-events.rules.ts";
import type { PromptVersionsService } from "../../prompts/prompt-versions.service.ts";
import { budgetLeftBody } from "../../spending/budget-bodies.schema.ts";
import type { BudgetsService } from "../../spending/budgets.service.ts";
import type { ExperimentJob } from "../experiment-jobs.schema.ts";
import type { ExperimentJobsService } from "../experiment-jobs.service.ts";
import type { JobEvent } from "../running/job-events.schema.ts";
import { sentJobEvent } from "./dataset-run-events.rules.ts";
import { newJobOf } from "./dataset-run-request.service.ts";
import {
  DatasetRunBody,
  datasetRunBody,
  estimateBody,
  limitsOf,
  OneDatasetRun,
  OneEstimate,
  ResumeBody,
  StopBody,
} from "./dataset-runs.schema.ts";

interface DatasetRunRoutesNeeds {
  readonly jobs: ExperimentJobsService;
  readonly budgets: Pick<BudgetsService, "findLeft">;
  readonly versions: PromptVersionsService;
}

/** Milliseconds between two looks at a run, and for each of them. */
const LOOK_MS = 1000;
const READ_MS = 60_000;

const experiment_id = globalId(EXPERIMENT, 1);
const parameters = { experiment_id };
const RUN_MADE = { experiment_id: "$response.body#/data/id" };
const instant = "2026-03-01T10:00:00+00:00";
const amounts = {
  calls: 2,
  prompt_tokens: 40,
  completion_tokens: 60,
  max_completion_tokens: 1000,
  cost: 0.0007,
  max_cost: 0.0101,
};
const estimate = {
  examples: 2,
  runs: 2,
  ...amounts,
  models: [{ provider: "ollama", model: "llama3.3", ...amounts }],
  sampled_examples: 2,
  answer_lengths: "expected_outputs",
  failing_examples: 0,
  problem: null,
};
const run = {
  id: experiment_id,
  status: "RUNNING",
  stop_reason: null,
  stop_message: null,
  pausing: false,
  max_concurrency: 10,
  limits: { max_cost: null, max_tokens: 100_000 },
  spent: { calls: 1, prompt_tokens: 20, completion_tokens: 30, cost: 0.00035, unpriced_calls: 0 },
  progress: {
    runs: 2,
    succeeded: 1,
    failed: 0,
    left: 1,
    evaluations: 0,
    evaluated: 0,
    evaluations_failed: 0,
    seconds_left: 1.5,
    cost_left: 0.00035,
  },
  estimate,
  last_error: null,
  created_at: instant,
  started_at: instant,
  ended_at: null,
};
const body = {
  dataset_id: globalId(DATASET, 1),
  prompt: {
    model_provider: "OLLAMA",
    model_name: "llama3.3",
    template_format: "MUSTACHE",
    template: { type: "chat", messages: [{ role: "user", content: "Answer the customer: {{question}}" }] },
    invocation_parameters: { type: "ollama", ollama: { temperature: 0, max_tokens: 500 } },
  },
  limits: { max_tokens: 100_000 },
};
const refusals = {
  invalid: "The message names what is wrong: a key, a provider, a parameter, a count, an evaluator, a price.",
  not_found: "The dataset, its version, its examples, the prompt version or the evaluator are not there.",
  rate_limited: "This server runs as many experiments as it may.",
};
const errors = { not_found: "The server runs no such experiment.", invalid: "This is no id." };
const SSE = "text/event-stream";

export function datasetRunRoutes(needs: DatasetRunRoutesNeeds): RouteModule {
  return {
    name: "playground",
    routes: [...startRoutes(needs), ...stateRoutes(needs.jobs), ...changeRoutes(needs.jobs)],
  };
}

function startRoutes({ jobs, versions, budgets }: DatasetRunRoutesNeeds): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/playground/dataset_runs/estimate",
      operationId: "estimateDatasetRun",
      summary: "Estimate a run over a dataset",
      description:
        "Takes the body of a start. Fills the template for the first examples, and answers with tokens and price, and with what is left of the caller's budgets. Nothing is written, no model is called.",
      action: "model_calls.run",
      status: 200,
      confidential: true,
      body: DatasetRunBody,
      response: OneEstimate,
      errors: refusals,
      example: { body, response: { data: { ...estimate, budget_left: { cost: null, tokens: null } } } },
      handler: async ({ context, body: sent }) => {
        const job = await newJobOf(versions, context, sent);
        const [found, left] = await Promise.all([jobs.estimateJob(context, job), budgets.findLeft(context)]);
        return { data: { ...estimateBody(found), budget_left: budgetLeftBody(left) } };
      },
    }),
    route({
      method: "POST",
      path: "/v1/playground/dataset_runs",
      operationId: "startDatasetRun",
      summary: "Run a prompt over a dataset",
      description:
        "Makes an experiment and runs it on the server, also when the client goes away or the server restarts. With `Accept: text/event-stream` the answer is its events, up to its end; an ephemeral run is stopped when their reader leaves.",
      action: "model_calls.run",
      status: 202,
      storageLocked: true,
      confidential: true,
      body: DatasetRunBody,
      response: OneDatasetRun,
      errors: refusals,
      example: { body, response: { data: run } },
      links: {
        getDatasetRun: RUN_MADE,
        watchDatasetRun: RUN_MADE,
        stopDatasetRun: RUN_MADE,
        resumeDatasetRun: RUN_MADE,
      },
      handler: async ({ context, request, body: sent }) => {
        const { job, events } = await jobs.startJob(context, await newJobOf(versions, context, sent));
        const id = globalId(EXPERIMENT, job.id);
        if (!(request.headers.get("accept") ?? "").includes(SSE)) {
          events.release();
          return shownById(jobs, context, id);
        }
        return liveAnswer({
          beginning: runEvent("run", (await shownById(jobs, context, id)).data),
          parts: startedEvents(events, () => shownById(jobs, lasting(context), id)),
          cancel: () => void events.return(),
          ...sseAnswer,
        });
      },
    }),
  ];
}

function stateRoutes(jobs: ExperimentJobsService): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/playground/dataset_runs/{experiment_id}",
      operationId: "getDatasetRun",
      summary: "Get the state of a run over a dataset",
      description: "With its progress, what is left in time and money, what it took so far, and what was estimated.",
      action: "experiments.read",
      status: 200,
      response: OneDatasetRun,
      errors,
      example: { parameters, response: { data: run } },
      handler: ({ context, params }) => shownById(jobs, context, params.experiment_id),
    }),
    route({
      method: "GET",
      path: "/v1/playground/dataset_runs/{experiment_id}/events",
      operationId: "watchDatasetRun",
      summary: "Watch the state of a run over a dataset",
      description:
        "Server-sent events `run` with the state whenever it changes, at any server, and `end` with the last one.",
      action: "experiments.read",
      status: 200,
      rawAnswer: SSE,
      errors,
      example: { parameters },
      handler: async ({ context, params }) => {
        const job = await jobs.getJob(context, params.experiment_id);
        const abort = new AbortController();
        const parts = states(jobs, context, job.id, abort.signal);
        return liveAnswer({ beginning: "", parts, cancel: () => abort.abort(), ...sseAnswer });
      },
    }),
  ];
}

function changeRoutes(jobs: ExperimentJobsService): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/playground/dataset_runs/{experiment_id}/stop",
      operationId: "stopDatasetRun",
      summary: "Stop or pause a run over a dataset",
      description: "Its results stay, and it can be resumed. One that does not run stays as it is.",
      action: "experiments.change",
      status: 200,
      body: StopBody,
      response: OneDatasetRun,
      errors: { ...errors, conflict: "It was resumed less than five seconds ago." },
      example: { parameters, body: { mode: "pause" }, response: { data: { ...run, pausing: true } } },
      handler: async ({ context, params, body: { mode } }) => {
        await jobs.stopJob(context, params.experiment_id, mode === "pause");
        return shownById(jobs, context, params.experiment_id);
      },
    }),
    route({
      method: "POST",
      path: "/v1/playground/dataset_runs/{experiment_id}/resume",
      operationId: "resumeDatasetRun",
      summary: "Resume a run over a dataset",
      description:
        "Runs what is missing, and again what has failed, with the prompt as it was and the evaluators as they are. One that runs stays as it is.",
      action: "model_calls.run",
      status: 200,
      confidential: true,
      body: ResumeBody,
      response: OneDatasetRun,
      errors: { ...refusals, conflict: "It was stopped less than five seconds ago." },
      example: { parameters, body: { retry_failed: true }, response: { data: run } },
      handler: async ({ context, params, body: sent }) => {
        await jobs.resumeJob(context, params.experiment_id, {
          credentials: sent.credentials ?? [],
          headers: sent.headers ?? null,
          retriesFailed: sent.retry_failed ?? true,
          limits: sent.limits == null ? null : limitsOf(sent.limits),
        });
        return shownById(jobs, context, params.experiment_id);
      },
    }),
  ];
}

async function shown(jobs: ExperimentJobsService, context: CallContext, job: ExperimentJob) {
  const [progress, errorsOfJobs] = await Promise.all([
    jobs.findProgress(context, [job.id]),
    jobs.findLastErrors(context, [job.id]),
  ]);
  const found = progress.get(job.id);
  // It was deleted meanwhile.
  if (found === undefined) return null;
  return datasetRunBody({ job, progress: found, lastError: errorsOfJobs.get(job.id) ?? null });
}

async function shownById(jobs: ExperimentJobsService, context: CallContext, id: string) {
  return { data: (await shown(jobs, context, await jobs.getJob(context, id)))! };
}

async function* states(
  jobs: ExperimentJobsService,
  context: CallContext,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let last = "";
  while (!signal.aborted) {
    const fresh = lasting(context);
    const job = (await jobs.findJobs(fresh, [id])).get(id);
    const state = job === undefined ? null : await shown(jobs, fresh, job);
    if (state === null) return;
    const text = runEvent(state.status === "RUNNING" ? "run" : "end", state);
    if (text !== last) yield text;
    last = text;
    if (state.status !== "RUNNING") return;
    await Bun.sleep(LOOK_MS);
  }
}

const sseAnswer = {
  heartbeat: HEARTBEAT,
  end: "",
  headers: { "content-type": SSE },
};

/** For reads of an answer that takes longer than a request may. */
function lasting(context: CallContext): CallContext {
  return { ...context, deadline: performance.now() + READ_MS };
}

async function* startedEvents(
  events: AsyncIterable<JobEvent>,
  last: () => Promise<{ readonly data: object }>,
): AsyncGenerator<string, void, undefined> {
  for await (const event of events) yield sentJobEvent(event);
  yield runEvent("end", (await last()).data);
}
