// API keys, of people and of the system.

import { feature } from "../../feature.ts";
import { givenIdentity } from "../identity.feature.ts";
import { apiKeyRoutes } from "./api-keys.routes.ts";

export const apiKeysFeature = feature("api keys", ({ clock, use }) => {
  const identity = use(givenIdentity);
  return {
    service: identity.apiKeys,
    routes: apiKeyRoutes({ ...identity, clock }),
    graphql: async () => {
      const { addApiKeyTypes } = await import("./api-keys.graphql.ts");
      return (types) => addApiKeyTypes(types, identity);
    },
  };
});
