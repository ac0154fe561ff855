// The rows of messages whose span has not arrived.
import { sql } from "kysely";
import type { LoggedMessage } from "../../ingest/incoming-logs.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";

interface PendingMessage {
  readonly id: number;
  readonly traceKey: string;
  readonly spanKey: string;
}

interface Wanted {
  /** Beyond this id. */
  readonly after: number;
  /** Of these traces alone, if any are given. */
  readonly traceKeys: readonly string[] | null;
  readonly limit: number;
}

export type PendingMessagesStore = ReturnType<typeof createPendingMessagesStore>;

export function createPendingMessagesStore(dialect: Dialect) {
  return {
    /** Those that wait already stay as they are. */
    async add(context: CallContext, messages: readonly LoggedMessage[], receivedUs: number): Promise<void> {
      const rows = messages.map(({ traceKey, spanKey, digest, body }) => [traceKey, spanKey, digest, body]);
      const read = rows[0]!.map((_, position) => dialect.member(sql.ref("value"), position, "text"));
      await sql`insert into pending_messages (trace_key, span_key, digest, body, received_us)
        select ${sql.join(read)}, ${sql.lit(receivedUs)} from ${dialect.jsonRows(rows)} where true
        on conflict do nothing`.execute(context.database.write(context));
    },

    async hasAny(context: CallContext): Promise<boolean> {
      const { rows } = await sql`select id from pending_messages limit 1`.execute(
        context.database.read(context, "short"),
      );
      return rows.length > 0;
    },

    /** Those whose span is stored, in the order of arrival. */
    async listArrived(context: CallContext, { after, traceKeys, limit }: Wanted): Promise<PendingMessage[]> {
      let query = context.database
        .read(context, "short")
        .selectFrom("pending_messages")
        .innerJoin("traces", "traces.trace_key", "pending_messages.trace_key")
        .innerJoin("spans", (join) =>
          join.onRef("spans.trace_id", "=", "traces.id").onRef("spans.span_key", "=", "pending_messages.span_key"),
        )
        .select(["pending_messages.id", "pending_messages.trace_key", "pending_messages.span_key"])
        .where("pending_messages.id", ">", after);
      if (traceKeys !== null) query = query.where(dialect.inList(sql.ref("pending_messages.trace_key"), traceKeys));
      const rows = await query.orderBy("pending_messages.id").limit(limit).execute();
      return rows.map((row) => ({ id: row.id, traceKey: row.trace_key, spanKey: row.span_key }));
    },

    /** Removes those that were received before an instant; answers how many. */
    async removeOlder(context: CallContext, beforeUs: number): Promise<number> {
      // Nothing is written where nothing is old: the writer may be busy, or the file locked.
      const oldest = await context.database
        .read(context, "short")
        .selectFrom("pending_messages")
        .select("id")
        .where("received_us", "<", beforeUs)
        .limit(1)
        .executeTakeFirst();
      if (oldest === undefined) return 0;
      const removed = await context.database
        .write(context)
        .deleteFrom("pending_messages")
        .where("received_us", "<", beforeUs)
        .executeTakeFirst();
      return Number(removed.numDeletedRows);
    },
  };
}
