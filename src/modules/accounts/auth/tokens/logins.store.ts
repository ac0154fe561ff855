// The rows of sign-ins: pairs of an access and a refresh token. The access token goes with its refresh token.
import { sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { type TokenRow, tokenFromRow } from "./token.schema.ts";

export interface NewTokenRow {
  readonly userId: number;
  readonly randomHash: Uint8Array;
  readonly createdUs: number;
  readonly expiresUs: number;
}

/** A sign-in, however often it was renewed. */
export interface Login {
  /** Row id of its first refresh token; ids are given once. */
  readonly id: number;
  readonly startedUs: number;
}

export type RefreshTokenRow = TokenRow & { readonly login: Login };

/** What is left of a refresh token that was traded for another. */
interface SpentTokenRow {
  readonly randomHash: Uint8Array;
  readonly userId: number;
  readonly loginId: number;
  readonly spentUs: number;
}

export type LoginsStore = ReturnType<typeof createLoginsStore>;

/** Shared lock for issuing, exclusive lock for ending an account's sign-ins. */
type AccountLock = "to issue" | "to end";

export function createLoginsStore(dialect: Dialect) {
  /** The rows of a kind of token, joined with their accounts. */
  const tokensOf = (context: CallContext, table: "access_tokens" | "refresh_tokens", id: number) =>
    context.database
      .read(context, "short")
      .selectFrom(table)
      .innerJoin("users", "users.id", `${table}.user_id`)
      .select([`${table}.random_hash`, `${table}.expires_us`, `${table}.user_id`])
      .select(["users.role", "users.password_change"])
      .where(`${table}.id`, "=", id);

  const columnsOf = ({ userId, randomHash, createdUs, expiresUs }: NewTokenRow) => ({
    user_id: userId,
    random_hash: randomHash,
    created_us: createdUs,
    expires_us: expiresUs,
  });

  return {
    async findAccessToken(context: CallContext, id: number): Promise<TokenRow | null> {
      const row = await tokensOf(context, "access_tokens", id).executeTakeFirst();
      return row === undefined ? null : tokenFromRow(row);
    },

    async findRefreshToken(context: CallContext, id: number): Promise<RefreshTokenRow | null> {
      const row = await tokensOf(context, "refresh_tokens", id)
        .select(["refresh_tokens.created_us", "refresh_tokens.login_id", "refresh_tokens.login_us"])
        .executeTakeFirst();
      if (row === undefined) return null;
      return { ...tokenFromRow(row), login: { id: row.login_id ?? id, startedUs: row.login_us ?? row.created_us } };
    },

    async findSpentToken(context: CallContext, id: number): Promise<SpentTokenRow | null> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("spent_refresh_tokens")
        .select(["random_hash", "user_id", "login_id", "spent_us"])
        .where("id", "=", id)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { randomHash: row.random_hash, userId: row.user_id, loginId: row.login_id, spentUs: row.spent_us };
    },

    /** Within a transaction, before its tokens change: no sign-in is issued while those of the account are being ended, which would
     *  outlive them. Returns when the account was last changed, or null when it is gone. */
    async lockAccount(context: CallContext, userId: number, lock: AccountLock): Promise<number | null> {
      const query = context.database.write(context).selectFrom("users").select("updated_us").where("id", "=", userId);
      // SQLite has one writer anyway.
      const strength = lock === "to issue" ? sql`for share` : sql`for no key update`;
      const row = await (dialect.name === "sqlite" ? query : query.modifyEnd(strength)).executeTakeFirst();
      return row?.updated_us ?? null;
    },

    /** Within a transaction: the two rows go on with a sign-in, or begin one for null. */
    async insertPair(context: CallContext, access: NewTokenRow, refresh: NewTokenRow, login: Login | null) {
      const database = context.database.write(context);
      const { id: refreshId } = await database
        .insertInto("refresh_tokens")
        .values({ ...columnsOf(refresh), login_id: login?.id ?? null, login_us: login?.startedUs ?? null })
        .returning("id")
        .executeTakeFirstOrThrow();
      const { id: accessId } = await database
        .insertInto("access_tokens")
        .values({ ...columnsOf(access), refresh_token_id: refreshId })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { accessId, refreshId };
    },

    /** Within a transaction: removes the refresh token with its access token and notes that it is spent; true for the one caller
     *  that did, however many try at once. */
    async spendRefreshToken(context: CallContext, id: number, nowUs: number): Promise<boolean> {
      const database = context.database.write(context);
      const spent = await database
        .deleteFrom("refresh_tokens")
        .where("id", "=", id)
        .returning(["user_id", "login_id", "random_hash", "expires_us"])
        .executeTakeFirst();
      if (spent === undefined) return false;
      await database
        .insertInto("spent_refresh_tokens")
        .values({ ...spent, id, login_id: spent.login_id ?? id, spent_us: nowUs })
        .execute();
      return true;
    },

    /** Within a transaction: the tokens of one sign-in, and what is known of its spent ones. */
    async removeLogin(context: CallContext, loginId: number): Promise<void> {
      const database = context.database.write(context);
      await database.deleteFrom("refresh_tokens").where("login_id", "=", loginId).execute();
      await database.deleteFrom("refresh_tokens").where("id", "=", loginId).execute();
      await database.deleteFrom("spent_refresh_tokens").where("login_id", "=", loginId).execute();
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
      await database.deleteFrom("spent_refresh_tokens").where("user_id", "=", userId).execute();
      await database.deleteFrom("access_tokens").where("user_id", "=", userId).execute();
    },
  };
}
