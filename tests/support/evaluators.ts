// Inputs of evaluators for tests of GraphQL, and the requests that attach, read and delete them.
import type { TestApi } from "./api.ts";
import { askData } from "./graphql.ts";

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

interface Created {
  readonly created: { readonly evaluator: { readonly id: string; readonly name: string } };
}
/** Answers of many shapes. */
type Any = ReturnType<typeof JSON.parse>;

export function evaluatorRequests(testApi: () => TestApi) {
  const ask = (query: string, variables: Readonly<Record<string, unknown>> = {}) =>
    askData<Any>(testApi(), query, variables);

  const newDataset = async (name: string): Promise<string> => {
    const { createDataset } = await ask(
      `mutation($input: CreateDatasetInput!) { createDataset(input: $input) { dataset { id } } }`,
      { input: { name } },
    );
    return createDataset.dataset.id;
  };
  const llmInput = (datasetId: string, name: string, changes: object = {}) => ({
    datasetId,
    name,
    promptVersion: judgeVersion([name]),
    outputConfigs: [categoricalConfig(name)],
    inputMapping: { literalMapping: {}, pathMapping: { output: "$.output" } },
    ...changes,
  });
  const createLlm = async (datasetId: string, name: string, changes: object = {}): Promise<string> =>
    (await askData<Created>(testApi(), createLlmEvaluator, { input: llmInput(datasetId, name, changes) })).created
      .evaluator.id;
  const builtInId = async (name: string): Promise<string> => {
    const { builtInEvaluators } = await ask("{ builtInEvaluators { id name } }");
    return builtInEvaluators.find((each: Any) => each.name === name).id;
  };
  const createBuiltIn = async (datasetId: string, key: string, name: string, changes: object = {}): Promise<string> => {
    const input = { datasetId, evaluatorId: await builtInId(key), name, inputMapping: emptyMapping, ...changes };
    return (await askData<Created>(testApi(), createBuiltInEvaluator, { input })).created.evaluator.id;
  };
  const link = async (id: string) =>
    (
      await ask(
        `query($id: ID!) { node(id: $id) { ... on DatasetEvaluator {
          id name description inputMapping { literalMapping pathMapping } dataset { name } project { id name } user { id }
          outputConfigs { __typename ... on CategoricalAnnotationConfig { id name values { label score } } }
          evaluator { __typename id name description kind isBuiltin metadata datasetEvaluators { name } datasets { edges { node { name } } }
            ... on LLMEvaluator { inputSchema prompt { id name labels { name color } versionCount }
              promptVersion { id sequenceNumber modelName } promptVersionTag { name } outputConfigs { __typename } } }
        } } }`,
        { id },
      )
    ).node;
  const remove = async (ids: readonly string[], deleteAssociatedPrompt = true) =>
    (
      await ask(
        `mutation($input: DeleteDatasetEvaluatorsInput!) { deleteDatasetEvaluators(input: $input) { datasetEvaluatorIds } }`,
        { input: { datasetEvaluatorIds: ids, deleteAssociatedPrompt } },
      )
    ).deleteDatasetEvaluators.datasetEvaluatorIds;

  return { ask, newDataset, llmInput, createLlm, builtInId, createBuiltIn, link, remove };
}
