// The rows of users. Addresses arrive normalised (`normalisedEmail`).
import { type Selectable, sql } from "kysely";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { UsersTable } from "../../storage/tables.ts";
import type { User } from "./users.schema.ts";

/** How a user is told apart. Addresses and names are compared exactly. */
export type UserKey =
  | { readonly id: number }
  | { readonly email: string }
  | { readonly username: string }
  /** The one account of role SYSTEM. */
  | { readonly role: "SYSTEM" };

/** A user together with the PHC string of the password; null for accounts without one. */
export interface UserWithPassword {
  readonly user: User;
  readonly passwordHash: string | null;
}

function userFromRow(row: Selectable<UsersTable>): User {
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

export type UsersStore = ReturnType<typeof createUsersStore>;

export function createUsersStore(dialect: Dialect) {
  async function findRow(context: CallContext, key: UserKey): Promise<Selectable<UsersTable> | undefined> {
    const query = context.database.read(context, "short").selectFrom("users").selectAll();
    if ("id" in key) return query.where("id", "=", key.id).executeTakeFirst();
    if ("email" in key) return query.where("email", "=", key.email).executeTakeFirst();
    if ("username" in key) return query.where("username", "=", key.username).executeTakeFirst();
    return query.where("role", "=", key.role).executeTakeFirst();
  }

  return {
    async find(context: CallContext, key: UserKey): Promise<User | null> {
      const row = await findRow(context, key);
      return row === undefined ? null : userFromRow(row);
    },

    /** For the check of a password alone: the hash goes nowhere else. */
    async findWithPassword(context: CallContext, key: UserKey): Promise<UserWithPassword | null> {
      const row = await findRow(context, key);
      return row === undefined ? null : { user: userFromRow(row), passwordHash: row.password_hash };
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<User[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("users")
        .selectAll()
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(userFromRow);
    },
  };
}
