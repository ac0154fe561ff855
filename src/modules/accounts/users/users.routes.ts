// Accounts over REST.
import { type RouteModule, route } from "../../../api/route.ts";
import { findRowId } from "../../../kernel/ids.ts";
import { arrivalCursors, pageBody } from "../../../kernel/list.ts";
import { NewUserBody, UserAnswer, UserPage, UserQuery, userBody, ViewerAnswer } from "./user-bodies.schema.ts";
import { invalidUserGlobalId, systemRoleRefused } from "./users.errors.ts";
import { USER } from "./users.schema.ts";
import type { UsersService, WantedUser } from "./users.service.ts";

const parameters = { user_id: "VXNlcjoz" };
const user = {
  id: parameters.user_id,
  created_at: "2026-03-01T09:30:00+00:00",
  updated_at: "2026-03-01T09:30:00+00:00",
  email: "ann@example.com",
  username: "ann",
  role: "MEMBER",
  auth_method: "LOCAL",
  password_needs_reset: true,
};

export function userRoutes(users: UsersService): RouteModule {
  return {
    name: "users",
    routes: [
      route({
        method: "GET",
        path: "/v1/user",
        operationId: "getViewer",
        summary: "Get the account of the caller",
        description:
          "The system account for system API keys and the admin secret; only `auth_method` `ANONYMOUS` while authentication is off.",
        action: "viewer.read",
        status: 200,
        response: ViewerAnswer,
        errors: { unauthenticated: "The account is gone." },
        example: { response: { data: user } },
        handler: async ({ context }) => {
          const viewer = await users.findViewer(context);
          return { data: viewer === null ? { auth_method: "ANONYMOUS" as const } : userBody(viewer) };
        },
      }),
      route({
        method: "GET",
        path: "/v1/users",
        operationId: "getUsers",
        summary: "List accounts",
        description: "Newest first, the system account included; at most 1000 on a page.",
        action: "users.list",
        status: 200,
        query: UserQuery,
        response: UserPage,
        errors: { invalid: "The cursor is not one of this list." },
        example: { parameters: { limit: 10 }, response: { data: [user], next_cursor: null } },
        handler: async ({ context, query }) =>
          pageBody(await users.listUsers(context, query), arrivalCursors(USER), userBody),
      }),
      route({
        method: "POST",
        path: "/v1/users",
        operationId: "createUser",
        summary: "Create an account",
        description:
          "The address is stored trimmed and in lower case, role words are taken in any letter case. The pages ask a local account for a new password at its first sign-in.",
        action: "users.create",
        status: 201,
        links: { deleteUser: { user_id: "$response.body#/data/id" } },
        storageLocked: true,
        confidential: true,
        body: NewUserBody,
        response: UserAnswer,
        errors: {
          malformed: "The role is SYSTEM.",
          forbidden: "Local accounts cannot be made while sign-in by password is disabled.",
          conflict: "The name, the address or the identity is taken.",
          invalid: "The address is not valid, or the password is refused.",
        },
        example: {
          body: {
            user: {
              auth_method: "LOCAL",
              email: user.email,
              username: user.username,
              role: user.role,
              password: "Correct-Horse-42",
            },
            send_welcome_email: false,
          },
          response: { data: user },
        },
        handler: async ({ context, body }) => ({ data: userBody(await users.createUser(context, wantedUser(body))) }),
      }),
      route({
        method: "DELETE",
        path: "/v1/users/{user_id}",
        operationId: "deleteUser",
        summary: "Delete an account with its sign-ins and API keys",
        description: "System API keys and what the account has written stay.",
        action: "users.delete",
        status: 204,
        errors: {
          forbidden: "The account is the default administrator or the system account.",
          not_found: "No account has this id.",
          invalid: "The id is not that of an account.",
        },
        example: { parameters },
        handler: async ({ context, params }) => {
          const id = findRowId(USER, params.user_id);
          if (id === null) throw invalidUserGlobalId(params.user_id);
          await users.deleteUser(context, id);
        },
      }),
    ],
  };
}

function wantedUser({ user: sent, send_welcome_email: sendWelcome }: NewUserBody): WantedUser {
  const { auth_method: authMethod, email, username, role } = sent;
  if (role === "SYSTEM") throw systemRoleRefused();
  return {
    authMethod,
    email,
    username,
    role,
    sendWelcome,
    // Where it means nothing a password is ignored; around one that counts, blanks are no part of it.
    password: authMethod === "LOCAL" ? givenPassword(sent.password) : null,
    passwordOptional: true,
    oauth2ClientId: authMethod === "OAUTH2" ? (sent.oauth2_client_id ?? null) : null,
    oauth2UserId: authMethod === "OAUTH2" ? (sent.oauth2_user_id ?? null) : null,
  };
}

/** Null without one. Blanks alone are a password that the policy refuses. */
function givenPassword(password: string | undefined): string | null {
  if (password === undefined || password === "") return null;
  return password.trim() || password;
}
