// Accounts over REST: what is answered and what may be sent. Members that an account does not have are left out.
import { type Static, Type } from "@sinclair/typebox";
import { userRoles } from "../../../access/roles.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { BoundedText, InstantText, Tagged, Words } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import { MAX_IDENTITY_BYTES } from "./provisioning/account.rules.ts";
import { type User, userGlobalId } from "./users.schema.ts";

const common = {
  id: Type.String(),
  created_at: InstantText(),
  updated_at: InstantText(),
  email: Type.String({ description: "Empty for accounts of a directory without addresses." }),
  username: Type.String(),
  role: Words(userRoles),
};
const LocalUser = Type.Object({
  ...common,
  auth_method: Type.Literal("LOCAL"),
  password_needs_reset: Type.Boolean({ description: "Whether the pages ask for a new password." }),
});
const Oauth2User = Type.Object({
  ...common,
  auth_method: Type.Literal("OAUTH2"),
  oauth2_client_id: Type.Optional(Type.String()),
  oauth2_user_id: Type.Optional(Type.String()),
  profile_picture_url: Type.Optional(Type.String()),
});
const LdapUser = Type.Object({ ...common, auth_method: Type.Literal("LDAP") });
export const UserBody = Tagged("auth_method", [LocalUser, Oauth2User, LdapUser], { $id: "User" });
export type UserBody = Static<typeof UserBody>;

const AnonymousUser = Type.Object({ auth_method: Type.Literal("ANONYMOUS") });

export const UserAnswer = Type.Object({ data: UserBody });
export const ViewerAnswer = Type.Object({
  data: Tagged("auth_method", [LocalUser, Oauth2User, LdapUser, AnonymousUser]),
});
export const UserPage = pageOf(UserBody);
export const UserQuery = Type.Object({ cursor: cursorParameter, limit: limitParameter({ default: 100 }) });

export function userBody(user: User): UserBody {
  const shared = {
    id: userGlobalId(user.id),
    created_at: formatInstant(user.createdUs),
    updated_at: formatInstant(user.updatedUs),
    email: user.email ?? "",
    username: user.username,
    role: user.role,
  };
  switch (user.authMethod) {
    case "LOCAL":
      return { ...shared, auth_method: "LOCAL", password_needs_reset: user.passwordChange !== "none" };
    case "LDAP":
      return { ...shared, auth_method: "LDAP" };
    case "OAUTH2":
      return {
        ...shared,
        auth_method: "OAUTH2",
        ...(user.oauth2ClientId === null ? {} : { oauth2_client_id: user.oauth2ClientId }),
        ...(user.oauth2UserId === null ? {} : { oauth2_user_id: user.oauth2UserId }),
        ...(user.profilePictureUrl === null ? {} : { profile_picture_url: user.profilePictureUrl }),
      };
  }
}

const sent = {
  email: Type.String(),
  username: Type.String(),
  /** Roles are taken in any letter case. */
  role: Words(userRoles, { violation: "enum", anyCase: true }),
};
const Identity = Type.Optional(BoundedText(MAX_IDENTITY_BYTES));

export const NewUserBody = Type.Object({
  user: Tagged("auth_method", [
    Type.Object({
      ...sent,
      auth_method: Type.Literal("LOCAL"),
      password: Type.Optional(
        Type.String({ description: "Without one the account has no password: the user asks for a reset mail." }),
      ),
    }),
    Type.Object({
      ...sent,
      auth_method: Type.Literal("OAUTH2"),
      oauth2_client_id: Identity,
      oauth2_user_id: Identity,
    }),
    Type.Object({ ...sent, auth_method: Type.Literal("LDAP") }),
  ]),
  send_welcome_email: Type.Boolean({ default: true }),
});
export type NewUserBody = Static<typeof NewUserBody>;
