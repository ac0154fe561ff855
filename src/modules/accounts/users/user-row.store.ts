// A row of users as the rest of the program knows it: without the password.
import type { Selectable } from "kysely";
import type { User } from "./users.schema.ts";
import type { UsersTable } from "./users.tables.ts";

export function userFromRow(row: Selectable<UsersTable>): User {
  return {
    id: row.id,
    role: row.role,
    authMethod: row.auth_method,
    username: row.username,
    email: row.email,
    profilePictureUrl: row.profile_picture_url,
    passwordChange: row.password_change,
    oauth2ClientId: row.oauth2_client_id,
    oauth2UserId: row.oauth2_user_id,
    ldapUniqueId: row.ldap_unique_id,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}
