// Built-in providers in GraphQL, the names of models to choose from, and those that an endpoint lists itself.
import { isAdministrator } from "../../../../access/policy.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { ModelProvider } from "../../../../model/prompt.ts";
import { modelLists } from "../../../../providers/model-lists.ts";
import { modelInterface, providerKeyType } from "../../../tracing/models/model-provider.graphql.ts";
import { openAiApiType } from "../custom/custom-provider-types.graphql.ts";
import { CUSTOM_PROVIDER } from "../custom/custom-providers.schema.ts";
import type { EndpointChecksService, EndpointModels } from "../endpoint-checks.service.ts";
import { noProvider } from "../model-endpoints.errors.ts";
import { type BuiltInProviderStatus, credentialSources, type ProviderCredential } from "./built-in-providers.schema.ts";
import type { BuiltInProvidersService } from "./built-in-providers.service.ts";

interface BuiltInServices {
  readonly builtIn: BuiltInProvidersService;
  readonly checks: EndpointChecksService;
}

export function addBuiltInProviderTypes(types: GraphqlTypes, services: BuiltInServices): void {
  addProviders(types, services);
  addKnownModels(types, services);
  addEndpointModels(types, services);
}

function addProviders(types: GraphqlTypes, { builtIn }: BuiltInServices): void {
  const { builder } = types;
  const Source = builder.enumType("ModelCredentialSource", {
    description: "UNREADABLE_SECRET: stored with another SERVICE_SECRET.",
    values: credentialSources,
  });
  const Credential = builder.objectRef<ProviderCredential>("GenerativeProviderCredentialConfig").implement({
    fields: (t) => ({
      envVarName: t.exposeString("name"),
      isRequired: t.exposeBoolean("isRequired"),
      source: t.field({
        type: Source,
        nullable: true,
        description: "Where the server has it from; null where it has none, and for everybody but administrators.",
        resolve: ({ source }, _given, call) => (isAdministrator(call.context.principal) ? source : null),
      }),
    }),
  });
  const Provider = builder.objectRef<BuiltInProviderStatus>("GenerativeProvider").implement({
    fields: (t) => ({
      name: t.exposeString("name"),
      key: t.field({ type: providerKeyType(types), resolve: ({ provider }) => provider }),
      dependencies: t.stringList({ description: "Nothing has to be installed.", resolve: () => [] }),
      dependenciesInstalled: t.boolean({ resolve: () => true }),
      credentialRequirements: t.field({ type: [Credential], resolve: ({ credentials }) => [...credentials] }),
      credentialsSet: t.boolean({
        description: "Whether it can be called without credentials of the request.",
        resolve: ({ hasCredentials }) => hasCredentials,
      }),
      baseUrl: t.string({
        nullable: true,
        description: "Where it is called, for administrators; null where no address is configured.",
        resolve: ({ address }, _given, call) => (isAdministrator(call.context.principal) ? address : null),
      }),
      baseUrlProblem: t.string({
        nullable: true,
        description: "Why the configured address cannot be used, for administrators.",
        resolve: ({ addressProblem }, _given, call) =>
          isAdministrator(call.context.principal) ? addressProblem : null,
      }),
      baseUrlEnvVarName: t.string({
        nullable: true,
        description: "The variable that sets the address, or the region.",
        resolve: ({ addressVariable }) => addressVariable,
      }),
    }),
  });
  builder.queryField("modelProviders", (t) =>
    t.field({
      type: [Provider],
      description: "The built-in providers that SERVICE_ALLOWED_PROVIDERS allows.",
      may: "model_providers.read",
      resolve: (_root, _given, call) => builtIn.listProviders(call.context),
    }),
  );
}

interface KnownModel {
  readonly name: string;
  readonly provider: ModelProvider;
}

function addKnownModels(types: GraphqlTypes, { builtIn }: BuiltInServices): void {
  const { builder } = types;
  const Model = builder.objectRef<KnownModel>("PlaygroundModel").implement({
    interfaces: [modelInterface(types)],
    fields: (t) => ({
      name: t.exposeString("name"),
      providerKey: t.field({ type: providerKeyType(types), resolve: ({ provider }) => provider }),
    }),
  });
  const ModelsInput = builder.inputType("ModelsInput", {
    fields: (t) => ({
      providerKey: t.field({ type: providerKeyType(types) }),
      modelName: t.string({ description: "Unused: every name may be called." }),
      openaiApiType: t.field({ type: openAiApiType(types), description: "Unused." }),
    }),
  });
  builder.queryField("playgroundModels", (t) =>
    t.field({
      type: [Model],
      description: "Known names of models, of the provider or of all that are allowed. Any other name may be called.",
      may: "model_providers.read",
      args: { input: t.arg({ type: ModelsInput }) },
      resolve: (_root, { input }) => {
        const wanted = builtIn.offered.filter((key) => input?.providerKey == null || key === input.providerKey);
        return wanted.flatMap((provider) => modelLists[provider].map((name) => ({ name, provider })));
      },
    }),
  );
}

function addEndpointModels(types: GraphqlTypes, { checks }: BuiltInServices): void {
  const { builder } = types;
  const Models = builder.objectRef<EndpointModels>("EndpointModels").implement({
    fields: (t) => ({
      names: t.stringList({ resolve: ({ names }) => [...names] }),
      error: t.exposeString("error", { nullable: true, description: "Why there are none, without secrets." }),
    }),
  });
  const Input = builder.inputType("EndpointModelsInput", {
    isOneOf: true,
    fields: (t) => ({ providerKey: t.field({ type: providerKeyType(types) }), customProviderId: t.id() }),
  });
  builder.queryField("endpointModels", (t) =>
    t.field({
      type: Models,
      description:
        "What the endpoint itself lists, asked with the credentials of the server. Bedrock lists nothing there.",
      may: "model_providers.list_models",
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: (_root, { input: { providerKey, customProviderId } }, call) => {
        if (customProviderId != null) {
          return checks.listModels(call.context, { customProviderId: requireRowId(CUSTOM_PROVIDER, customProviderId) });
        }
        if (providerKey == null) throw noProvider();
        return checks.listModels(call.context, { provider: providerKey });
      },
    }),
  );
}
