// Inputs of evaluators for tests of GraphQL.

export type Labels = Readonly<Record<string, number | null>>;

export const goodOrBad: Labels = { good: 1, bad: 0 };

export function categoricalConfig(name: string, labels: Labels = goodOrBad) {
  const values = Object.entries(labels).map(([label, score]) => ({ label, score }));
  return { categorical: { name, optimizationDirection: "MAXIMIZE", values } };
}

/** The tool of an output of that name. */
export function judgeTool(name: string, labels: Labels = goodOrBad, description?: string) {
  return {
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: {
        type: "object",
        properties: {
          label: { type: "string", enum: Object.keys(labels), description: name },
          explanation: { type: "string", description: "Why" },
        },
        required: ["label", "explanation"],
      },
    },
  };
}

/** A version of a prompt that judges with one tool for each name. */
export function judgeVersion(names: readonly string[], changes: object = {}, labels: Labels = goodOrBad) {
  return {
    templateFormat: "MUSTACHE",
    template: { messages: [{ role: "USER", content: [{ text: { text: "Is it good? {{output}}" } }] }] },
    invocationParameters: { openai: { temperature: 0 } },
    modelProvider: "OPENAI",
    modelName: "gpt-4o",
    tools: { tools: names.map((name) => judgeTool(name, labels)), toolChoice: { oneOrMore: true } },
    ...changes,
  };
}

export const emptyMapping = { literalMapping: {}, pathMapping: {} };

export const createLlmEvaluator = `mutation($input: CreateDatasetLLMEvaluatorInput!) {
  created: createDatasetLlmEvaluator(input: $input) { evaluator { id name } }
}`;

export const createBuiltInEvaluator = `mutation($input: CreateDatasetBuiltinEvaluatorInput!) {
  created: createDatasetBuiltinEvaluator(input: $input) { evaluator { id name } }
}`;
