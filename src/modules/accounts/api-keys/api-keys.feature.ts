// API keys, of people and of the system.
import type { ActionRows } from "../../../access/policy.ts";
import { feature, givenKey } from "../../feature.ts";
import { givenAccounts } from "../users/users.feature.ts";
import { apiKeyRoutes } from "./api-keys.routes.ts";
import type { ApiKeysService } from "./api-keys.service.ts";

/** Built with the accounts: requests are asked for their key. */
export const givenApiKeys = givenKey<ApiKeysService>("API keys");

const actions = {
  /** `…_own` and `…_system` as REST asks for them; GraphQL asks `own`, `issue_own`, `inspect`, `govern` and `govern_issue`. */
  api_keys: {
    own: "own_keys",
    issue_own: "issue_own_key",
    remove_own: "remove_own_key",
    all: "all_keys",
    issue_system: "issue_system_key",
    inspect: "inspect",
    govern: "govern",
    govern_issue: "govern_issue",
  },
} as const satisfies ActionRows;
type ApiKeysActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends ApiKeysActions {}
}

export const apiKeysFeature = feature("api keys", { actions }, ({ clock, use }) => {
  const services = { users: use(givenAccounts).users, apiKeys: use(givenApiKeys) };
  return {
    service: services.apiKeys,
    routes: apiKeyRoutes({ ...services, clock }),
    graphql: async () => {
      const { addApiKeyTypes } = await import("./api-keys.graphql.ts");
      return (types) => addApiKeyTypes(types, services);
    },
  };
});
