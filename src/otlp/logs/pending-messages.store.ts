// The rows of messages whose span has not arrived.
import { sql } from "kysely";
import type { LoggedMessage } from "../../ingest/incoming-logs.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { removeBefore } from "../../storage/remove-before.ts";
import type { CallContext } from "../../storage/storage.ts";

interface PendingMessage {
  readonly id: number;
  readonly traceKey: string;
  readonly spanKey: string;
  readonly hasSpan: boolean;
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

    /** The next that wait, in the order of arrival, with whether their span is stored. As many are looked at, and not until as many are found:
     *  most may wait in vain, and every read is short. */
    async list(context: CallContext, { after, traceKeys, limit }: Wanted): Promise<PendingMessage[]> {
      const database = context.database.read(context, "short");
      let next = database
        .selectFrom("pending_messages")
        .select(["id", "trace_key", "span_key"])
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit);
      if (traceKeys !== null) next = next.where(dialect.inList(sql.ref("trace_key"), traceKeys));
      const rows = await database
        .selectFrom(next.as("next"))
        .leftJoin("traces", "traces.trace_key", "next.trace_key")
        .leftJoin("spans", (join) =>
          join.onRef("spans.trace_id", "=", "traces.id").onRef("spans.span_key", "=", "next.span_key"),
        )
        .select(["next.id", "next.trace_key", "next.span_key", "spans.id as span"])
        .orderBy("next.id")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        traceKey: row.trace_key,
        spanKey: row.span_key,
        hasSpan: row.span !== null,
      }));
    },

    /** Removes those that were received before an instant; answers how many. */
    removeOlder: (context: CallContext, beforeUs: number) =>
      removeBefore(context, "pending_messages", "received_us", beforeUs),
  };
}
