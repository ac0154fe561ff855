// Amounts of experiments of the server in GraphQL: limits, what was spent, what is left, and what was estimated. Money is USD.
import { UNITS_PER_USD } from "../../../../costs/price-list.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { JobEstimate, JobProgress, ModelEstimate } from "../estimates/job-estimate.schema.ts";
import { answerLengthSources } from "../estimates/job-estimate.schema.ts";
import type { JobLimits, JobSpending } from "../experiment-jobs.schema.ts";

const usd = (units: number | null) => (units === null ? null : units / UNITS_PER_USD);

export function jobAmountTypes({ builder }: GraphqlTypes) {
  const Limits = builder.objectRef<JobLimits>("ExperimentJobLimits").implement({
    fields: (t) => ({
      maxCost: t.float({ nullable: true, resolve: ({ maxCost }) => usd(maxCost) }),
      maxTokens: t.float({ nullable: true, resolve: ({ maxTokens }) => maxTokens }),
    }),
  });
  const Spent = builder.objectRef<JobSpending>("ExperimentJobSpending").implement({
    description: "By all its calls, retried and failed ones too.",
    fields: (t) => ({
      calls: t.exposeInt("calls"),
      promptTokens: t.exposeFloat("promptTokens"),
      completionTokens: t.exposeFloat("completionTokens"),
      cost: t.float({
        description: "Of the calls whose model has a price.",
        resolve: ({ cost }) => cost / UNITS_PER_USD,
      }),
      unpricedCalls: t.exposeInt("unpricedCalls"),
    }),
  });
  const Progress = builder.objectRef<JobProgress>("ExperimentJobProgress").implement({
    fields: (t) => ({
      runs: t.exposeInt("runs"),
      succeeded: t.exposeInt("succeeded"),
      failed: t.exposeInt("failed"),
      runsLeft: t.exposeInt("runsLeft"),
      evaluations: t.exposeInt("evaluations"),
      evaluated: t.exposeInt("evaluated"),
      evaluationsFailed: t.exposeInt("evaluationsFailed"),
      secondsLeft: t.exposeFloat("secondsLeft", {
        nullable: true,
        description: "Null before the first result, and when it does not run.",
      }),
      costLeft: t.float({ nullable: true, resolve: ({ costLeft }) => usd(costLeft) }),
    }),
  });
  const Model = builder.objectRef<ModelEstimate>("ExperimentModelEstimate").implement({
    fields: (t) => ({
      provider: t.exposeString("provider"),
      model: t.exposeString("model"),
      calls: t.exposeInt("calls"),
      promptTokens: t.exposeFloat("promptTokens"),
      completionTokens: t.exposeFloat("completionTokens"),
      maxCompletionTokens: t.exposeFloat("maxCompletionTokens"),
      cost: t.float({ nullable: true, resolve: ({ cost }) => usd(cost) }),
      maxCost: t.float({ nullable: true, resolve: ({ maxCost }) => usd(maxCost) }),
    }),
  });
  const Source = builder.enumType("ExperimentAnswerLengths", { values: answerLengthSources });
  const Estimate = builder.objectRef<JobEstimate>("ExperimentJobEstimate").implement({
    fields: (t) => ({
      examples: t.exposeInt("examples"),
      runs: t.exposeInt("runs"),
      calls: t.exposeInt("calls", { description: "Without retries." }),
      promptTokens: t.exposeFloat("promptTokens"),
      completionTokens: t.exposeFloat("completionTokens"),
      maxCompletionTokens: t.exposeFloat("maxCompletionTokens", { description: "By the maximum of each call." }),
      cost: t.float({ nullable: true, resolve: ({ cost }) => usd(cost) }),
      maxCost: t.float({ nullable: true, resolve: ({ maxCost }) => usd(maxCost) }),
      models: t.field({ type: [Model], resolve: ({ models }) => [...models] }),
      sampledExamples: t.exposeInt("sampledExamples", { description: "Whose templates were filled for it." }),
      answerLengths: t.field({
        type: Source,
        description: "Whence the length of answers is known.",
        resolve: ({ answerLengths }) => answerLengths,
      }),
      failingExamples: t.exposeInt("failingExamples", { description: "Sampled examples for which there is no call." }),
      problem: t.exposeString("problem", { nullable: true, description: "Why not, for the first of them." }),
    }),
  });
  return { Limits, Spent, Progress, Estimate };
}
