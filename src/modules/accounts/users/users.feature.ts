// Accounts, for administrators and for the person concerned.

import { feature } from "../../feature.ts";
import { givenIdentity } from "../identity.feature.ts";
import { userRoutes } from "./users.routes.ts";

export const usersFeature = feature("users", ({ use }) => {
  const identity = use(givenIdentity);
  return {
    service: identity.users,
    routes: userRoutes(identity.users),
    graphql: async () => {
      const { addUserTypes } = await import("./users.graphql.ts");
      return (types) => addUserTypes(types, identity);
    },
  };
});
