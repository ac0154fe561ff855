// The rows of users. Addresses arrive normalised (`normalisedEmail`).
import { type Selectable, sql } from "kysely";
import type { PasswordChange, PersonRole } from "../../access/roles.ts";
import type { PageRequest, PlacedPage } from "../../kernel/list.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { arrivalOrder, readPage } from "../../storage/list.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { UsersTable } from "../../storage/tables.ts";
import type { NewUser, User } from "./users.schema.ts";

/** How a user is identified. Addresses and names are compared exactly. */
export type UserKey =
  | { readonly id: number }
  | { readonly email: string }
  | { readonly username: string }
  /** The one account of role SYSTEM. */
  | { readonly role: "SYSTEM" };

export interface UserRowChanges {
  readonly username?: string;
  readonly role?: PersonRole;
  readonly password?: { readonly hash: string; readonly change: PasswordChange };
  readonly nowUs: number;
}

/** A user together with the PHC string of the password; null for accounts without one. */
interface UserWithPassword {
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

    /** Newest first, the SYSTEM account included. */
    async list(context: CallContext, request: PageRequest): Promise<PlacedPage<User>> {
      const query = context.database.read(context, "short").selectFrom("users").selectAll();
      const page = await readPage(query, arrivalOrder(sql.ref("id"), "desc"), request);
      return { ...page, items: page.items.map(userFromRow) };
    },

    /** Everybody but the SYSTEM account, in no order. */
    async listPeople(context: CallContext): Promise<User[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("users")
        .selectAll()
        .where("role", "<>", "SYSTEM")
        .execute();
      return rows.map(userFromRow);
    },

    async hasAdministrator(context: CallContext): Promise<boolean> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("users")
        .select("id")
        .where("role", "=", "ADMIN")
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Null when the name, the address or the identity is taken, or there is a SYSTEM account already. */
    async insert(context: CallContext, user: NewUser & { readonly nowUs: number }): Promise<User | null> {
      const row = await context.database
        .write(context)
        .insertInto("users")
        .values({
          role: user.role,
          auth_method: user.authMethod,
          username: user.username,
          email: user.email,
          profile_picture_url: null,
          password_hash: user.passwordHash,
          password_change: user.passwordChange,
          oauth2_client_id: user.oauth2ClientId ?? null,
          oauth2_user_id: user.oauth2UserId ?? null,
          ldap_unique_id: null,
          created_us: user.nowUs,
          updated_us: user.nowUs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : userFromRow(row);
    },

    /** Null when the user is gone. Fails with code DUPLICATE when the name is taken. */
    async update(context: CallContext, id: number, changes: UserRowChanges): Promise<User | null> {
      const { username, role, password, nowUs } = changes;
      const row = await context.database
        .write(context)
        .updateTable("users")
        .set({
          updated_us: nowUs,
          ...(username === undefined ? {} : { username }),
          ...(role === undefined ? {} : { role }),
          ...(password === undefined ? {} : { password_hash: password.hash, password_change: password.change }),
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : userFromRow(row);
    },

    /** The same password in a newer form, or one that was pending; nothing happens when it was changed meanwhile. */
    async replaceHash(
      context: CallContext,
      id: number,
      hashes: { readonly from: string; readonly to: string; readonly change?: PasswordChange },
    ) {
      await context.database
        .write(context)
        .updateTable("users")
        .set({
          password_hash: hashes.to,
          ...(hashes.change === undefined ? {} : { password_change: hashes.change }),
        })
        .where("id", "=", id)
        .where("password_hash", "=", hashes.from)
        .execute();
    },

    /** With sign-ins, reset links and own API keys; system keys belong to the SYSTEM account and stay. Returns the ids that
     *  were there. */
    async remove(context: CallContext, ids: readonly number[]): Promise<number[]> {
      const rows = await context.database
        .write(context)
        .deleteFrom("users")
        .where(dialect.inList(sql.ref("id"), ids))
        .returning("id")
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
