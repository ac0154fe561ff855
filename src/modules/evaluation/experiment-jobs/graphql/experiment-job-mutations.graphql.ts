// Stopping and resuming experiments of the server in GraphQL.

import { UNITS_PER_USD } from "../../../../costs/price-list.ts";
import { argumentRefused } from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { generativeCredentialInput } from "../../model-providers/credential-input.graphql.ts";
import { credentialsOf } from "../../playground/chat-inputs.graphql.ts";
import { EXPERIMENT_JOB, type ExperimentJob, type JobLimits } from "../experiment-jobs.schema.ts";
import type { ExperimentJobsService } from "../experiment-jobs.service.ts";

interface ChangedJob {
  readonly job: ExperimentJob;
}

const payloadOf = (types: GraphqlTypes, name: string) =>
  types.builder.objectRef<ChangedJob>(name).implement({
    fields: (t) => ({ job: t.field({ type: types.ref(EXPERIMENT_JOB), resolve: ({ job }) => job }) }),
  });

const MOST_USD = 9000;

/** What the calls of an experiment may take. */
export const jobLimitsInput = (types: GraphqlTypes) =>
  types.once("ExperimentJobLimitsInput", () =>
    types.builder.inputType("ExperimentJobLimitsInput", {
      description: "The experiment stops before a call that could exceed them.",
      fields: (t) => ({
        maxCost: t.float({ description: "USD." }),
        maxTokens: t.float({ description: "Of prompts and answers together." }),
      }),
    }),
  );

/** Throws kind `invalid` that names the argument. */
export function jobLimitsOf(given: ReturnType<typeof jobLimitsInput>["$inferInput"]): JobLimits {
  const maxCost = given.maxCost ?? null;
  const maxTokens = given.maxTokens ?? null;
  if (maxCost !== null && (maxCost < 0 || maxCost > MOST_USD)) {
    throw argumentRefused("limits.maxCost", `must be from 0 to ${MOST_USD}`);
  }
  if (maxTokens !== null && !(Number.isSafeInteger(maxTokens) && maxTokens >= 0)) {
    throw argumentRefused("limits.maxTokens", "must be a whole number from 0 on");
  }
  return { maxCost: maxCost === null ? null : Math.round(maxCost * UNITS_PER_USD), maxTokens };
}

export function addExperimentJobMutations(types: GraphqlTypes, jobs: ExperimentJobsService): void {
  const Stopped = payloadOf(types, "StopExperimentPayload");
  const Resumed = payloadOf(types, "ResumeExperimentPayload");
  types.builder.mutationFields((t) => ({
    stopExperiment: t.field({
      type: Stopped,
      description: "Its results stay, and it can be resumed. One that does not run stays as it is.",
      may: "experiments.change",
      adds: false,
      args: {
        experimentId: t.arg.id({ required: true }),
        pause: t.arg.boolean({
          defaultValue: false,
          description: "The running calls are not cancelled: it ends when they do.",
        }),
      },
      resolve: async (_root, { experimentId, pause }, call) => ({
        job: await jobs.stopJob(call.context, experimentId, pause === true),
      }),
    }),
    resumeExperiment: t.field({
      type: Resumed,
      description:
        "Runs what is missing, and again what has failed, with the prompt as it was and the evaluators as they are. One that runs stays as it is.",
      may: "model_calls.run",
      adds: false,
      args: {
        experimentId: t.arg.id({ required: true }),
        credentials: t.arg({ type: [generativeCredentialInput(types)] }),
        retryFailed: t.arg.boolean({ defaultValue: true, description: "False leaves runs with an error as they are." }),
        limits: t.arg({ type: jobLimitsInput(types), description: "Instead of those so far." }),
      },
      resolve: async (_root, { experimentId, credentials, retryFailed, limits }, call) => ({
        job: await jobs.resumeJob(call.context, experimentId, {
          credentials: credentialsOf(credentials),
          headers: null,
          retriesFailed: retryFailed !== false,
          limits: limits == null ? null : jobLimitsOf(limits),
        }),
      }),
    }),
  }));
}
