// Accounts, for administrators and for the person concerned.
import type { ActionRows } from "../../../access/policy.ts";
import { feature, givenKey } from "../../feature.ts";
import type { UserChangesService } from "./user-changes.service.ts";
import { userRoutes } from "./users.routes.ts";
import type { UsersService } from "./users.service.ts";

/** Built before every feature, because each request is asked who it comes from (server/sign-ins.ts). */
export const givenAccounts = givenKey<{ readonly users: UsersService; readonly userChanges: UserChangesService }>(
  "accounts",
);

const actions = {
  /** The caller's own account. */
  viewer: { read: "self", update: "change_self" },
  users: { list: "oversee", create: "administer", delete: "administer", inspect: "inspect", govern: "govern" },
} as const satisfies ActionRows;
type UsersActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends UsersActions {}
}

export const usersFeature = feature("users", { actions }, ({ use }) => {
  const accounts = use(givenAccounts);
  return {
    service: accounts.users,
    routes: userRoutes(accounts.users),
    graphql: async () => {
      const { addUserTypes } = await import("./users.graphql.ts");
      return (types) => addUserTypes(types, accounts);
    },
  };
});
