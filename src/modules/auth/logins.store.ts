// The rows of sign-ins: pairs of an access and a refresh token. The access token goes with its refresh token.
import { sql } from "kysely";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { TokenRow } from "./token.schema.ts";

export interface NewTokenRow {
  readonly userId: number;
  readonly randomHash: Uint8Array;
  readonly createdUs: number;
  readonly expiresUs: number;
}

export type LoginsStore = ReturnType<typeof createLoginsStore>;

/** Those who issue go side by side; who ends the sign-ins of an account waits for them, and they for it. */
type AccountLock = "to issue" | "to end";

export function createLoginsStore(dialect: Dialect) {
  async function findToken(
    context: CallContext,
    table: "access_tokens" | "refresh_tokens",
    id: number,
  ): Promise<TokenRow | null> {
    const row = await context.database
      .read(context, "short")
      .selectFrom(table)
      .innerJoin("users", "users.id", `${table}.user_id`)
      .select([`${table}.random_hash`, `${table}.expires_us`, `${table}.user_id`])
      .select(["users.role", "users.password_change"])
      .where(`${table}.id`, "=", id)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      randomHash: row.random_hash,
      expiresUs: row.expires_us,
      userId: row.user_id,
      role: row.role,
      passwordChange: row.password_change,
    };
  }

  const columnsOf = ({ userId, randomHash, createdUs, expiresUs }: NewTokenRow) => ({
    user_id: userId,
    random_hash: randomHash,
    created_us: createdUs,
    expires_us: expiresUs,
  });

  return {
    findAccessToken: (context: CallContext, id: number) => findToken(context, "access_tokens", id),
    findRefreshToken: (context: CallContext, id: number) => findToken(context, "refresh_tokens", id),

    /** Within a transaction, before its tokens change: no sign-in is issued while those of the account are being ended, which would
     *  outlive them. Returns when the account was last changed, or null when it is gone. */
    async lockAccount(context: CallContext, userId: number, lock: AccountLock): Promise<number | null> {
      const query = context.database.write(context).selectFrom("users").select("updated_us").where("id", "=", userId);
      // SQLite has one writer anyway.
      const strength = lock === "to issue" ? sql`for share` : sql`for no key update`;
      const row = await (dialect.name === "sqlite" ? query : query.modifyEnd(strength)).executeTakeFirst();
      return row?.updated_us ?? null;
    },

    /** Within a transaction: the two rows make one sign-in. */
    async insertPair(context: CallContext, access: NewTokenRow, refresh: NewTokenRow) {
      const database = context.database.write(context);
      const { id: refreshId } = await database
        .insertInto("refresh_tokens")
        .values(columnsOf(refresh))
        .returning("id")
        .executeTakeFirstOrThrow();
      const { id: accessId } = await database
        .insertInto("access_tokens")
        .values({ ...columnsOf(access), refresh_token_id: refreshId })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { accessId, refreshId };
    },

    /** Removes the refresh token with its access token; true for the one caller that did, however many try at once. */
    async takeRefreshToken(context: CallContext, id: number): Promise<boolean> {
      const removed = await context.database
        .write(context)
        .deleteFrom("refresh_tokens")
        .where("id", "=", id)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },

    async removeAccessToken(context: CallContext, id: number, userId: number): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("access_tokens")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .execute();
    },

    /** Within a transaction: every sign-in of the account, in every browser. */
    async removeOfUser(context: CallContext, userId: number): Promise<void> {
      const database = context.database.write(context);
      await database.deleteFrom("refresh_tokens").where("user_id", "=", userId).execute();
      await database.deleteFrom("access_tokens").where("user_id", "=", userId).execute();
    },
  };
}
