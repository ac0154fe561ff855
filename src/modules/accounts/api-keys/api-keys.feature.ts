// API keys, of people and of the system.
import { feature, givenKey } from "../../feature.ts";
import { givenAccounts } from "../users/users.feature.ts";
import { apiKeyRoutes } from "./api-keys.routes.ts";
import type { ApiKeysService } from "./api-keys.service.ts";

/** Built with the accounts: requests are asked for their key. */
export const givenApiKeys = givenKey<ApiKeysService>("API keys");

export const apiKeysFeature = feature("api keys", ({ clock, use }) => {
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
