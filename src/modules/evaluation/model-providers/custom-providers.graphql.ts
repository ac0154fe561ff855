// Custom providers in GraphQL: their list and node for everybody who reads, their changes and tests for administrators.
import { isAdministrator } from "../../../access/policy.ts";
import { listConnection, NEWEST_FIRST } from "../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { findRowId } from "../../../kernel/ids.ts";
import { customProviderSdks, providerOfSdk } from "../../../model/custom-provider.ts";
import { modelLists } from "../../../providers/model-lists.ts";
import { addAuthor } from "../../accounts/users/author.graphql.ts";
import type { UsersService } from "../../accounts/users/users.service.ts";
import { configInput, givenConfigOf } from "./custom/custom-provider-inputs.graphql.ts";
import { customProviderConfigType, shownConfig } from "./custom/custom-provider-types.graphql.ts";
import { notAProviderId } from "./custom/custom-providers.errors.ts";
import { CUSTOM_PROVIDER, type CustomProvider } from "./custom/custom-providers.schema.ts";
import type { CustomProvidersService, NamedRow } from "./custom/custom-providers.service.ts";
import type { EndpointChecksService } from "./endpoint-checks.service.ts";

interface CustomProviderServices {
  readonly customProviders: CustomProvidersService;
  readonly checks: EndpointChecksService;
  readonly users: UsersService;
}

export function addCustomProviderTypes(types: GraphqlTypes, services: CustomProviderServices): void {
  addCustomProviderNode(types, services);
  addCustomProviderList(types, services);
  const ConfigInput = configInput(types);
  addChanges(types, services, ConfigInput);
  addTest(types, services, ConfigInput);
}

function addCustomProviderNode(types: GraphqlTypes, { customProviders, users }: CustomProviderServices): void {
  const { builder } = types;
  const Sdk = builder.enumType("GenerativeModelSDK", { values: customProviderSdks });
  types.defineNode(CUSTOM_PROVIDER, {
    find: (call, id) => call.load(customProviders.findProviders, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      provider: t.exposeString("provider", { description: "Free text; the provider of its spans for the SDK OPENAI." }),
      sdk: t.field({ type: Sdk, resolve: ({ sdk }) => sdk }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
      config: t.field({
        type: customProviderConfigType(types),
        description: "Secrets and values of headers are masks.",
        resolve: async ({ id }, _given, call) => {
          const found = await call.loadExisting(customProviders.findConfigs, id);
          return shownConfig({ found, revealsEnds: isAdministrator(call.context.principal) });
        },
      }),
      modelNames: t.stringList({
        description: "Known models of the kind. Any other name may be called.",
        resolve: ({ sdk }) => [...modelLists[providerOfSdk[sdk]]],
      }),
      promptCount: t.int({
        description: "Prompts with a version for it, which lose it when it is deleted.",
        resolve: async ({ id }, _given, call) => (await call.load(customProviders.findUsage, id, null))?.prompts ?? 0,
      }),
      promptNames: t.stringList({
        description: "The first of those by name.",
        resolve: async ({ id }, _given, call) => [
          ...((await call.load(customProviders.findUsage, id, null))?.promptNames ?? []),
        ],
      }),
    }),
  });
  addAuthor(types, users, CUSTOM_PROVIDER, "Who created it; null without authentication.");
}

function addCustomProviderList(types: GraphqlTypes, { customProviders }: CustomProviderServices): void {
  types.builder.queryField("generativeModelCustomProviders", (t) =>
    t.field({
      type: types.connection(CUSTOM_PROVIDER),
      description: "Newest first.",
      may: "model_providers.read",
      args: types.pagingArguments(),
      resolve: (_root, page, call, info) =>
        listConnection({ call, info }, page, NEWEST_FIRST, (request) =>
          customProviders.listProviders(call.context, request),
        ),
    }),
  );
}

/** Throws kind `invalid` for what is no id of a custom provider. */
function rowOf(id: string): NamedRow {
  const rowId = findRowId(CUSTOM_PROVIDER, id);
  if (rowId === null) throw notAProviderId(id);
  return { id: rowId, wireId: id };
}

type ConfigInputRef = ReturnType<typeof configInput>;

function addChanges(types: GraphqlTypes, { customProviders }: CustomProviderServices, Config: ConfigInputRef): void {
  const { builder } = types;
  const CreateInput = builder.inputType("CreateGenerativeModelCustomProviderMutationInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      provider: t.string({ required: true }),
      clientConfig: t.field({ type: Config, required: true }),
    }),
  });
  const PatchInput = builder.inputType("PatchGenerativeModelCustomProviderMutationInput", {
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      description: t.string({ description: "Null removes it." }),
      provider: t.string(),
      clientConfig: t.field({ type: Config, description: "Replaces the whole configuration." }),
    }),
  });
  const DeleteInput = builder.inputType("DeleteGenerativeModelCustomProviderMutationInput", {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  const changed = (name: string) =>
    types.payload<{ readonly provider: CustomProvider }>(name, (t) => ({
      provider: t.field({ type: types.ref(CUSTOM_PROVIDER), resolve: ({ provider }) => provider }),
    }));
  const Created = changed("CreateGenerativeModelCustomProviderMutationPayload");
  const Patched = changed("PatchGenerativeModelCustomProviderMutationPayload");
  const Deleted = types.payload<{ readonly id: string }>("DeleteGenerativeModelCustomProviderMutationPayload", (t) => ({
    id: t.exposeID("id"),
  }));
  builder.mutationFields((t) => ({
    createGenerativeModelCustomProvider: t.field({
      type: Created,
      may: "model_providers.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input: { name, description, provider, clientConfig } }, call) => ({
        provider: await customProviders.createProvider(call.context, {
          name,
          description: description ?? null,
          provider,
          config: givenConfigOf(clientConfig),
        }),
      }),
    }),
    patchGenerativeModelCustomProvider: t.field({
      type: Patched,
      description: "What is absent, null or empty stays. The SDK changes between OpenAI and Azure OpenAI alone.",
      may: "model_providers.change",
      adds: true,
      args: { input: t.arg({ type: PatchInput, required: true }) },
      resolve: async (_root, { input: { id, name, description, provider, clientConfig } }, call) => ({
        provider: await customProviders.patchProvider(call.context, rowOf(id), {
          name: name ?? null,
          description,
          provider: provider ?? null,
          config: clientConfig == null ? null : givenConfigOf(clientConfig),
        }),
      }),
    }),
    deleteGenerativeModelCustomProvider: t.field({
      type: Deleted,
      description: "Prompts that used it lose it. One that does not exist is no error.",
      may: "model_providers.change",
      // As clients expect it, though it adds nothing.
      adds: true,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input: { id } }, call) => {
        await customProviders.deleteProvider(call.context, rowOf(id).id);
        return { id };
      },
    }),
  }));
}

function addTest(types: GraphqlTypes, { checks }: CustomProviderServices, Config: ConfigInputRef): void {
  const { builder } = types;
  const Result = builder
    .objectRef<{ readonly error: string | null }>("TestGenerativeModelCustomProviderCredentialsResult")
    .implement({
      fields: (t) => ({
        error: t.exposeString("error", { nullable: true, description: "Null when the provider accepts them." }),
      }),
    });
  builder.mutationField("testGenerativeModelCustomProviderCredentials", (t) =>
    t.field({
      type: Result,
      description: "Makes a request to the provider, for ten seconds at most, and stores nothing.",
      may: "model_providers.test",
      adds: false,
      args: {
        input: t.arg({ type: Config, required: true }),
        providerId: t.arg.id({ description: "The provider that is edited: its secrets stand in for empty ones." }),
      },
      resolve: async (_root, { input, providerId }, call) => ({
        error: await checks.testConfig(
          call.context,
          givenConfigOf(input),
          providerId == null ? null : rowOf(providerId),
        ),
      }),
    }),
  );
}
