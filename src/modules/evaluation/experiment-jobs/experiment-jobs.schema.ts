// Experiments that the server runs itself: a prompt over the examples of a dataset, as a job that survives its server.
import type { TypeWord } from "../../../kernel/ids.ts";
import type { ConnectionOptions } from "../../../providers/endpoints.ts";
import type { FrozenPrompt } from "../prompts/prompts.schema.ts";

export const jobStatuses = ["RUNNING", "COMPLETED", "STOPPED", "ERROR"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Why a job that is not completed does not run. */
export const stopReasons = [
  /** A user stopped it: running calls were cancelled. */
  "stopped",
  /** A user paused it: running calls were finished. */
  "paused",
  "cost_limit",
  "token_limit",
  /** A budget is used up, or a call does not fit into it. */
  "budget",
  "storage_locked",
  /** The keys came with the request, and the server that held them has ended. */
  "credentials_needed",
  /** It could not be started again: a key, a provider or an evaluator is missing. */
  "start_failed",
  "circuit_breaker",
  /** Of an ephemeral experiment, whose caller went away. */
  "client_left",
] as const;
export type StopReason = (typeof stopReasons)[number];

/** What a job does, fixed when it is made. */
export interface JobTask {
  /** As it was when the job was made. */
  readonly prompt: FrozenPrompt;
  /** Row id of the version that the prompt was taken from; null without one, and once it is deleted. */
  readonly promptVersionId: number | null;
  /** Row id; null for a built-in provider, and once the custom one is deleted. */
  readonly customProviderId: number | null;
  readonly usesCustomProvider: boolean;
  readonly connection: ConnectionOptions | null;
  /** Dot path into `{input, reference, metadata}`; empty for all of it. */
  readonly templateVariablesPath: string;
  /** Dot path into the input of the example; null for none. */
  readonly appendedMessagesPath: string | null;
  readonly streamModelOutput: boolean;
  /** False stores no spans. */
  readonly tracingEnabled: boolean;
  /** Calls at once, of tasks and evaluations together. */
  readonly maxConcurrency: number;
}

/** What all calls of a job may take together; null for no limit. */
export interface JobLimits {
  /** 10^-12 USD. */
  readonly maxCost: number | null;
  /** Of prompts and answers. */
  readonly maxTokens: number | null;
}

/** What the calls of a job took so far, retried and failed ones too. */
export interface JobSpending {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** 10^-12 USD, of the calls whose model has a price. */
  readonly cost: number;
  readonly unpricedCalls: number;
}

export const noSpending: JobSpending = { calls: 0, promptTokens: 0, completionTokens: 0, cost: 0, unpricedCalls: 0 };

export function addedSpending(one: JobSpending, other: JobSpending): JobSpending {
  return {
    calls: one.calls + other.calls,
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    cost: one.cost + other.cost,
    unpricedCalls: one.unpricedCalls + other.unpricedCalls,
  };
}

/** Instants are microseconds UTC. */
export interface ExperimentJob {
  /** Row id of the experiment, which has one job at most. */
  readonly id: number;
  readonly status: JobStatus;
  readonly stopReason: StopReason | null;
  /** More about the reason, for people; without secrets. */
  readonly stopMessage: string | null;
  readonly task: JobTask;
  readonly limits: JobLimits;
  readonly spent: JobSpending;
  /** What was estimated before the start, as JSON text of `JobEstimate`; null where it was not. */
  readonly estimate: string | null;
  /** Keys or headers came with the request, which are not stored. */
  readonly needsCredentials: boolean;
  /** A pause waits for the running calls. */
  readonly isPausing: boolean;
  /** False where only what is missing is run, and runs with an error stay. */
  readonly retriesFailed: boolean;
  /** The account whose budgets apply; null while authentication is off. */
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  readonly createdUs: number;
  /** Of the last start, and how many runs had succeeded then. */
  readonly startedUs: number;
  readonly doneBefore: number;
  readonly endedUs: number | null;
  /** Of the last stop or resume; null before the first. */
  readonly toggledUs: number | null;
}

export const EXPERIMENT_JOB: TypeWord<ExperimentJob> = "ExperimentJob";
export const EXPERIMENT_LOG: TypeWord<ExperimentLog> = "ExperimentLog";

/** A server's right to run a job. `number` counts up with every claim: what an earlier one writes is refused. */
export interface JobClaim {
  readonly jobId: number;
  readonly number: number;
}

export const logCategories = ["TASK", "EVAL", "EXPERIMENT"] as const;
export type LogCategory = (typeof logCategories)[number];
export const entryLevels = ["ERROR", "WARN", "INFO"] as const;
export type EntryLevel = (typeof entryLevels)[number];

/** What went wrong, in one word for programs. */
export const problemCodes = [
  "provider_auth",
  "rate_limit",
  "timeout",
  "provider_unreachable",
  "provider_error",
  "template",
  "evaluator",
  "credentials_needed",
  "start_failed",
  "circuit_breaker",
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** What a log entry is about: a task, an evaluation, or neither. */
export interface LogDetail {
  readonly code: ProblemCode;
  /** Retries that were used up; null where the failure was not retried. */
  readonly retries: number | null;
  /** Row ids. */
  readonly exampleId: number | null;
  readonly repetition: number | null;
  readonly runId: number | null;
  readonly datasetEvaluatorId: number | null;
}

export interface ExperimentLog {
  readonly id: number;
  readonly jobId: number;
  readonly occurredUs: number;
  readonly category: LogCategory;
  readonly level: EntryLevel;
  readonly message: string;
  readonly detail: LogDetail | null;
}

export type NewLog = Omit<ExperimentLog, "id">;
