// The rows of API keys. A key is a system key when the system account owns it; a row keeps the hash of the random value that the
// key carries, which is read by `findToken` alone.

import { sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readPage } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";

import { type TokenRow, tokenFromRow } from "../auth/tokens/token.schema.ts";
import type { ApiKey, NewApiKey } from "./api-keys.schema.ts";

interface NewApiKeyRow extends NewApiKey {
  readonly userId: number;
  /** Who made it, for the record; null for the admin secret. */
  readonly createdByUserId: number | null;
  readonly randomHash: Uint8Array;
  readonly nowUs: number;
}

/** Keys of one account, of the system account, or of all people. */
export type ApiKeyOwner = { readonly userId: number } | "system" | "people";

interface ApiKeyScope {
  readonly owner: ApiKeyOwner;
  /** Keys that are over by then are left out, though their rows may still be there. */
  readonly nowUs: number;
}

const columns = [
  "api_keys.id",
  "api_keys.user_id as userId",
  "api_keys.name",
  "api_keys.description",
  "api_keys.created_us as createdUs",
  "api_keys.expires_us as expiresUs",
] as const;

export type ApiKeysStore = ReturnType<typeof createApiKeysStore>;

export function createApiKeysStore(dialect: Dialect) {
  const keys = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("api_keys").innerJoin("users", "users.id", "api_keys.user_id");

  return {
    /** The row behind the key, for the look-up of credentials. */
    async findToken(context: CallContext, id: number): Promise<TokenRow | null> {
      const row = await keys(context)
        .select(["api_keys.random_hash", "api_keys.expires_us", "api_keys.user_id"])
        .select(["users.role", "users.password_change"])
        .where("api_keys.id", "=", id)
        .executeTakeFirst();
      return row === undefined ? null : tokenFromRow(row);
    },

    /** Newest first. */
    async list(context: CallContext, { owner, nowUs }: ApiKeyScope, request: PageRequest): Promise<PlacedPage<ApiKey>> {
      let query = keys(context)
        .select(columns)
        .where((where) => where.or([where("expires_us", "is", null), where("expires_us", ">", nowUs)]));
      if (owner === "system") query = query.where("users.role", "=", "SYSTEM");
      else if (owner === "people") query = query.where("users.role", "!=", "SYSTEM");
      else query = query.where("api_keys.user_id", "=", owner.userId);
      return readPage(query, arrivalOrder(sql.ref("api_keys.id"), "desc"), request);
    },

    /** Of all these people, newest first; the system account has system keys, which belong to no user. */
    async listOfUsers(context: CallContext, userIds: readonly number[], nowUs: number): Promise<ApiKey[]> {
      return keys(context)
        .select(columns)
        .where(dialect.inList(sql.ref("api_keys.user_id"), userIds))
        .where("users.role", "!=", "SYSTEM")
        .where((where) => where.or([where("expires_us", "is", null), where("expires_us", ">", nowUs)]))
        .orderBy("api_keys.id", "desc")
        .execute();
    },

    /** A key of an owner of this kind, also an expired one; null when it does not exist. */
    async find(context: CallContext, owner: "system" | "people", id: number): Promise<ApiKey | null> {
      const row = await keys(context)
        .select(columns)
        .where("api_keys.id", "=", id)
        .where("users.role", owner === "system" ? "=" : "!=", "SYSTEM")
        .executeTakeFirst();
      return row ?? null;
    },

    async insert(context: CallContext, key: NewApiKeyRow): Promise<ApiKey> {
      const { name, description, expiresUs, userId, nowUs } = key;
      const { id } = await context.database
        .write(context)
        .insertInto("api_keys")
        .values({
          user_id: userId,
          created_by_user_id: key.createdByUserId,
          name,
          description,
          random_hash: key.randomHash,
          created_us: nowUs,
          expires_us: expiresUs,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { id, userId, name, description, createdUs: nowUs, expiresUs };
    },

    /** False when it is gone already. */
    async remove(context: CallContext, id: number): Promise<boolean> {
      const removed = await context.database
        .write(context)
        .deleteFrom("api_keys")
        .where("id", "=", id)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}
