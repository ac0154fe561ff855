// How spans hang together: the children of each, and the parents of whole traces.
import { sql } from "kysely";
import { type Dialect, MAX_PARTS } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ChildrenSlice, ParentLink } from "./span-tree.rules.ts";

interface Child {
  readonly parentId: number;
  readonly id: number;
  readonly startUs: number;
}

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

    /** Every span of the traces that has children, by start time, at most `most` in all. Children are counted in their index, so that
     *  spans without any are not read. */
    async listParents(context: CallContext, traceIds: readonly number[], most: number): Promise<ParentLink[]> {
      const counted = sql`(select trace_id, parent_key, count(*) as children from spans
        where ${dialect.inList(sql.ref("trace_id"), traceIds)} and parent_key is not null group by trace_id, parent_key)`;
      // Each found by its key, of which there is one; SQLite keeps the order in which a cross join is written.
      const found = await sql<ParentLink>`select spans.id, spans.trace_id as "traceId", spans.span_key as "spanKey",
          spans.parent_key as "parentKey", counted.children
        from ${counted} as counted cross join spans
        where spans.trace_id = counted.trace_id and spans.span_key = counted.parent_key
        order by spans.trace_id, spans.start_us, spans.id limit ${sql.lit(most)}`.execute(
        context.database.read(context, "slow"),
      );
      return found.rows.map((row) => ({ ...row, children: Number(row.children) }));
    },

    /** Row ids of the children of each span, by start. */
    async listChildren(
      context: CallContext,
      ids: readonly number[],
      { from, most, without }: ChildrenSlice,
    ): Promise<Map<number, number[]>> {
      const database = context.database.read(context, "slow");
      const found: Child[] = [];
      for (let first = 0; first < ids.length; first += MAX_PARTS) {
        const rows = dialect.rowsOfEach(ids.slice(first, first + MAX_PARTS), (parent) => {
          const others = without === null ? sql`` : sql`and child.id <> ${without}`;
          // The sum hides the order of the start, whose index has all of the trace: that of parents is to be read.
          return sql`select ${parent} as parent_id, child.id, child.start_us from spans as child
            where child.trace_id = (select trace_id from spans where id = ${parent})
              and child.parent_key = (select span_key from spans where id = ${parent}) ${others}
            order by child.start_us + 0, child.id limit ${sql.lit(most)} offset ${sql.lit(from)}`;
        });
        const part = await sql<Child>`select parent_id as "parentId", id, start_us as "startUs"
          from ${rows} as listed`.execute(database);
        found.push(...part.rows);
      }
      found.sort((one, other) => one.startUs - other.startUs || one.id - other.id);
      const byParent = Map.groupBy(found, ({ parentId }) => Number(parentId));
      return new Map([...byParent].map(([id, children]) => [id, children.map((child) => child.id)]));
    },
  };
}
