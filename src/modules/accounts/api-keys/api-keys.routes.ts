// API keys over REST (docs/protocol/authentication.md#api-keys).
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { findRowId, globalId } from "../../../kernel/ids.ts";
import { newestFirst, type PageRequest } from "../../../kernel/list.ts";
import { formatInstant } from "../../../kernel/time.ts";
import type { UsersService } from "../users/users.service.ts";
import { expiryPast, keyIdInvalid } from "./api-keys.errors.ts";
import {
  ApiKeyCreation,
  ApiKeysAnswer,
  ApiKeysQuery,
  type ApiKeyType,
  apiKeyBody,
  type IssuedApiKey,
  IssuedApiKeyAnswer,
  type NewApiKey,
  OwnedApiKeysPage,
  ownedApiKeyBody,
  SYSTEM_API_KEY,
  USER_API_KEY,
} from "./api-keys.schema.ts";
import type { ApiKeysService } from "./api-keys.service.ts";

interface ApiKeyRoutesServices {
  readonly apiKeys: ApiKeysService;
  readonly users: UsersService;
  readonly clock: Clock;
}

const example = (type: ApiKeyType) => ({
  id: globalId(type, 7),
  name: "nightly export",
  created_at: "2026-01-02T03:04:05.678901+00:00",
  expires_at: "2030-01-01T00:00:00+00:00",
});
const creation = { data: { name: "nightly export", expires_at: "2030-01-01T00:00:00Z" } };
const noKeyMakesKeys = "API keys cannot create API keys.";

export function apiKeyRoutes(services: ApiKeyRoutesServices): RouteModule {
  return {
    name: "api keys",
    routes: [...ownKeyRoutes(services), ...peoplesKeyRoutes(services), ...systemKeyRoutes(services)],
  };
}

function ownKeyRoutes({ apiKeys, clock }: ApiKeyRoutesServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/user/api_keys",
      operationId: "getUserApiKeys",
      summary: "List one's own API keys",
      description: "Newest first, without their texts. Empty for system keys and the admin secret.",
      action: "api_keys.own",
      status: 200,
      response: ApiKeysAnswer,
      example: { response: { data: [example(USER_API_KEY)] } },
      handler: async ({ context }) => ({
        data: (await apiKeys.listOwn(context)).map((key) => apiKeyBody(USER_API_KEY, key)),
      }),
    }),
    route({
      method: "POST",
      path: "/v1/user/api_keys",
      operationId: "createUserApiKey",
      summary: "Create an API key of one's own",
      description: "The answer shows the key, this once. It acts as its owner, with the role that the owner has then.",
      action: "api_keys.issue_own",
      status: 201,
      links: { deleteUserApiKey: { api_key_id: "$response.body#/data/id" } },
      storageLocked: true,
      body: ApiKeyCreation,
      response: IssuedApiKeyAnswer,
      errors: { forbidden: noKeyMakesKeys },
      example: { body: creation, response: { data: { ...example(USER_API_KEY), key: "eyJhbGciOi…" } } },
      handler: async ({ context, body }) => issued(USER_API_KEY, await apiKeys.issueOwn(context, wanted(body, clock))),
    }),
    route({
      method: "DELETE",
      path: "/v1/user/api_keys/{api_key_id}",
      operationId: "deleteUserApiKey",
      summary: "Delete an API key of a person",
      description: "One's own; administrators anybody's. It is refused from then on.",
      action: "api_keys.remove_own",
      status: 204,
      errors: {
        not_found: "The caller may delete no such key.",
        invalid: "This is no id of such a key.",
        forbidden: "System API keys own no keys.",
      },
      example: { parameters: { api_key_id: globalId(USER_API_KEY, 7) } },
      handler: async ({ context, params }) => {
        await apiKeys.removePersons(context, requireKeyId(USER_API_KEY, params.api_key_id));
      },
    }),
  ];
}

/** The keys of everybody, for administrators. */
function peoplesKeyRoutes({ apiKeys, users }: ApiKeyRoutesServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/users/api_keys",
      operationId: "getAllUserApiKeys",
      summary: "List the API keys of all people",
      description: "Newest first, with their owners.",
      action: "api_keys.all",
      status: 200,
      query: ApiKeysQuery,
      response: OwnedApiKeysPage,
      errors: { invalid: "The cursor is not one of this list." },
      example: {
        parameters: { limit: 10 },
        response: {
          data: [{ ...example(USER_API_KEY), user: { id: "VXNlcjoz", username: "anna", email: "anna@example.org" } }],
          next_cursor: null,
        },
      },
      handler: ({ context, query }) => {
        const list = async (request: PageRequest) => {
          const page = await apiKeys.listPeoples(context, request);
          const owners = await users.findUsers(context, [...new Set(page.items.map(({ userId }) => userId))]);
          // An owner who was deleted meanwhile took the keys along.
          const owned = page.items.filter(({ userId }) => owners.has(userId));
          return { ...page, items: owned.map((key) => ownedApiKeyBody(key, owners.get(key.userId)!)) };
        };
        return newestFirst(USER_API_KEY, query, list, (body) => body);
      },
    }),
  ];
}

function systemKeyRoutes({ apiKeys, clock }: ApiKeyRoutesServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/system/api_keys",
      operationId: "getSystemApiKeys",
      summary: "List the system API keys",
      description: "Newest first, without their texts.",
      action: "api_keys.all",
      status: 200,
      response: ApiKeysAnswer,
      example: { response: { data: [example(SYSTEM_API_KEY)] } },
      handler: async ({ context }) => ({
        data: (await apiKeys.listSystem(context)).map((key) => apiKeyBody(SYSTEM_API_KEY, key)),
      }),
    }),
    route({
      method: "POST",
      path: "/v1/system/api_keys",
      operationId: "createSystemApiKey",
      summary: "Create a system API key",
      description:
        "For programs that run unattended: it belongs to no user and outlives the administrator who made it.",
      action: "api_keys.issue_system",
      status: 201,
      links: { deleteSystemApiKey: { api_key_id: "$response.body#/data/id" } },
      storageLocked: true,
      body: ApiKeyCreation,
      response: IssuedApiKeyAnswer,
      errors: { forbidden: noKeyMakesKeys },
      example: { body: creation, response: { data: { ...example(SYSTEM_API_KEY), key: "eyJhbGciOi…" } } },
      handler: async ({ context, body }) =>
        issued(SYSTEM_API_KEY, await apiKeys.issueSystem(context, wanted(body, clock))),
    }),
    route({
      method: "DELETE",
      path: "/v1/system/api_keys/{api_key_id}",
      operationId: "deleteSystemApiKey",
      summary: "Delete a system API key",
      description: "It is refused from then on.",
      action: "api_keys.all",
      status: 204,
      errors: { not_found: "There is no such system key.", invalid: "This is no id of such a key." },
      example: { parameters: { api_key_id: globalId(SYSTEM_API_KEY, 7) } },
      handler: async ({ context, params }) => {
        await apiKeys.removeSystem(context, requireKeyId(SYSTEM_API_KEY, params.api_key_id));
      },
    }),
  ];
}

/** What a new key is to be. Throws kind `invalid` when it would be over already. */
function wanted({ data }: ApiKeyCreation, clock: Clock): NewApiKey {
  const { name, description = null, expires_at: expiresUs = null } = data;
  if (expiresUs !== null && expiresUs <= clock.now()) throw expiryPast(formatInstant(expiresUs));
  return { name, description, expiresUs };
}

function issued(type: ApiKeyType, { apiKey, text }: IssuedApiKey) {
  return { data: { ...apiKeyBody(type, apiKey), key: text } };
}

function requireKeyId(type: ApiKeyType, id: string): number {
  const rowId = findRowId(type, id);
  if (rowId === null) throw keyIdInvalid(type, id);
  return rowId;
}
