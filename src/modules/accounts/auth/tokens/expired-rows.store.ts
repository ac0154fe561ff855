// Rows of tokens and keys whose time is over.
import type { CallContext } from "../../../../storage/storage.ts";

const tables = [
  "access_tokens",
  "refresh_tokens",
  "spent_refresh_tokens",
  "password_reset_tokens",
  "api_keys",
] as const;
/** Of each table at a time; the next sweep takes the rest. */
const MOST_ROWS = 1000;

export function createExpiredRowsStore() {
  return {
    /** Nothing is written while nothing has expired. Row by row: a statement over several could wait for a sign-out that waits
     *  for it. Returns how many went. */
    async remove(context: CallContext, nowUs: number): Promise<number> {
      let removed = 0;
      for (const table of tables) {
        const rows = await context.database
          .read(context, "short")
          .selectFrom(table)
          .select("id")
          .where("expires_us", "<=", nowUs)
          .orderBy("expires_us")
          .limit(MOST_ROWS)
          .execute();
        for (const { id } of rows) {
          const { numDeletedRows } = await context.database
            .write(context)
            .deleteFrom(table)
            .where("id", "=", id)
            .executeTakeFirst();
          removed += Number(numDeletedRows);
        }
      }
      return removed;
    },
  };
}
