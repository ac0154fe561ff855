// How spans hang together: the children of each, and the links of whole traces.
import { sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";

export type SpanTreesStore = ReturnType<typeof createSpanTreesStore>;

export function createSpanTreesStore(dialect: Dialect) {
  return {
    /** How many children the spans have that the keys name, by row id of the parent. */
    async countChildren(context: CallContext, ids: readonly number[]): Promise<Map<number, number>> {
      // A value for each row: joined, PostgreSQL would read every span once the keys are many.
      const children = sql<number>`(select count(*) from spans as child
        where child.trace_id = spans.trace_id and child.parent_key = spans.span_key)`;
      const query = context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["spans.id", children.as("count")]);
      const rows = await query.where(dialect.inList(sql.ref("spans.id"), ids)).execute();
      return new Map(rows.map((row) => [row.id, Number(row.count)]));
    },

    /** Every span of the traces by start time, at most `most` in all. */
    async listLinks(context: CallContext, traceIds: readonly number[], most: number) {
      return context.database
        .read(context, "slow")
        .selectFrom("spans")
        .select(["spans.id", "spans.trace_id as traceId", "spans.span_key as spanKey", "spans.parent_key as parentKey"])
        .where(dialect.inList(sql.ref("spans.trace_id"), traceIds))
        .orderBy("spans.trace_id")
        .orderBy("spans.start_us")
        .orderBy("spans.id")
        .limit(most)
        .execute();
    },
  };
}
