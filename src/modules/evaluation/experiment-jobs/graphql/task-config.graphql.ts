// What an experiment of the server does, in GraphQL: its prompt as it was, and where its model is called.
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { parameterFamily } from "../../../../model/prompt.ts";
import type { ConnectionOptions } from "../../../../providers/endpoints.ts";
import { providerKeyType } from "../../../tracing/models/model-provider.graphql.ts";
import { openAiApiType } from "../../model-providers/custom/custom-provider-types.graphql.ts";
import { CUSTOM_PROVIDER } from "../../model-providers/custom/custom-providers.schema.ts";
import type { CustomProvidersService } from "../../model-providers/custom/custom-providers.service.ts";
import { contentFields } from "../../prompts/content/prompt-content.graphql.ts";
import type { PromptVersionsService } from "../../prompts/prompt-versions.service.ts";
import type { FrozenPrompt } from "../../prompts/prompts.schema.ts";
import { PROMPT_VERSION } from "../../prompts/prompts.schema.ts";
import type { ExperimentJob, JobTask } from "../experiment-jobs.schema.ts";

interface TaskConfigServices {
  readonly versions: PromptVersionsService;
  readonly customProviders: CustomProvidersService;
}

interface Connection {
  readonly options: ConnectionOptions;
  readonly provider: FrozenPrompt["modelProvider"];
}

type ShownPrompt = FrozenPrompt & Pick<JobTask, "promptVersionId">;

export const taskConfigType = (types: GraphqlTypes, services: TaskConfigServices) =>
  types.once("PromptTaskConfig", () => {
    const { builder } = types;
    const Prompt = promptType(types, services);
    const Playground = builder.objectRef<JobTask>("PlaygroundConfig").implement({
      fields: (t) => ({
        templateVariablesPath: t.string({
          nullable: true,
          resolve: ({ templateVariablesPath }) => templateVariablesPath || null,
        }),
        appendedMessagesPath: t.exposeString("appendedMessagesPath", { nullable: true }),
      }),
    });
    const Connection = connectionType(types);
    return builder.objectRef<ExperimentJob>("PromptTaskConfig").implement({
      fields: (t) => ({
        id: t.id({ resolve: ({ id }) => globalId("PromptTaskConfig", id) }),
        prompt: t.field({
          type: Prompt,
          resolve: ({ task }) => ({ ...task.prompt, promptVersionId: task.promptVersionId }),
        }),
        connection: t.field({
          type: Connection,
          nullable: true,
          description: "What the caller chose; null for the address of the provider.",
          resolve: ({ task: { connection, prompt, usesCustomProvider } }) =>
            connection === null || usesCustomProvider || !isChosen(connection)
              ? null
              : { options: connection, provider: prompt.modelProvider },
        }),
        customProvider: t.field({
          type: types.ref(CUSTOM_PROVIDER),
          nullable: true,
          resolve: ({ task: { customProviderId } }, _given, call) =>
            customProviderId === null
              ? null
              : call.load(services.customProviders.findProviders, customProviderId, null),
        }),
        playgroundConfig: t.field({ type: Playground, nullable: true, resolve: ({ task }) => task }),
        streamModelOutput: t.boolean({ resolve: ({ task }) => task.streamModelOutput }),
      }),
    });
  });

function promptType(types: GraphqlTypes, { versions }: TaskConfigServices) {
  return types.builder.objectRef<ShownPrompt>("PromptConfig").implement({
    fields: (t) => ({
      ...contentFields(types, t),
      modelProvider: t.field({ type: providerKeyType(types), resolve: ({ modelProvider }) => modelProvider }),
      promptVersion: t.field({
        type: types.ref(PROMPT_VERSION),
        nullable: true,
        description: "That it was taken from; what is shown here may differ.",
        resolve: ({ promptVersionId }, _given, call) =>
          promptVersionId === null ? null : call.load(versions.findVersions, promptVersionId, null),
      }),
    }),
  });
}

const connectionNames = {
  openai: "OpenAIConnectionConfig",
  azure: "AzureOpenAIConnectionConfig",
  anthropic: "AnthropicConnectionConfig",
  google: "GoogleGenAIConnectionConfig",
  aws: "AWSBedrockConnectionConfig",
} as const;

function connectionType(types: GraphqlTypes) {
  const { builder } = types;
  const ApiType = openAiApiType(types);
  const refOf = (name: string) => builder.objectRef<Connection>(name);
  const baseUrl = (name: string) =>
    refOf(name).implement({
      fields: (t) => ({ baseUrl: t.string({ nullable: true, resolve: ({ options }) => options.baseUrl ?? null }) }),
    });
  const OpenAi = refOf(connectionNames.openai).implement({
    fields: (t) => ({
      baseUrl: t.string({ nullable: true, resolve: ({ options }) => options.baseUrl ?? null }),
      organization: t.string({ nullable: true, resolve: ({ options }) => options.organization ?? null }),
      project: t.string({ nullable: true, resolve: ({ options }) => options.project ?? null }),
      openaiApiType: t.field({
        type: ApiType,
        nullable: true,
        resolve: ({ options }) => options.openaiApiType ?? null,
      }),
    }),
  });
  const Azure = refOf(connectionNames.azure).implement({
    fields: (t) => ({
      azureEndpoint: t.string({ nullable: true, resolve: ({ options }) => options.azureEndpoint ?? null }),
      openaiApiType: t.field({
        type: ApiType,
        nullable: true,
        resolve: ({ options }) => options.openaiApiType ?? null,
      }),
    }),
  });
  const Bedrock = refOf(connectionNames.aws).implement({
    fields: (t) => ({
      regionName: t.string({ nullable: true, resolve: ({ options }) => options.regionName ?? null }),
      endpointUrl: t.string({ nullable: true, resolve: ({ options }) => options.endpointUrl ?? null }),
    }),
  });
  return builder.unionType("ConnectionConfig", {
    types: [OpenAi, Azure, baseUrl(connectionNames.anthropic), Bedrock, baseUrl(connectionNames.google)],
    resolveType: ({ provider }) => connectionNames[provider === "AZURE_OPENAI" ? "azure" : parameterFamily(provider)],
  });
}

function isChosen(options: ConnectionOptions): boolean {
  return Object.values(options).some((value) => value !== null && value !== "");
}
