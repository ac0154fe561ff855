// The rows of reset links: one a user, a new one takes the place of the last.
import type { CallContext } from "../../../storage/storage.ts";
import type { NewTokenRow } from "./tokens/logins.store.ts";
import type { TokenRow } from "./tokens/token.schema.ts";

export type PasswordResetStore = ReturnType<typeof createPasswordResetStore>;

export function createPasswordResetStore() {
  return {
    /** Its row id. The link before it carries another random value and is dead. */
    async replace(context: CallContext, { userId, randomHash, createdUs, expiresUs }: NewTokenRow): Promise<number> {
      const row = { random_hash: randomHash, created_us: createdUs, expires_us: expiresUs };
      const { id } = await context.database
        .write(context)
        .insertInto("password_reset_tokens")
        .values({ user_id: userId, ...row })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    },

    async find(
      context: CallContext,
      id: number,
    ): Promise<Pick<TokenRow, "randomHash" | "expiresUs" | "userId"> | null> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("password_reset_tokens")
        .select(["random_hash", "expires_us", "user_id"])
        .where("id", "=", id)
        .executeTakeFirst();
      return row === undefined ? null : { randomHash: row.random_hash, expiresUs: row.expires_us, userId: row.user_id };
    },

    /** Removes the link; true for the one caller that did, unless another link has taken its place. */
    async take(context: CallContext, id: number, randomHash: Uint8Array): Promise<boolean> {
      const removed = await context.database
        .write(context)
        .deleteFrom("password_reset_tokens")
        .where("id", "=", id)
        .where("random_hash", "=", randomHash)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },

    async removeOfUser(context: CallContext, userId: number): Promise<void> {
      await context.database.write(context).deleteFrom("password_reset_tokens").where("user_id", "=", userId).execute();
    },
  };
}
