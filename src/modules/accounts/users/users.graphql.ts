// Accounts in GraphQL. Who sees an address: administrators, and everybody their own.
import { isAdministrator } from "../../../access/policy.ts";
import { authorIdOf, type Principal } from "../../../access/principal.ts";
import { authMethods, personRoles, type UserRole, userRoles } from "../../../access/roles.ts";
import { cursorOrder, listConnection } from "../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { SECRET } from "../secrets/secrets.schema.ts";
import { addAuthor } from "./author.graphql.ts";
import type { UserChangesService } from "./user-changes.service.ts";
import { addUserMutations } from "./user-mutations.graphql.ts";
import { notOneself } from "./users.errors.ts";
import { type RoleNode, USER, USER_ROLE } from "./users.schema.ts";
import type { UsersService } from "./users.service.ts";

interface UserTypesServices {
  readonly users: UsersService;
  readonly userChanges: UserChangesService;
}

function roleNode(role: UserRole): RoleNode {
  return { id: userRoles.indexOf(role) + 1, name: role };
}

/** Whether the principal may know what only administrators and the person concerned know. */
export function isSelfOrAdministrator(principal: Principal, userId: number): boolean {
  return isAdministrator(principal) || authorIdOf(principal) === userId;
}

export function addUserTypes(types: GraphqlTypes, { users, userChanges }: UserTypesServices): void {
  const { builder } = types;
  const AuthMethod = builder.enumType("AuthMethod", { values: authMethods });
  types.defineNode(USER_ROLE, {
    find: (_call, id) => Promise.resolve(userRoles[id - 1] === undefined ? null : roleNode(userRoles[id - 1]!)),
    fields: (t) => ({ name: t.exposeString("name") }),
  });
  types.defineNode(USER, {
    find: (call, id) => {
      const { principal } = call.context;
      // With authentication off there is no current user.
      if (principal.kind === "open") return Promise.resolve(null);
      if (!isSelfOrAdministrator(principal, id)) throw notOneself();
      return call.load(users.findUsers, id, null);
    },
    fields: (t) => ({
      username: t.exposeString("username"),
      email: t.string({
        nullable: true,
        description: "Null for those who may not know it, and for accounts of a directory without addresses.",
        resolve: ({ id, email }, _given, call) => (isSelfOrAdministrator(call.context.principal, id) ? email : null),
      }),
      profilePictureUrl: t.exposeString("profilePictureUrl", { nullable: true }),
      authMethod: t.field({ type: AuthMethod, resolve: ({ authMethod }) => authMethod }),
      role: t.field({ type: types.ref(USER_ROLE), resolve: ({ role }) => roleNode(role) }),
      passwordNeedsReset: t.boolean({
        description: "Whether the pages ask for a new password.",
        resolve: ({ passwordChange }) => passwordChange !== "none",
      }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      isManagementUser: t.boolean({
        description: "Whether the link of SERVICE_MANAGEMENT_URL is for this person.",
        resolve: (user) => users.isConfiguredAdmin(user),
      }),
    }),
  });
  addAuthor(types, users, SECRET, "Who stored it last.");

  builder.queryFields((t) => ({
    viewer: t.field({
      type: types.ref(USER),
      nullable: true,
      description: "The account of the caller; null while authentication is off.",
      may: "viewer.read",
      resolve: (_root, _given, call) => users.findViewer(call.context),
    }),
    users: t.field({
      type: types.connection(USER),
      description: "Everybody but the system account, by address.",
      may: "users.inspect",
      args: types.pagingArguments(),
      resolve: (_root, page, call, info) =>
        listConnection({ call, info }, page, cursorOrder("email", "asc", "text"), (request) =>
          users.listPeople(call.context, request),
        ),
    }),
    userRoles: t.field({
      may: "graphql.query",
      type: [types.ref(USER_ROLE)],
      description: "What a person can be.",
      resolve: () => personRoles.map(roleNode),
    }),
  }));
  addUserMutations(types, AuthMethod, { users, userChanges });
}
