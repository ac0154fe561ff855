// Tries evaluators on contexts that a person chose. Nothing is stored but what the calls cost.
import { Failure } from "../../../../kernel/failure.ts";
import { evaluationLimits } from "../../../../providers/call-limits.ts";
import type { ModelEndpoint } from "../../../../providers/model-call.ts";
import { playgroundRetries } from "../../../../providers/retries.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RecordedCalls } from "../../model-calls/model-calls.schema.ts";
import type { ModelEndpointsService } from "../../model-providers/model-endpoints.service.ts";
import { spenderOf } from "../../spending/spending.schema.ts";
import { MAX_PREVIEWS, previewCountRefused, previewTimedOut } from "../evaluators.errors.ts";
import type {
  EvaluationContext,
  EvaluationRequest,
  EvaluationResult,
  PreparedEvaluator,
} from "./evaluator-runs.schema.ts";
import { type EvaluatorRunsService, failedResults } from "./evaluator-runs.service.ts";

interface PreviewDependencies {
  readonly runs: EvaluatorRunsService;
  readonly endpoints: Pick<ModelEndpointsService, "resolveEndpoint">;
  readonly calls: Pick<RecordedCalls, "run">;
}

export interface EvaluatorPreview {
  readonly evaluator: PreparedEvaluator;
  readonly context: EvaluationContext;
}

/** Keys for this request only, by variable name. */
type Credentials = readonly { readonly name: string; readonly value: string }[];

export interface PreviewedResult extends EvaluationResult {
  /** Microseconds UTC. */
  readonly startUs: number;
  readonly endUs: number;
}

export interface EvaluatorPreviewsService {
  /** The results in the order of the previews, one an output; each preview has a minute. What goes wrong with one, also that its model
   *  cannot be called, is the error of its results. Throws kind `invalid` without any, and for more than MAX_PREVIEWS. */
  preview(
    context: CallContext,
    previews: readonly EvaluatorPreview[],
    credentials: Credentials,
  ): Promise<PreviewedResult[]>;
}

const PREVIEW_SECONDS = 60;
/** Together they end before a connection without an answer is closed. */
const AT_ONCE = 5;

export function createEvaluatorPreviews({ runs, endpoints, calls }: PreviewDependencies): EvaluatorPreviewsService {
  async function endpointOf(
    context: CallContext,
    { definition }: PreparedEvaluator,
    credentials: Credentials,
  ): Promise<ModelEndpoint | null> {
    if (definition.kind === "BUILTIN") return null;
    const request = { ...definition.model, connection: null, credentials, headers: null };
    return (await endpoints.resolveEndpoint(context, request)).endpoint;
  }

  async function previewOne(
    context: CallContext,
    { evaluator, context: judged }: EvaluatorPreview,
    credentials: Credentials,
  ): Promise<PreviewedResult[]> {
    const expired = AbortSignal.timeout(PREVIEW_SECONDS * 1000);
    const signal = context.signal === null ? expired : AbortSignal.any([expired, context.signal]);
    const callModel: EvaluationRequest["callModel"] = (call, callSignal) =>
      calls.run({
        call,
        retries: playgroundRetries,
        limits: evaluationLimits,
        heedsRateLimits: false,
        spender: spenderOf(context.principal),
        purpose: "evaluation",
        projectId: null,
        place: null,
        metadata: {},
        signal: callSignal,
      });
    const endpoint = await endpointOf(context, evaluator, credentials);
    const request = { evaluator, context: judged, endpoint, callModel, metadata: {}, signal };
    const { results, startUs, endUs } = await runs.runEvaluator(request);
    const shown = expired.aborted ? failedResults(evaluator, previewTimedOut(PREVIEW_SECONDS)) : results;
    return shown.map((result) => ({ ...result, startUs, endUs }));
  }

  return {
    async preview(context, previews, credentials) {
      if (previews.length === 0 || previews.length > MAX_PREVIEWS) throw previewCountRefused(previews.length);
      const results: PreviewedResult[][] = [];
      const waiting = [...previews.entries()];
      const work = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [position, preview] = next;
          results[position] = await previewOne(context, preview, credentials).catch((error: unknown) => {
            if (!(error instanceof Failure) || error.kind === "internal") throw error;
            return failedResults(preview.evaluator, error.message).map((result) => ({
              ...result,
              startUs: 0,
              endUs: 0,
            }));
          });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return results.flat();
    },
  };
}
