// When a person last got a notice that comes at most once in a while. The server that sets the new time sends it: one of several.
import type { CallContext } from "../../../storage/storage.ts";

export type SentNoticesStore = ReturnType<typeof createSentNoticesStore>;

export function createSentNoticesStore() {
  return {
    /** Whom a notice of the kind was sent to after the time. */
    async findSentAfter(context: CallContext, kind: string, afterUs: number): Promise<Set<number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("sent_notices")
        .select("user_id")
        .where("kind", "=", kind)
        .where("sent_us", ">", afterUs)
        .execute();
      return new Set(rows.map((row) => row.user_id));
    },

    /** True for the one that may send the notice now: the last one was sent at `beforeUs` or earlier. */
    async claim(
      context: CallContext,
      notice: { readonly kind: string; readonly userId: number; readonly nowUs: number; readonly beforeUs: number },
    ): Promise<boolean> {
      const claimed = await context.database
        .write(context)
        .insertInto("sent_notices")
        .values({ kind: notice.kind, user_id: notice.userId, sent_us: notice.nowUs })
        .onConflict((conflict) =>
          conflict
            .columns(["kind", "user_id"])
            .doUpdateSet({ sent_us: notice.nowUs })
            .where("sent_notices.sent_us", "<=", notice.beforeUs),
        )
        .returning("user_id")
        .executeTakeFirst();
      return claimed !== undefined;
    },

    /** As if the notice had been sent at another time. */
    async move(context: CallContext, kind: string, userId: number, sentUs: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("sent_notices")
        .set({ sent_us: sentUs })
        .where("kind", "=", kind)
        .where("user_id", "=", userId)
        .execute();
    },
  };
}
