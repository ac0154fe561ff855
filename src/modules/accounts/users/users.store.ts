// The rows of users; user-changes.store.ts changes them. Addresses arrive normalised (`normalisedEmail`).
import { type Selectable, sql } from "kysely";
import { type ARRIVAL, mapPage, type PlacedPage, type SortedRequest } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, type ListOrder, readPage, textOrder } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { createUserChangesStore } from "./user-changes.store.ts";
import { userFromRow } from "./user-row.store.ts";
import type { User } from "./users.schema.ts";
import type { UsersTable } from "./users.tables.ts";

/** How a user is identified. Addresses and names are compared exactly. */
export type UserKey =
  | { readonly id: number }
  | { readonly email: string }
  | { readonly username: string }
  | { readonly oauth2ClientId: string; readonly oauth2UserId: string }
  | { readonly ldapUniqueId: string }
  /** The one account of role SYSTEM. */
  | { readonly role: "SYSTEM" };

/** By address those without one come last. */
type UserSort = typeof ARRIVAL | "email";

/** Behind every address. */
const LAST = "\u{10FFFF}";

/** A user together with the PHC string of the password; null for accounts without one. */
interface UserWithPassword {
  readonly user: User;
  readonly passwordHash: string | null;
}

export type UsersStore = ReturnType<typeof createUsersStore>;

export function createUsersStore(dialect: Dialect) {
  async function findRow(context: CallContext, key: UserKey): Promise<Selectable<UsersTable> | undefined> {
    const query = context.database.read(context, "short").selectFrom("users").selectAll();
    if ("id" in key) return query.where("id", "=", key.id).executeTakeFirst();
    if ("email" in key) return query.where("email", "=", key.email).executeTakeFirst();
    if ("ldapUniqueId" in key) return query.where("ldap_unique_id", "=", key.ldapUniqueId).executeTakeFirst();
    if ("oauth2ClientId" in key) {
      return query
        .where("oauth2_client_id", "=", key.oauth2ClientId)
        .where("oauth2_user_id", "=", key.oauth2UserId)
        .executeTakeFirst();
    }
    if ("username" in key) return query.where("username", "=", key.username).executeTakeFirst();
    return query.where("role", "=", key.role).executeTakeFirst();
  }

  return {
    ...createUserChangesStore(dialect),

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

    /** In the order of arrival with the SYSTEM account, by address without it. */
    async list(context: CallContext, request: SortedRequest<UserSort>): Promise<PlacedPage<User>> {
      let query = context.database.read(context, "short").selectFrom("users").selectAll();
      let order: ListOrder = arrivalOrder(sql.ref("users.id"), request.order);
      if (request.sort === "email") {
        query = query.where("role", "<>", "SYSTEM");
        const address = sql<string>`coalesce(users.email, ${LAST})`;
        order = textOrder(address, sql.ref("users.id"), request.order);
      }
      return mapPage(await readPage(query, order, request), userFromRow);
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
  };
}
