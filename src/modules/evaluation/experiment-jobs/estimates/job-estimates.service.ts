// Estimates a job before its start: fills templates for a sample of the examples, and prices what their calls may take.
import type { Clock } from "../../../../kernel/clock.ts";
import { Failure } from "../../../../kernel/failure.ts";
import { type JsonObject, parseJson } from "../../../../kernel/json.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { LivingExample } from "../../datasets/datasets.schema.ts";
import type { DatasetsService } from "../../datasets/datasets.service.ts";
import type { AttachedEvaluator } from "../running/job-items.schema.ts";
import type { PreparedJob } from "../running/job-preparation.service.ts";
import type { TaskExample } from "../tasks/example-values.rules.ts";
import type { FoundExamples } from "../tasks/job-datasets.service.ts";
import type { JobCountsStore } from "./job-counts.store.ts";
import { type CallTokens, callTokens, evaluationTokens, expectedTokens, modelEstimate } from "./job-estimate.rules.ts";
import type { JobEstimate, ModelEstimate } from "./job-estimate.schema.ts";

interface EstimatesDependencies {
  readonly datasets: DatasetsService;
  readonly counts: JobCountsStore;
  readonly clock: Clock;
}

export interface JobEstimates {
  estimate(
    context: CallContext,
    found: FoundExamples,
    prepared: PreparedJob,
    repetitions: number,
  ): Promise<JobEstimate>;
}

/** Examples whose templates are filled. */
const SAMPLE = 200;

export function createJobEstimates({ datasets, counts, clock }: EstimatesDependencies): JobEstimates {
  async function sampleOf(
    context: CallContext,
    { dataset, version, ...chosen }: FoundExamples,
  ): Promise<TaskExample[]> {
    const at = { datasetId: dataset.id, versionId: version.id };
    for await (const part of datasets.walkExamples(context, at, filterOf(chosen))) {
      return part.slice(0, SAMPLE).map(taskExample);
    }
    return [];
  }

  return {
    async estimate(context, found, { prompt, evaluators, prices }, repetitions) {
      const { dataset, version } = found;
      const counted = await datasets.countExamples(context, [dataset.id], {
        versionId: version.id,
        ...filterOf(found),
      });
      const examples = counted.get(dataset.id) ?? 0;
      const sample = await sampleOf(context, found);
      const { model, endpoint } = prompt.unfilled;
      const earlier = await counts.findAnswerLengths(context, dataset.id, model);
      const earlierTokens = earlier.calls === 0 ? null : Math.ceil(earlier.completionTokens / earlier.calls);
      const tasks: CallTokens[] = [];
      let problem: string | null = null;
      let hasExpected = false;
      for (const example of sample) {
        try {
          const expected = expectedTokens(example);
          hasExpected ||= expected !== null;
          tasks.push(callTokens(prompt.callFor(example), earlierTokens ?? expected));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          problem ??= error.message;
        }
      }
      const runs = examples * repetitions;
      const callsOf = (part: readonly unknown[]) =>
        sample.length === 0 ? 0 : Math.round((runs * part.length) / sample.length);
      const nowUs = clock.now();
      const models = [
        modelEstimate({ provider: endpoint.llmProvider, model, calls: callsOf(tasks), sample: tasks }, prices, nowUs),
        ...evaluators.flatMap((evaluator) => {
          const tokens = tokensOf(evaluator, sample);
          const name = modelOf(evaluator);
          return name === null
            ? []
            : [modelEstimate({ ...name, calls: callsOf(tokens), sample: tokens }, prices, nowUs)];
        }),
      ];
      return {
        examples,
        runs,
        ...sumsOf(models),
        models,
        sampledExamples: sample.length,
        answerLengths: earlierTokens !== null ? "earlier_runs" : hasExpected ? "expected_outputs" : "maximum",
        failingExamples: sample.length - tasks.length,
        problem,
      };
    },
  };
}

function filterOf({ splitIds, exampleIds }: Pick<FoundExamples, "splitIds" | "exampleIds">) {
  return {
    ...(splitIds.length === 0 ? {} : { splits: splitIds }),
    ...(exampleIds === null ? {} : { ids: exampleIds }),
  };
}

function tokensOf({ prepared, endpoint }: AttachedEvaluator, sample: readonly TaskExample[]): CallTokens[] {
  return sample.flatMap((example) => evaluationTokens(prepared, endpoint, example) ?? []);
}

function modelOf({ prepared, endpoint }: AttachedEvaluator) {
  const { definition } = prepared;
  if (definition.kind !== "LLM" || endpoint === null) return null;
  return { provider: endpoint.llmProvider, model: definition.model.model };
}

function sumsOf(models: readonly ModelEstimate[]) {
  const sum = (amountOf: (model: ModelEstimate) => number) => models.reduce((total, each) => total + amountOf(each), 0);
  const money = (amountOf: (model: ModelEstimate) => number | null) => {
    const known = models.map(amountOf).filter((amount) => amount !== null);
    return known.length === 0
      ? null
      : Math.min(
          known.reduce((total, amount) => total + amount, 0),
          Number.MAX_SAFE_INTEGER,
        );
  };
  return {
    calls: sum(({ calls }) => calls),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    maxCompletionTokens: sum(({ maxCompletionTokens }) => maxCompletionTokens),
    cost: money(({ cost }) => cost),
    maxCost: money(({ maxCost }) => maxCost),
  };
}

function taskExample({ exampleId, input, output, metadata }: LivingExample): TaskExample {
  return { id: exampleId, input: objectOf(input), output: objectOf(output), metadata: objectOf(metadata) };
}

function objectOf(text: string): JsonObject {
  return parseJson(text) as JsonObject;
}
