// API keys in GraphQL. The key itself is answered once, as `jwt`, by its creation.
import { requireAllowed } from "../../../access/policy.ts";
import type { GraphqlCall } from "../../../graphql/call.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { findGlobalId, globalId } from "../../../kernel/ids.ts";
import { isSelfOrAdministrator } from "../users/users.graphql.ts";
import { USER } from "../users/users.schema.ts";
import type { UsersService } from "../users/users.service.ts";
import { userKeyNotFound } from "./api-keys.errors.ts";
import {
  type ApiKey,
  type ApiKeyType,
  type IssuedApiKey,
  type NewApiKey,
  SYSTEM_API_KEY,
  USER_API_KEY,
} from "./api-keys.schema.ts";
import type { ApiKeysService } from "./api-keys.service.ts";

interface ApiKeyTypesServices {
  readonly apiKeys: ApiKeysService;
  readonly users: UsersService;
}

export function addApiKeyTypes(types: GraphqlTypes, { apiKeys, users }: ApiKeyTypesServices): void {
  const { builder } = types;
  const ApiKeyInterface = builder.interfaceRef<ApiKey>("ApiKey").implement({
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      expiresAt: t.field({ type: "DateTime", nullable: true, resolve: ({ expiresUs }) => expiresUs }),
    }),
  });
  const UserApiKey = builder.objectRef<ApiKey>(USER_API_KEY).implement({
    interfaces: [ApiKeyInterface, types.node],
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => globalId(USER_API_KEY, id) }),
      user: t.field({
        type: types.ref(USER),
        resolve: ({ userId }, _given, call) => call.loadExisting(users.findUsers, userId),
      }),
    }),
  });
  const SystemApiKey = builder.objectRef<ApiKey>(SYSTEM_API_KEY).implement({
    interfaces: [ApiKeyInterface, types.node],
    fields: (t) => ({ id: t.id({ resolve: ({ id }) => globalId(SYSTEM_API_KEY, id) }) }),
  });

  builder.objectFields(types.ref(USER), (t) => ({
    apiKeys: t.field({
      type: [UserApiKey],
      description: "Newest first; for the person and for administrators.",
      resolve: async ({ id }, _given, call) => {
        requireSelfOrAdministrator(call, id);
        return [...((await call.load(apiKeys.listOfUsers, id, null)) ?? [])];
      },
    }),
    apiKeyCount: t.int({
      resolve: async ({ id }, _given, call) => {
        requireSelfOrAdministrator(call, id);
        return (await call.load(apiKeys.listOfUsers, id, null))?.length ?? 0;
      },
    }),
  }));
  builder.queryFields((t) => ({
    userApiKeys: t.field({
      type: [UserApiKey],
      description: "Of everybody, newest first.",
      may: "api_keys.inspect",
      resolve: (_root, _given, call) => apiKeys.listAllPeoples(call.context),
    }),
    systemApiKeys: t.field({
      type: [SystemApiKey],
      description: "Newest first.",
      may: "api_keys.inspect",
      resolve: (_root, _given, call) => apiKeys.listSystem(call.context),
    }),
  }));
  addApiKeyMutations(types, apiKeys, { UserApiKey, SystemApiKey });
}

function requireSelfOrAdministrator({ context: { principal } }: GraphqlCall, userId: number): void {
  if (!isSelfOrAdministrator(principal, userId)) requireAllowed(principal, "api_keys.inspect");
}

type ApiKeyRef = ReturnType<ReturnType<typeof emptyRef>["implement"]>;
const emptyRef = ({ builder }: GraphqlTypes) => builder.objectRef<ApiKey>(USER_API_KEY);

interface Wanted {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly expiresAt?: number | null | undefined;
}

/** An end in the past is accepted, because clients rely on it: such a key does not work. */
function newKeyOf({ name, description = null, expiresAt = null }: Wanted): NewApiKey {
  return { name, description, expiresUs: expiresAt };
}

function addApiKeyMutations(
  types: GraphqlTypes,
  apiKeys: ApiKeysService,
  { UserApiKey, SystemApiKey }: { readonly UserApiKey: ApiKeyRef; readonly SystemApiKey: ApiKeyRef },
): void {
  const { builder } = types;
  const creationInput = (name: string) =>
    builder.inputType(name, {
      fields: (t) => ({
        name: t.string({ required: true }),
        description: t.string(),
        expiresAt: t.field({ type: "DateTime" }),
      }),
    });
  const CreateApiKeyInput = creationInput("CreateApiKeyInput");
  const CreateUserApiKeyInput = creationInput("CreateUserApiKeyInput");
  const DeleteApiKeyInput = builder.inputType("DeleteApiKeyInput", {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  const creationPayload = (name: string, type: ApiKeyRef) =>
    types.payload<IssuedApiKey>(name, (t) => ({
      jwt: t.string({ description: "The key, shown this once.", resolve: ({ text }) => text }),
      apiKey: t.field({ type, resolve: ({ apiKey }) => apiKey }),
    }));
  const DeletePayload = types.payload<{ readonly id: string }>("DeleteApiKeyMutationPayload", (t) => ({
    apiKeyId: t.id({ resolve: ({ id }) => id }),
  }));

  builder.mutationFields((t) => ({
    createSystemApiKey: t.field({
      type: creationPayload("CreateSystemApiKeyMutationPayload", SystemApiKey),
      may: "api_keys.govern_issue",
      adds: true,
      args: { input: t.arg({ type: CreateApiKeyInput, required: true }) },
      resolve: (_root, { input }, call) => apiKeys.issueSystem(call.context, newKeyOf(input)),
    }),
    createUserApiKey: t.field({
      type: creationPayload("CreateUserApiKeyMutationPayload", UserApiKey),
      may: "api_keys.issue_own",
      adds: true,
      args: { input: t.arg({ type: CreateUserApiKeyInput, required: true }) },
      resolve: (_root, { input }, call) => apiKeys.issueOwn(call.context, newKeyOf(input)),
    }),
    deleteSystemApiKey: t.field({
      type: DeletePayload,
      may: "api_keys.govern",
      adds: false,
      args: { input: t.arg({ type: DeleteApiKeyInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        await apiKeys.removeSystem(call.context, requireKeyId(SYSTEM_API_KEY, input.id));
        return input;
      },
    }),
    deleteUserApiKey: t.field({
      type: DeletePayload,
      may: "api_keys.own",
      adds: false,
      args: { input: t.arg({ type: DeleteApiKeyInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        await apiKeys.removePersons(call.context, requireKeyId(USER_API_KEY, input.id));
        return input;
      },
    }),
  }));
}

/** An id of the other kind of key names none of this kind; any other text is a mistake. */
function requireKeyId(type: ApiKeyType, id: string): number {
  const other = findGlobalId(id)?.type;
  if (other !== type && (other === USER_API_KEY || other === SYSTEM_API_KEY)) throw userKeyNotFound();
  return requireRowId(type, id);
}
