// The rows that go with traces. Everything here runs under the lock of the traces
// (docs/protocol/storage.md#order-of-locks); what is to be deleted is looked up in delete-lists.store.ts.
import { type SqlBool, sql } from "kysely";
import { type OwnedRows, removeOwned } from "../../../storage/owned-tables.ts";
import { markBlocks } from "../../../storage/span-blocks.ts";
import type { CallContext } from "../../../storage/storage.ts";
export type DeleteStore = ReturnType<typeof createDeleteStore>;

export function createDeleteStore(rows: OwnedRows) {
  const { dialect } = rows;
  const remove = async (context: CallContext, ids: readonly number[]) => {
    const database = context.database.write(context);
    await markBlocks(database, ids);
    await removeOwned(database, rows, "span", ids);
    await database
      .deleteFrom("spans")
      .where(dialect.inList(sql.ref("id"), ids))
      .execute();
  };

  return {
    async spanIds(context: CallContext, traceIds: readonly number[]): Promise<number[]> {
      const rows = await context.database
        .write(context)
        .selectFrom("spans")
        .select("id")
        .where(dialect.inList(sql.ref("trace_id"), traceIds))
        .execute();
      return rows.map((row) => row.id);
    },

    /** Spans with everything that hangs on them. */
    removeSpans: remove,

    /** The rows of traces whose spans are gone. */
    async removeTraces(context: CallContext, ids: readonly number[]): Promise<void> {
      const database = context.database.write(context);
      await removeOwned(database, rows, "trace", ids);
      await database
        .deleteFrom("traces")
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
    },

    /** Those of the sessions that no trace is linked to, in the given project only if one is given. The sessions must be
     *  locked. */
    async removeEmptySessions(context: CallContext, ids: readonly number[], projectId: number | null): Promise<void> {
      if (ids.length === 0) return;
      // The count is a column of the row itself: read again when the row was changed meanwhile, which a subquery is not.
      const ofProject = projectId === null ? sql<SqlBool>`1 = 1` : sql<SqlBool>`project_id = ${projectId}`;
      const database = context.database.write(context);
      const removed = await database
        .deleteFrom("sessions")
        .where(dialect.inList(sql.ref("id"), ids))
        .where("trace_count", "=", 0)
        .where(ofProject)
        .returning("id")
        .execute();
      const removedIds = removed.map(({ id }) => id);
      await removeOwned(database, rows, "session", removedIds);
    },
  };
}
