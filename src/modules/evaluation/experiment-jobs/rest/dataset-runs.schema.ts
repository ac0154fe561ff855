// Runs over datasets as REST reads and writes them.
import { type Static, Type } from "@sinclair/typebox";
import { UNITS_PER_USD } from "../../../../costs/price-list.ts";
import { globalId } from "../../../../kernel/ids.ts";
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import { parseStoredJson, stringifyJson } from "../../../../kernel/json.ts";
import { AnyObject, Closed, InstantText, Nullable, Ruled, Words } from "../../../../kernel/schema.ts";
import { formatInstant } from "../../../../kernel/time.ts";
import { modelProviders, templateFormats } from "../../../../model/prompt.ts";
import { EXPERIMENT } from "../../experiments/experiments.schema.ts";
import {
  keptParameters,
  ResponseFormat,
  SentInvocationParameters,
  Template,
  Tools,
} from "../../prompts/prompt-content.schema.ts";
import type { FrozenPrompt } from "../../prompts/prompts.schema.ts";
import { BudgetLeftBody } from "../../spending/budget-bodies.schema.ts";
import {
  answerLengthSources,
  type JobEstimate,
  type JobProgress,
  type ModelEstimate,
} from "../estimates/job-estimate.schema.ts";
import {
  type ExperimentJob,
  type ExperimentLog,
  entryLevels,
  type JobLimits,
  jobStatuses,
  logCategories,
  problemCodes,
  stopReasons,
} from "../experiment-jobs.schema.ts";

const optional = Type.Optional;
const text = (description: string) => optional(Nullable(Type.String(), { description }));

const PromptBody = Closed({
  model_provider: Words(modelProviders, { violation: "enum" }),
  model_name: Type.String(),
  template_format: Words(templateFormats, { violation: "enum" }),
  template: Template,
  invocation_parameters: SentInvocationParameters,
  tools: optional(Nullable(Tools)),
  response_format: optional(Nullable(ResponseFormat)),
});
type PromptBody = Static<typeof PromptBody>;

const ConnectionBody = Closed(
  {
    base_url: optional(Type.String()),
    azure_endpoint: optional(Type.String()),
    region_name: optional(Type.String()),
    endpoint_url: optional(Type.String()),
    openai_api_type: optional(Words(["CHAT_COMPLETIONS", "RESPONSES"])),
    organization: optional(Type.String()),
    project: optional(Type.String()),
  },
  { description: "Where the model is called; members that do not belong to the provider are ignored." },
);

const LimitsBody = Closed(
  {
    max_cost: optional(Nullable(Type.Number({ minimum: 0, maximum: 9000 }), { description: "USD." })),
    max_tokens: optional(Nullable(Type.Integer({ minimum: 0 }), { description: "Of prompts and answers together." })),
  },
  { description: "The run stops before a call that could exceed them." },
);

const keys = {
  credentials: optional(
    Type.Array(Closed({ name: Type.String(), value: Type.String() }), {
      description: "Keys of providers for this start, by the name of their variable. They are never stored.",
    }),
  ),
  headers: optional(
    Nullable(AnyObject(), { description: "Further headers to the provider, for this start. They are never stored." }),
  ),
};

export const DatasetRunBody = Ruled(
  Closed({
    dataset_id: Type.String(),
    dataset_version_id: text("Without it the newest version."),
    split_ids: optional(Type.Array(Type.String(), { description: "Only examples of one of these." })),
    filter: text("Only examples with this text in their input, output or metadata, in any letter case."),
    prompt: optional(PromptBody),
    prompt_version_id: text("The prompt, where `prompt` is left out; else only remembered."),
    custom_provider_id: text("Called instead of the built-in provider of the prompt."),
    connection: optional(Nullable(ConnectionBody)),
    ...keys,
    template_variables_path: optional(
      Nullable(Type.String(), {
        default: "input",
        description: "Dot path into `{input, reference, metadata}` of the example; empty or null for all of it.",
      }),
    ),
    appended_messages_path: text("Dot path into the input: a list of messages that follow the prompt."),
    name: text("Of the experiment."),
    description: text("Of the experiment."),
    metadata: optional(Nullable(AnyObject())),
    repetitions: optional(Type.Integer({ default: 1, minimum: 1, maximum: 100 })),
    max_concurrency: optional(Type.Integer({ default: 10, minimum: 1, maximum: 100 })),
    evaluator_ids: optional(Type.Array(Type.String(), { description: "Evaluators of the dataset, each once." })),
    stream_model_output: optional(Type.Boolean({ default: true })),
    tracing_enabled: optional(Type.Boolean({ default: true, description: "False stores no spans." })),
    ephemeral: optional(Type.Boolean({ default: false, description: "Deleted after a day, unless it is kept." })),
    limits: optional(LimitsBody),
  }),
  ({ prompt, prompt_version_id }) =>
    prompt === undefined && prompt_version_id == null ? "prompt or prompt_version_id must be given" : null,
);
export type DatasetRunBody = Static<typeof DatasetRunBody>;

export const ResumeBody = Closed({
  ...keys,
  retry_failed: optional(Type.Boolean({ default: true, description: "False leaves runs with an error as they are." })),
  limits: optional(Nullable(LimitsBody, { description: "Instead of those so far." })),
});
export const StopBody = Closed({
  mode: optional(
    Words(["cancel", "pause"], {
      default: "cancel",
      description: "`cancel` cancels the running calls, `pause` lets them end.",
    }),
  ),
});

const money = Nullable(Type.Number(), { description: "USD; null where no price is known." });

const LogAnswer = Type.Object({
  occurred_at: InstantText(),
  category: Words(logCategories),
  level: Words(entryLevels),
  message: Type.String(),
  code: Nullable(Words(problemCodes)),
});
const ModelEstimateAnswer = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  calls: Type.Integer(),
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  max_completion_tokens: Type.Integer(),
  cost: money,
  max_cost: money,
});
const EstimateAnswer = Type.Object({
  examples: Type.Integer(),
  runs: Type.Integer(),
  calls: Type.Integer({ description: "Without retries." }),
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  max_completion_tokens: Type.Integer({ description: "By the maximum of each call." }),
  cost: money,
  max_cost: money,
  models: Type.Array(ModelEstimateAnswer),
  sampled_examples: Type.Integer(),
  answer_lengths: Words(answerLengthSources, { description: "What the length of answers is estimated from." }),
  failing_examples: Type.Integer({ description: "Sampled examples for which there is no call." }),
  problem: Nullable(Type.String(), { description: "Why not, for the first of them." }),
});
const DatasetRunAnswer = Type.Object(
  {
    id: Type.String({ description: "Of the experiment." }),
    status: Words(jobStatuses),
    stop_reason: Nullable(Words(stopReasons)),
    stop_message: Nullable(Type.String()),
    pausing: Type.Boolean({ description: "It ends when its running calls do." }),
    max_concurrency: Type.Integer(),
    limits: Type.Object({ max_cost: Nullable(Type.Number()), max_tokens: Nullable(Type.Integer()) }),
    spent: Type.Object({
      calls: Type.Integer(),
      prompt_tokens: Type.Integer(),
      completion_tokens: Type.Integer(),
      cost: Type.Number({ description: "USD, of the calls whose model has a price." }),
      unpriced_calls: Type.Integer(),
    }),
    progress: Type.Object({
      runs: Type.Integer(),
      succeeded: Type.Integer(),
      failed: Type.Integer(),
      left: Type.Integer(),
      evaluations: Type.Integer(),
      evaluated: Type.Integer(),
      evaluations_failed: Type.Integer(),
      seconds_left: Nullable(Type.Number()),
      cost_left: money,
    }),
    estimate: Nullable(EstimateAnswer),
    last_error: Nullable(LogAnswer),
    created_at: InstantText(),
    started_at: InstantText({ description: "The last time." }),
    ended_at: Nullable(InstantText()),
  },
  { $id: "DatasetRun" },
);
type DatasetRunAnswer = Static<typeof DatasetRunAnswer>;
export const OneDatasetRun = Type.Object({ data: DatasetRunAnswer });
export const OneEstimate = Type.Object({
  data: Type.Object({ ...EstimateAnswer.properties, budget_left: BudgetLeftBody }),
});

const usd = (units: number) => units / UNITS_PER_USD;
const usdOrNull = (units: number | null) => (units === null ? null : usd(units));

export function frozenPrompt(prompt: PromptBody): FrozenPrompt {
  const jsonOf = (value: unknown) => stringifyJson(value as Json);
  return {
    modelProvider: prompt.model_provider,
    modelName: prompt.model_name,
    templateType: prompt.template.type === "chat" ? "CHAT" : "STR",
    templateFormat: prompt.template_format,
    template: jsonOf(prompt.template),
    invocationParameters: jsonOf(keptParameters(prompt.invocation_parameters)),
    tools: prompt.tools == null ? null : jsonOf(prompt.tools),
    responseFormat: prompt.response_format == null ? null : jsonOf(prompt.response_format),
  };
}

export function limitsOf(sent: Static<typeof LimitsBody> | null | undefined): JobLimits {
  const maxCost = sent?.max_cost ?? null;
  return {
    maxCost: maxCost === null ? null : Math.round(maxCost * UNITS_PER_USD),
    maxTokens: sent?.max_tokens ?? null,
  };
}

interface ShownJob {
  readonly job: ExperimentJob;
  readonly progress: JobProgress;
  readonly lastError: ExperimentLog | null;
}

export function datasetRunBody({ job, progress, lastError }: ShownJob): DatasetRunAnswer {
  const { spent, limits, estimate } = job;
  return {
    id: globalId(EXPERIMENT, job.id),
    status: job.status,
    stop_reason: job.stopReason,
    stop_message: job.stopMessage,
    pausing: job.isPausing,
    max_concurrency: job.task.maxConcurrency,
    limits: { max_cost: usdOrNull(limits.maxCost), max_tokens: limits.maxTokens },
    spent: {
      calls: spent.calls,
      prompt_tokens: spent.promptTokens,
      completion_tokens: spent.completionTokens,
      cost: usd(spent.cost),
      unpriced_calls: spent.unpricedCalls,
    },
    progress: {
      runs: progress.runs,
      succeeded: progress.succeeded,
      failed: progress.failed,
      left: progress.runsLeft,
      evaluations: progress.evaluations,
      evaluated: progress.evaluated,
      evaluations_failed: progress.evaluationsFailed,
      seconds_left: progress.secondsLeft,
      cost_left: usdOrNull(progress.costLeft),
    },
    estimate: estimate === null ? null : estimateBody(parseStoredJson<JobEstimate>(estimate)),
    last_error: lastError === null ? null : logBody(lastError),
    created_at: formatInstant(job.createdUs),
    started_at: formatInstant(job.startedUs),
    ended_at: job.endedUs === null ? null : formatInstant(job.endedUs),
  };
}

export function estimateBody({ models, ...estimate }: JobEstimate): Static<typeof EstimateAnswer> {
  return {
    examples: estimate.examples,
    runs: estimate.runs,
    ...amountsOf(estimate),
    models: models.map((each) => ({ provider: each.provider, model: each.model, ...amountsOf(each) })),
    sampled_examples: estimate.sampledExamples,
    answer_lengths: estimate.answerLengths,
    failing_examples: estimate.failingExamples,
    problem: estimate.problem,
  };
}

function amountsOf(amounts: Omit<ModelEstimate, "provider" | "model">) {
  return {
    calls: amounts.calls,
    prompt_tokens: amounts.promptTokens,
    completion_tokens: amounts.completionTokens,
    max_completion_tokens: amounts.maxCompletionTokens,
    cost: usdOrNull(amounts.cost),
    max_cost: usdOrNull(amounts.maxCost),
  };
}

function logBody({ occurredUs, category, level, message, detail }: ExperimentLog): Static<typeof LogAnswer> {
  return { occurred_at: formatInstant(occurredUs), category, level, message, code: detail?.code ?? null };
}

/** A JSON object as it was sent. */
export function objectOf(sent: unknown): JsonObject {
  return (sent ?? {}) as JsonObject;
}
