// Makes the prompt and the evaluators of a job ready to run: with the keys that a request gave, the stored ones, or those of the server.
import type { PriceList } from "../../../../costs/price-list.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { requireModelCall } from "../../../../providers/model-call-checks.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ModelsService } from "../../../tracing/models/models.service.ts";
import type { ProjectsService } from "../../../tracing/projects/projects.service.ts";
import type { PreparedEvaluator } from "../../evaluators/runs/evaluator-runs.schema.ts";
import type { ModelEndpointsService } from "../../model-providers/model-endpoints.service.ts";
import { customProviderDeleted, noPriceForLimit } from "../experiment-jobs.errors.ts";
import type { JobLimits, JobTask } from "../experiment-jobs.schema.ts";
import { type ReadPrompt, readPrompt } from "../tasks/task-call.rules.ts";
import type { AttachedEvaluator } from "./job-items.schema.ts";

/** Never stored. */
export interface JobKeys {
  readonly credentials: readonly { readonly name: string; readonly value: string }[];
  /** As sent; null for none. */
  readonly headers: unknown;
}

export const noKeys: JobKeys = { credentials: [], headers: null };

export interface PreparedJob {
  readonly prompt: ReadPrompt;
  readonly evaluators: readonly AttachedEvaluator[];
  readonly prices: PriceList;
}

interface PreparationDependencies {
  readonly endpoints: ModelEndpointsService;
  readonly projects: ProjectsService;
  readonly models: ModelsService;
  readonly clock: Clock;
}

export interface JobPreparation {
  /** Throws kind `invalid` or `not_found` that names what is missing or refused: a key, an address, a provider, a parameter, a price. */
  prepare(
    context: CallContext,
    job: { readonly task: JobTask; readonly limits: JobLimits; readonly evaluators: readonly PreparedEvaluator[] },
    keys: JobKeys,
  ): Promise<PreparedJob>;
}

export function createJobPreparation({ endpoints, projects, models, clock }: PreparationDependencies): JobPreparation {
  async function attached(
    context: CallContext,
    prepared: PreparedEvaluator,
    keys: JobKeys,
  ): Promise<AttachedEvaluator> {
    const { definition, projectName } = prepared;
    const project = projectName === null ? null : await projects.findProjectByName(context, projectName);
    const shared = { prepared, projectId: project?.id ?? null };
    if (definition.kind !== "LLM") return { ...shared, endpoint: null };
    const { credentials } = keys;
    const request = { ...definition.model, connection: null, credentials, headers: null };
    return { ...shared, endpoint: (await endpoints.resolveEndpoint(context, request)).endpoint };
  }

  return {
    async prepare(context, { task, limits, evaluators }, keys) {
      const { prompt, connection, customProviderId, usesCustomProvider, streamModelOutput } = task;
      if (usesCustomProvider && customProviderId === null) throw customProviderDeleted();
      const { endpoint } = await endpoints.resolveEndpoint(context, {
        provider: prompt.modelProvider,
        model: prompt.modelName,
        customProviderId,
        connection,
        ...keys,
      });
      const read = readPrompt(prompt, task, endpoint, streamModelOutput);
      requireModelCall(read.unfilled);
      const prices = await models.currentPrices(context);
      const known = prices.findModel(prompt.modelName, endpoint.llmProvider, clock.now());
      if (limits.maxCost !== null && known === null) throw noPriceForLimit(prompt.modelName);
      const all: AttachedEvaluator[] = [];
      for (const evaluator of evaluators) all.push(await attached(context, evaluator, keys));
      return { prompt: read, evaluators: all, prices };
    },
  };
}
