// Running a prompt over a dataset in GraphQL, with its events.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { addSubscription, type GraphqlTypes } from "../../../../graphql/types.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { DATASET_EVALUATOR } from "../../evaluators/evaluators.schema.ts";
import { generativeCredentialInput } from "../../model-providers/credential-input.graphql.ts";
import { type ChatPayload, type ChatPayloadServices, chatPayloadType } from "../../playground/chat-events.graphql.ts";
import {
  connectionInput,
  credentialsOf,
  playgroundEvaluatorInput,
  variantOf,
} from "../../playground/chat-inputs.graphql.ts";
import { contentOf, requireParametersOf } from "../../prompts/content/prompt-content.rules.ts";
import { versionBodyOf, versionInput } from "../../prompts/content/prompt-inputs.graphql.ts";
import { PROMPT_VERSION } from "../../prompts/prompts.schema.ts";
import type { ExperimentJobsService, NewJob, StartedJob } from "../experiment-jobs.service.ts";
import type { JobEvent } from "../running/job-events.schema.ts";
import { requireNode } from "../tasks/job-datasets.service.ts";
import { jobLimitsInput, jobLimitsOf } from "./experiment-job-mutations.graphql.ts";

type DatasetChatInput = ReturnType<typeof datasetChatInput>["$inferInput"];

function datasetChatInput(types: GraphqlTypes) {
  return types.builder.inputType("ChatCompletionOverDatasetInput", {
    fields: (t) => ({
      promptVersionId: t.id({ description: "That the prompt was taken from: it is only remembered." }),
      promptVersion: t.field({ type: versionInput(types), required: true }),
      connectionConfig: t.field({ type: connectionInput(types) }),
      headers: t.field({ type: "JSON", description: "Added to the requests to the provider, and never stored." }),
      credentials: t.field({ type: [generativeCredentialInput(types)] }),
      repetitions: t.int({ required: true, description: "From 1 to 100." }),
      datasetId: t.id({ required: true }),
      datasetVersionId: t.id({ description: "Absent: the newest." }),
      splitIds: t.idList({ description: "Only examples of one of these; none for all." }),
      filter: t.string({ description: "Only examples with this text in them, in any letter case." }),
      experimentName: t.string(),
      experimentDescription: t.string(),
      experimentMetadata: t.field({ type: "JSON" }),
      promptName: t.field({ type: "Identifier" }),
      evaluators: t.field({ type: [playgroundEvaluatorInput(types)], required: true, defaultValue: [] }),
      appendedMessagesPath: t.string({ description: "Dot path into the input: a list of messages that follow." }),
      templateVariablesPath: t.string({
        defaultValue: "input",
        description: "Dot path into `{input, reference, metadata}`; null or empty for all of it.",
      }),
      tracingEnabled: t.boolean({ required: true, defaultValue: true, description: "False stores no spans." }),
      streamModelOutput: t.boolean({ required: true, defaultValue: true }),
      createEphemeralExperiment: t.boolean({
        defaultValue: false,
        description: "It is stopped when its reader leaves, and deleted after a day.",
      }),
      maxConcurrency: t.int({ required: true, defaultValue: 10, description: "Calls at once, from 1 to 100." }),
      limits: t.field({ type: jobLimitsInput(types) }),
    }),
  });
}

export function addDatasetChat(
  types: GraphqlTypes,
  { jobs, ...services }: ChatPayloadServices & { readonly jobs: ExperimentJobsService },
): void {
  const Input = datasetChatInput(types);
  addSubscription(types, "chatCompletionOverDataset", (t) =>
    t.field({
      type: chatPayloadType(types, services),
      description:
        "Makes an experiment and runs it on the server. It goes on when the reader leaves, unless it is ephemeral.",
      may: "model_calls.run",
      adds: true,
      args: { input: t.arg({ type: Input, required: true }) },
      subscribe: async (_root, { input }, { context }) => {
        const started = await jobs.startJob(context, newJobOf(input));
        const leave = () => void started.events.return();
        if (context.signal?.aborted === true) leave();
        context.signal?.addEventListener("abort", leave, { once: true });
        return payloadsOf(started);
      },
      resolve: (payload) => payload,
    }),
  );
}

function newJobOf(input: DatasetChatInput): NewJob {
  const body = versionBodyOf({ ...input.promptVersion, customProviderId: null });
  requireParametersOf(body);
  const { customProviderId, connection, headers } = variantOf(input);
  return {
    task: {
      prompt: contentOf(body),
      promptVersionId: input.promptVersionId == null ? null : requireNode(PROMPT_VERSION, input.promptVersionId),
      customProviderId,
      usesCustomProvider: customProviderId !== null,
      connection,
      templateVariablesPath: input.templateVariablesPath ?? "",
      appendedMessagesPath: input.appendedMessagesPath || null,
      streamModelOutput: input.streamModelOutput,
      tracingEnabled: input.tracingEnabled,
      maxConcurrency: input.maxConcurrency,
    },
    limits: jobLimitsOf(input.limits ?? {}),
    datasetId: input.datasetId,
    datasetVersionId: input.datasetVersionId ?? null,
    splitIds: input.splitIds ?? [],
    filter: input.filter ?? null,
    promptName: input.promptName ?? null,
    experimentName: textOf(input.experimentName),
    experimentDescription: textOf(input.experimentDescription),
    experimentMetadata: requireObject("experimentMetadata", input.experimentMetadata ?? {}),
    repetitions: input.repetitions,
    evaluatorIds: input.evaluators.map(({ id }) => requireNode(DATASET_EVALUATOR, id)),
    isEphemeral: input.createEphemeralExperiment ?? false,
    credentials: credentialsOf(input.credentials),
    headers,
  };
}

async function* payloadsOf({ experiment, events }: StartedJob): AsyncGenerator<ChatPayload, void, undefined> {
  try {
    yield { type: "experiment", exampleId: null, repetition: null, experimentId: experiment.id };
    for await (const event of events) {
      const payload = payloadOf(event);
      if (payload !== null) yield payload;
    }
  } finally {
    await events.return();
  }
}

/** Null for what programs do not know. */
function payloadOf(event: JobEvent): ChatPayload | null {
  if (event.type === "stopped") {
    const { message } = event;
    return { type: "error", exampleId: null, repetition: null, message, spanKey: null, runId: null };
  }
  const { exampleId, repetition } = event;
  const place = { exampleId, repetition };
  switch (event.type) {
    case "text":
      return event.text === "" ? null : { type: "text", ...place, content: event.text };
    case "tool_call":
      return { type: "tool_call", ...place, id: event.id, name: event.name, arguments: event.arguments };
    case "result":
      return { type: "result", ...place, spanKey: event.span?.spanKey ?? null, runId: event.runId };
    case "error":
      return {
        type: "error",
        ...place,
        message: event.message,
        spanKey: event.span?.spanKey ?? null,
        runId: event.runId,
      };
    case "evaluation": {
      const { name, evaluationId, error, traceKey } = event;
      return { type: "evaluation", ...place, evaluatorName: name, annotationId: evaluationId, error, traceKey };
    }
    case "retry":
      return null;
  }
}

function textOf(text: string | null | undefined): string | null {
  return text == null ? null : storableText(text);
}

function requireObject(name: string, value: unknown): JsonObject {
  if (isJsonObject(value as Json)) return value as JsonObject;
  throw argumentRefused(name, "must be a JSON object");
}
