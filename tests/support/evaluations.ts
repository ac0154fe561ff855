// Evaluators ready to run, for tests without a database.
import type { JsonObject } from "../../src/kernel/json.ts";
import type { NewAnnotationConfig } from "../../src/modules/evaluation/annotation-configs/annotation-configs.schema.ts";
import { builtInEvaluators } from "../../src/modules/evaluation/evaluators/built-in/built-in-evaluators.rules.ts";
import type { BuiltInEvaluatorKey } from "../../src/modules/evaluation/evaluators/evaluators.schema.ts";
import type {
  EvaluationRequest,
  LlmDefinition,
  PreparedEvaluator,
} from "../../src/modules/evaluation/evaluators/runs/evaluator-runs.schema.ts";
import { resultNames } from "../../src/modules/evaluation/evaluators/runs/result-names.rules.ts";
import type { Tool } from "../../src/modules/evaluation/prompts/prompt-content.schema.ts";
import { callModel } from "../../src/providers/call-model.ts";
import { providerCalls } from "./provider-calls.ts";

export function categorical(name: string, ...values: (readonly [string, number | null])[]): NewAnnotationConfig {
  return {
    name,
    description: null,
    optimizationDirection: "MAXIMIZE",
    type: "CATEGORICAL",
    values: values.map(([label, score]) => ({ label, score })),
  };
}

/** The tool that an output of an LLM evaluator needs. */
export function outputTool(name: string, labels: readonly string[], description = "Judges"): Tool {
  return {
    type: "function",
    function: {
      name,
      description,
      parameters: {
        type: "object",
        properties: {
          label: { type: "string", enum: [...labels], description: name },
          explanation: { type: "string", description: "Why" },
        },
        required: ["label", "explanation"],
      },
    },
  };
}

export function builtIn(key: BuiltInEvaluatorKey, changes: Partial<PreparedEvaluator> = {}): PreparedEvaluator {
  const outputs = changes.outputs ?? [builtInEvaluators.get(key)!.output];
  const name = changes.name ?? "link";
  return {
    datasetEvaluatorId: null,
    name,
    projectName: null,
    outputs,
    resultNames: resultNames(name, outputs),
    inputMapping: { literalMapping: {}, pathMapping: {} },
    definition: { kind: "BUILTIN", key },
    ...changes,
  };
}

/** One output `quality` with the labels good 1 and bad 0, unless others are given. */
export function judge(
  model: string,
  changes: Partial<PreparedEvaluator> = {},
  definition: Partial<LlmDefinition> = {},
): PreparedEvaluator {
  const outputs = changes.outputs ?? [categorical("quality", ["good", 1], ["bad", 0])];
  const name = changes.name ?? "judge";
  const labels = (output: NewAnnotationConfig) =>
    output.type === "CATEGORICAL" ? output.values.map(({ label }) => label) : [];
  return {
    datasetEvaluatorId: null,
    name,
    projectName: "dataset-evaluator-of-the-test",
    outputs,
    resultNames: resultNames(name, outputs),
    inputMapping: { literalMapping: {}, pathMapping: {} },
    definition: {
      kind: "LLM",
      model: { provider: "OPENAI", model, customProviderId: null },
      promptName: "judge-prompt",
      templateFormat: "MUSTACHE",
      messages: [{ role: "user", content: "Is this good? {{output}}" }],
      tools: {
        type: "tools",
        tools: outputs.map((output) => outputTool(output.name, labels(output))),
        tool_choice: { type: "one_or_more" },
      },
      parameters: { type: "openai", openai: {} },
      ...definition,
    },
    ...changes,
  };
}

const { needs } = providerCalls();

export function evaluationRequest(
  evaluator: PreparedEvaluator,
  context: JsonObject,
  changes: Partial<EvaluationRequest> = {},
): EvaluationRequest {
  return {
    evaluator,
    context,
    endpoint: null,
    callModel: (call, signal) => callModel(call, needs({ signal })),
    metadata: {},
    signal: new AbortController().signal,
    ...changes,
  };
}
