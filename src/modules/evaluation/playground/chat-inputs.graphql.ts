// What both subscriptions of the playground take in GraphQL, and the variant of a chat that it stands for.
import { argumentRefused } from "../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { findGlobalId } from "../../../kernel/ids.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.ts";
import type { ConnectionOptions } from "../../../providers/endpoints.ts";
import { annotationConfigInput } from "../annotation-configs/annotation-configs.graphql.ts";
import { inputMappingInput } from "../evaluators/mapping/input-mapping.graphql.ts";
import { openAiApiType } from "../model-providers/custom/custom-provider-types.graphql.ts";
import { CUSTOM_PROVIDER } from "../model-providers/custom/custom-providers.schema.ts";
import { type VersionInputRef, versionBodyOf } from "../prompts/content/prompt-inputs.graphql.ts";
import { keptParameters } from "../prompts/prompt-content.schema.ts";
import { wrongNode } from "./chats.errors.ts";
import type { ChatVariant } from "./chats.schema.ts";

/** Where the model is called. */
export const connectionInput = (types: GraphqlTypes) =>
  types.once("ConnectionConfigInput", () => {
    const { builder } = types;
    return builder.inputType("ConnectionConfigInput", {
      description: "Members that do not belong to the provider are ignored.",
      fields: (t) => ({
        baseUrl: t.string(),
        azureEndpoint: t.string(),
        regionName: t.string(),
        endpointUrl: t.string(),
        openaiApiType: t.field({ type: openAiApiType(types) }),
        organization: t.string(),
        project: t.string(),
      }),
    });
  });

/** A stored evaluator of the dataset: only its id counts. */
export const playgroundEvaluatorInput = (types: GraphqlTypes) =>
  types.once("PlaygroundEvaluatorInput", () =>
    types.builder.inputType("PlaygroundEvaluatorInput", {
      fields: (t) => ({
        id: t.id({ required: true }),
        name: t.field({ type: "Identifier", required: true }),
        description: t.string(),
        inputMapping: t.field({ type: inputMappingInput(types), required: true }),
        outputConfigs: t.field({ type: [annotationConfigInput(types)] }),
      }),
    }),
  );

interface GivenCredential {
  readonly envVarName: string;
  readonly value: string;
}

export function credentialsOf(given: readonly GivenCredential[] | null | undefined) {
  return (given ?? []).map(({ envVarName, value }) => ({ name: envVarName, value }));
}

interface GivenCall {
  readonly promptVersion: VersionInputRef["$inferInput"];
  readonly connectionConfig?: ReturnType<typeof connectionInput>["$inferInput"] | null | undefined;
  readonly headers?: unknown;
}

/** Without its template. Throws kind `invalid` that names the first member that is wrong. */
export function variantOf({ promptVersion, connectionConfig, headers }: GivenCall): Omit<ChatVariant, "template"> {
  const { customProviderId, ...version } = promptVersion;
  const body = versionBodyOf({ ...version, customProviderId: null });
  return {
    provider: body.model_provider,
    customProviderId: customProviderId == null ? null : customProviderRow(customProviderId),
    model: body.model_name,
    connection: connectionConfig == null ? null : withoutNulls(connectionConfig),
    headers: headers ?? null,
    messages: body.template.type === "chat" ? body.template.messages : [],
    tools: body.tools ?? null,
    responseFormat: body.response_format ?? null,
    parameters: keptParameters(body.invocation_parameters),
    metadata: {},
  };
}

function withoutNulls(given: object): ConnectionOptions {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
}

/** Throws kind `invalid`. */
export function requireVariables(name: string, variables: unknown): JsonObject {
  if (!isJsonObject(variables as Json)) throw argumentRefused(name, "must be a JSON object");
  return variables as JsonObject;
}

function customProviderRow(id: string): number {
  const found = findGlobalId(id);
  if (found?.type !== CUSTOM_PROVIDER) throw wrongNode(CUSTOM_PROVIDER, found?.type ?? id);
  return found.rowId;
}
