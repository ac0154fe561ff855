// Running an evaluator on one item: what is passed in, and what it answers. Experiment jobs, and everything else that runs evaluators,
// use these shapes.
import type { JsonObject } from "../../../../kernel/json.ts";
import type { AnnotatorKind } from "../../../../model/annotation.ts";
import type { ModelProvider, TemplateFormat } from "../../../../model/prompt.ts";
import type { IncomingSpan } from "../../../../model/span.ts";
import type { ModelCall, ModelEndpoint } from "../../../../providers/model-call.ts";
import type { ModelAttempt, ModelEvent, ModelFailure } from "../../../../providers/model-event.ts";
import type { NewAnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";
import type { InvocationParameters, PromptMessage, Tools } from "../../prompts/prompt-content.schema.ts";
import type { BuiltInEvaluatorKey, InputMapping } from "../evaluators.schema.ts";

/** What an evaluator judges: an object whose members the input mapping reads. Experiments pass `input`, `reference` (the expected
 *  output), `output` (of the run) and `metadata` (of the example). */
export type EvaluationContext = JsonObject;

/** The model of an evaluator: what an endpoint is resolved for. */
interface EvaluatorModel {
  readonly provider: ModelProvider;
  readonly model: string;
  /** Row id; null for the built-in provider. */
  readonly customProviderId: number | null;
}

export interface BuiltInDefinition {
  readonly kind: "BUILTIN";
  readonly key: BuiltInEvaluatorKey;
}

export interface LlmDefinition {
  readonly kind: "LLM";
  readonly model: EvaluatorModel;
  readonly promptName: string;
  readonly templateFormat: TemplateFormat;
  readonly messages: readonly PromptMessage[];
  readonly tools: Tools;
  readonly parameters: InvocationParameters;
}

/** An evaluator as it was when it was prepared: a job prepares its evaluators once, so that every item is judged alike. */
export interface PreparedEvaluator {
  /** Row id of the dataset evaluator; null if the evaluator is not stored, as in previews. */
  readonly datasetEvaluatorId: number | null;
  /** Name of the dataset evaluator. */
  readonly name: string;
  /** The project of its spans; null if none are made. */
  readonly projectName: string | null;
  /** At least one. */
  readonly outputs: readonly NewAnnotationConfig[];
  /** Names of the results, one an output in the same order. */
  readonly resultNames: readonly string[];
  readonly inputMapping: InputMapping;
  readonly definition: BuiltInDefinition | LlmDefinition;
}

export interface EvaluationRequest {
  readonly evaluator: PreparedEvaluator;
  readonly context: EvaluationContext;
  /** Of the evaluator's model; null for built-in evaluators, which call none. */
  readonly endpoint: ModelEndpoint | null;
  /** Calls the model: the caller decides about limits, repetitions and whose budget pays. */
  readonly callModel: (call: ModelCall, signal: AbortSignal) => AsyncIterable<ModelEvent>;
  /** Added to the root span as `metadata`, such as ids of the experiment and the example. */
  readonly metadata: JsonObject;
  /** Aborted, the call is cancelled: every result is an error, and the spans show how far it got. */
  readonly signal: AbortSignal;
}

/** What one output says of the item, or why it says nothing. */
export interface EvaluationResult {
  readonly name: string;
  readonly annotatorKind: AnnotatorKind;
  /** Null, as `score`, if `error` is not null. */
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** At most 2 kB, without secrets. */
  readonly error: string | null;
  /** The inputs of a built-in evaluator. */
  readonly metadata: JsonObject;
}

export interface Evaluation {
  /** One an output, in their order. */
  readonly results: readonly EvaluationResult[];
  /** Id of the trace; null if the evaluator has no project. */
  readonly traceKey: string | null;
  /** The root and its steps, ready to be stored; empty if the evaluator has no project. */
  readonly spans: readonly IncomingSpan[];
  /** Every request to the model, with its tokens. */
  readonly attempts: readonly ModelAttempt[];
  /** Why the call of the model failed; null for every other error. `isTransient` says whether a repetition may help. */
  readonly failure: ModelFailure | null;
  /** Microseconds UTC. */
  readonly startUs: number;
  readonly endUs: number;
}
