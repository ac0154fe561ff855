// Runs over datasets over GraphQL, as pages and programs start, read, stop and resume them.
import { send, type TestApi } from "./api.ts";
import { PARTS_TYPE } from "./chat-subscriptions.ts";
import { askGraphql } from "./graphql.ts";
import { TEST_KEY } from "./model-calls.ts";
import { readParts } from "./multipart.ts";
import type { ScriptedModels } from "./scripted-models.ts";

/** Answers of many shapes. */
type Any = ReturnType<typeof JSON.parse>;

const OVER_DATASET = `subscription Run($input: ChatCompletionOverDatasetInput!) {
  chatCompletionOverDataset(input: $input) {
    __typename datasetExampleId repetitionNumber
    ... on TextChunk { content }
    ... on ChatCompletionSubscriptionExperiment { experiment { id name isEphemeral repetitions metadata project { name } } }
    ... on ChatCompletionSubscriptionResult { span { spanId name } experimentRun { id } }
    ... on ChatCompletionSubscriptionError { message span { spanId } experimentRun { id } }
    ... on EvaluationChunk {
      evaluatorName error trace { traceId spans(first: 10) { edges { node { name spanKind } } } } experimentRunEvaluation { name label score explanation annotatorKind }
    }
  }
}`;

const EXPERIMENT = `query Job($id: ID!) { node(id: $id) { ... on Experiment {
  errorRate isEphemeral
  runs { edges { run: node { output error traceId annotations { edges { node { name label score error traceId } } } } } }
  job {
    id status stopReason stopMessage maxConcurrency needsCredentials
    errors { edges { node { id category level message detail {
      __typename
      ... on FailureDetail { errorType workItem { __typename } }
      ... on RetriesExhaustedDetail { retryCount reason }
    } } } }
    lastError { message }
    taskConfig {
      id streamModelOutput playgroundConfig { templateVariablesPath appendedMessagesPath }
      prompt { templateType templateFormat modelProvider modelName promptVersion { id } }
      connection { __typename ... on OpenAIConnectionConfig { baseUrl openaiApiType } }
      customProvider { id }
    }
    progress { runs succeeded failed runsLeft evaluations evaluated costLeft secondsLeft }
    spent { calls promptTokens completionTokens cost }
    estimate { examples runs calls promptTokens maxCost }
    datasetEvaluators { edges { node { id } } }
  }
} } }`;

export interface RunOfDataset {
  readonly events: readonly Any[];
  readonly errors: readonly string[];
  /** Global id; absent where the run was refused. */
  readonly experimentId: string;
}

/** The input of a run with the model of a scripted provider. */
export function datasetChatInput(models: ScriptedModels, datasetId: string, model: string, changes: object = {}) {
  return {
    datasetId,
    promptVersion: {
      templateFormat: "MUSTACHE",
      template: { messages: [{ role: "USER", content: [{ text: { text: "hi {{x}}" } }] }] },
      invocationParameters: { openai: {} },
      modelProvider: "OPENAI",
      modelName: model,
    },
    connectionConfig: { baseUrl: models.openAi },
    credentials: [{ envVarName: "OPENAI_API_KEY", value: TEST_KEY }],
    repetitions: 1,
    ...changes,
  };
}

export const startDatasetChat = (api: TestApi, input: object) =>
  send(api.server, "POST /graphql", {
    headers: { accept: PARTS_TYPE },
    json: { query: OVER_DATASET, variables: { input } },
  });

/** The events to the end of the stream. */
export async function runDatasetChat(api: TestApi, input: object): Promise<RunOfDataset> {
  const parts = (await Array.fromAsync(readParts(await startDatasetChat(api, input)))) as Any[];
  const events = parts.flatMap(({ payload }) => payload?.data?.chatCompletionOverDataset ?? []);
  const errors = parts.flatMap(({ payload }) => payload?.errors ?? []).map(({ message }: Any) => message);
  return { events, errors, experimentId: events[0]?.experiment?.id ?? "" };
}

/** The experiment with its job, as it is now. */
export async function readExperiment(api: TestApi, id: string): Promise<Any> {
  const { data, errors } = await askGraphql(api, EXPERIMENT, { id });
  if (errors !== undefined) throw new Error(errors[0]!.message);
  const { runs, job, ...experiment } = (data as Any).node;
  return {
    ...experiment,
    runs: runs.edges.map(({ run }: Any) => run),
    job: job && { ...job, errors: job.errors.edges.map(({ node }: Any) => node) },
  };
}

/** Stops or resumes: the status, or what was refused. */
export async function changeJob(
  api: TestApi,
  mutation: "stopExperiment" | "resumeExperiment",
  experimentId: string,
  more = "",
): Promise<string> {
  const keys =
    mutation === "resumeExperiment" ? `, credentials: [{envVarName: "OPENAI_API_KEY", value: "${TEST_KEY}"}]` : "";
  const query = `mutation Change($id: ID!) { changed: ${mutation}(experimentId: $id${keys}${more}) { job { status } } }`;
  const { data, errors } = await askGraphql(api, query, { id: experimentId });
  return errors?.[0]?.message ?? (data as Any).changed.job.status;
}

/** As if the last stop or resume were some seconds longer ago. */
export async function passCooldown(api: TestApi): Promise<void> {
  await api.stored.storage.handle
    .write(api.context())
    .updateTable("experiment_jobs")
    .set((of) => ({ toggled_us: of("toggled_us", "-", 6_000_000) }))
    .execute();
}
