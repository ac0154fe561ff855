// Changes of the rows of users.
import { sql } from "kysely";
import type { PasswordChange, PersonRole } from "../../../access/roles.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { userFromRow } from "./user-row.store.ts";
import type { NewUser, User } from "./users.schema.ts";

export interface UserRowChanges {
  readonly username?: string;
  readonly role?: PersonRole;
  readonly password?: { readonly hash: string; readonly change: PasswordChange };
  readonly nowUs: number;
}

/** What a sign-in with a provider or directory changes; what is absent stays. */
export interface IdentityChanges {
  readonly role?: PersonRole;
  readonly email?: string;
  /** Null takes the picture away. */
  readonly profilePictureUrl?: string | null;
  readonly oauth2ClientId?: string;
  readonly oauth2UserId?: string;
  readonly ldapUniqueId?: string;
}

export function createUserChangesStore(dialect: Dialect) {
  return {
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
          profile_picture_url: user.profilePictureUrl ?? null,
          password_hash: user.passwordHash,
          password_change: user.passwordChange,
          oauth2_client_id: user.oauth2ClientId ?? null,
          oauth2_user_id: user.oauth2UserId ?? null,
          ldap_unique_id: user.ldapUniqueId ?? null,
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

    /** Null when the account is gone or was changed since it was read. Fails with code DUPLICATE when the address or the identity
     *  is taken. */
    async updateUnchanged(
      context: CallContext,
      account: Pick<User, "id" | "updatedUs">,
      changes: IdentityChanges & { readonly nowUs: number },
    ): Promise<User | null> {
      const { role, email, profilePictureUrl, oauth2ClientId, oauth2UserId, ldapUniqueId, nowUs } = changes;
      const row = await context.database
        .write(context)
        .updateTable("users")
        .set({
          // Later than before, also by a clock that went back: it tells whether the account was changed.
          updated_us: Math.max(nowUs, account.updatedUs + 1),
          ...(role === undefined ? {} : { role }),
          ...(email === undefined ? {} : { email }),
          ...(profilePictureUrl === undefined ? {} : { profile_picture_url: profilePictureUrl }),
          ...(oauth2ClientId === undefined ? {} : { oauth2_client_id: oauth2ClientId }),
          ...(oauth2UserId === undefined ? {} : { oauth2_user_id: oauth2UserId }),
          ...(ldapUniqueId === undefined ? {} : { ldap_unique_id: ldapUniqueId }),
        })
        .where("id", "=", account.id)
        .where("updated_us", "=", account.updatedUs)
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
