// What changes accounts in GraphQL. Rules of the input alone are checked before the caller's rights are: programs know that
// order.

import { type AuthMethod, personRoles } from "../../../access/roles.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { findRowId } from "../../../kernel/ids.ts";
import type { UserChangesService } from "./user-changes.service.ts";
import { invalidUserId, nothingToChange, noUserIds } from "./users.errors.ts";
import { USER, type User } from "./users.schema.ts";
import type { UsersService } from "./users.service.ts";

type Given = string | null | undefined;

/** An empty password counts as absent, as in `createUser`. */
const passwordOf = (text: Given) => text || null;

export function addUserMutations(
  types: GraphqlTypes,
  authMethod: ReturnType<GraphqlTypes["builder"]["enumType"]>,
  { users, userChanges }: { readonly users: UsersService; readonly userChanges: UserChangesService },
): void {
  const { builder } = types;
  const Role = builder.enumType("UserRoleInput", { values: personRoles });
  const CreateUserInput = builder.inputType("CreateUserInput", {
    fields: (t) => ({
      email: t.string({ required: true }),
      username: t.string({ required: true }),
      password: t.string(),
      role: t.field({ type: Role, required: true }),
      sendWelcomeEmail: t.boolean({ defaultValue: false }),
      authMethod: t.field({ type: authMethod, defaultValue: "LOCAL" }),
    }),
  });
  const PatchUserInput = builder.inputType("PatchUserInput", {
    fields: (t) => ({
      userId: t.id({ required: true }),
      newRole: t.field({ type: Role }),
      newUsername: t.string(),
      newPassword: t.string(),
    }),
  });
  const PatchViewerInput = builder.inputType("PatchViewerInput", {
    fields: (t) => ({ newUsername: t.string(), newPassword: t.string(), currentPassword: t.string() }),
  });
  const DeleteUsersInput = builder.inputType("DeleteUsersInput", {
    fields: (t) => ({ userIds: t.idList({ required: true }) }),
  });
  const UserMutationPayload = builder.objectRef<{ readonly user: User }>("UserMutationPayload").implement({
    fields: (t) => ({ user: t.field({ type: types.ref(USER), resolve: ({ user }) => user }) }),
  });
  const DeleteUsersPayload = builder
    .objectRef<{ readonly userIds: readonly string[] }>("DeleteUsersPayload")
    .implement({
      fields: (t) => ({ userIds: t.idList({ resolve: ({ userIds }) => [...userIds] }) }),
    });

  builder.mutationFields((t) => ({
    createUser: t.field({
      type: UserMutationPayload,
      may: "users.govern",
      adds: true,
      args: { input: t.arg({ type: CreateUserInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        user: await users.createUser(call.context, {
          authMethod: (input.authMethod ?? "LOCAL") as AuthMethod,
          email: input.email,
          username: input.username,
          role: input.role,
          password: passwordOf(input.password),
          passwordOptional: false,
          sendWelcome: input.sendWelcomeEmail ?? false,
        }),
      }),
    }),
    patchUser: t.field({
      type: UserMutationPayload,
      may: "users.govern",
      adds: false,
      requireInput: ({ input }) => requireSome(input.newRole, input.newUsername, input.newPassword),
      args: { input: t.arg({ type: PatchUserInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        user: await userChanges.changeUser(call.context, requireRowId(USER, input.userId), {
          role: input.newRole ?? null,
          username: input.newUsername ?? null,
          password: passwordOf(input.newPassword),
        }),
      }),
    }),
    patchViewer: t.field({
      type: UserMutationPayload,
      may: "viewer.update",
      adds: false,
      requireInput: ({ input }) => requireSome(input.newUsername, input.newPassword),
      args: { input: t.arg({ type: PatchViewerInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const password = passwordOf(input.newPassword);
        const user = await userChanges.changeViewer(call.context, {
          username: input.newUsername ?? null,
          password,
          currentPassword: input.currentPassword ?? null,
        });
        if (password !== null) call.endSignIn();
        return { user };
      },
    }),
    deleteUsers: t.field({
      type: DeleteUsersPayload,
      may: "users.govern",
      adds: true,
      requireInput: ({ input }) => void rowIdsOf(input.userIds),
      args: { input: t.arg({ type: DeleteUsersInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        await users.deleteUsers(call.context, rowIdsOf(input.userIds));
        return { userIds: input.userIds };
      },
    }),
  }));
}

function requireSome(...given: readonly Given[]): void {
  if (given.every((value) => value === null || value === undefined || value === "")) throw nothingToChange();
}

function rowIdsOf(ids: readonly string[]): number[] {
  if (ids.length === 0) throw noUserIds();
  return ids.map((id) => {
    const rowId = findRowId(USER, id);
    if (rowId === null) throw invalidUserId(id);
    return rowId;
  });
}
