// Adds up what the calls of a job may take.
import type { PriceList } from "../../../../costs/price-list.ts";
import { Failure } from "../../../../kernel/failure.ts";
import { type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import type { ModelCall, ModelEndpoint } from "../../../../providers/model-call.ts";
import { estimateTextTokens, estimateTokens } from "../../../../providers/token-estimates.ts";
import { evaluatorMessages, promptInputSchema } from "../../evaluators/llm/evaluator-prompt.rules.ts";
import { mapInputs } from "../../evaluators/mapping/input-mapping.rules.ts";
import { castInputs } from "../../evaluators/mapping/input-schema.rules.ts";
import type { PreparedEvaluator } from "../../evaluators/runs/evaluator-runs.schema.ts";
import { costOfTokens } from "../../spending/call-cost.rules.ts";
import type { TaskExample } from "../tasks/example-values.rules.ts";
import type { ModelEstimate } from "./job-estimate.schema.ts";

/** What one call may take: `prompt` and `most` as limits count them, `likely` is the length of its answer. */
export interface CallTokens {
  readonly prompt: number;
  readonly likely: number;
  readonly most: number;
}

/** Limits count on three bytes a token, most texts have four. */
const LIKELY_SHARE = 3 / 4;
/** Of a label with its explanation. */
const JUDGEMENT_TOKENS = 150;

/** `likely` null where nothing is known of the answer: then it is the maximum. Throws kind `invalid`. */
export function callTokens(call: ModelCall, likely: number | null): CallTokens {
  const { prompt, completion } = estimateTokens(call);
  return {
    prompt: Math.ceil(prompt * LIKELY_SHARE),
    likely: likely === null ? completion : Math.min(completion, likely),
    most: completion,
  };
}

/** Null for an example that does not say what is expected. */
export function expectedTokens({ output }: TaskExample): number | null {
  return Object.keys(output).length === 0 ? null : Math.ceil(estimateTextTokens(expectedText(output)) * LIKELY_SHARE);
}

/** The call of an evaluator for an example, as if the model gave what is expected. Null where the evaluator cannot be asked about it. */
export function evaluationTokens(
  { definition, inputMapping }: PreparedEvaluator,
  endpoint: ModelEndpoint | null,
  { input, output, metadata }: TaskExample,
): CallTokens | null {
  if (definition.kind !== "LLM" || endpoint === null) return null;
  const { messages, templateFormat, tools, parameters, model } = definition;
  const answer: JsonObject = {
    messages: [{ role: "assistant", content: expectedText(output) }],
    available_tools: [],
  };
  try {
    const schema = promptInputSchema(messages, templateFormat);
    const context = { input, reference: output, output: answer, metadata };
    const inputs = castInputs(schema, mapInputs(inputMapping, Object.keys(schema.properties), context));
    const { type: _, ...callTools } = tools;
    const call: ModelCall = {
      endpoint,
      model: model.model,
      messages: evaluatorMessages(messages, templateFormat, inputs),
      tools: callTools as ModelCall["tools"],
      responseFormat: null,
      parameters: parameters as ModelCall["parameters"],
      streaming: false,
    };
    return callTokens(call, JUDGEMENT_TOKENS);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

interface EstimatedModel {
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  /** Of some of the calls: the others are taken to be alike. */
  readonly sample: readonly CallTokens[];
}

export function modelEstimate(
  { provider, model, calls, sample }: EstimatedModel,
  prices: PriceList,
  nowUs: number,
): ModelEstimate {
  const mean = (amountOf: (tokens: CallTokens) => number) =>
    sample.length === 0 ? 0 : sample.reduce((sum, tokens) => sum + amountOf(tokens), 0) / sample.length;
  const [prompt, likely, most] = [mean((each) => each.prompt), mean((each) => each.likely), mean((each) => each.most)];
  const costOf = (promptTokens: number, completion: number) => {
    const tokens = { prompt: Math.ceil(promptTokens), completion: Math.ceil(completion) };
    const cost = costOfTokens(prices, { model, provider }, tokens, nowUs);
    return cost === null ? null : Math.min(cost * calls, Number.MAX_SAFE_INTEGER);
  };
  return {
    provider,
    model,
    calls,
    promptTokens: Math.ceil(prompt * calls),
    completionTokens: Math.ceil(likely * calls),
    maxCompletionTokens: Math.ceil(most * calls),
    cost: costOf(prompt, likely),
    maxCost: costOf(prompt / LIKELY_SHARE, most),
  };
}

function expectedText(output: JsonObject): string {
  const values = Object.values(output);
  return values.length === 1 && typeof values[0] === "string" ? values[0] : stringifyJson(output);
}
