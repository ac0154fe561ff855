// The rows of annotations whose span, trace or session has not arrived.
import { type SqlBool, sql } from "kysely";
import type { AnnotationTarget } from "../../../../model/annotation.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { removeBefore } from "../../../../storage/remove-before.ts";
import type { CallContext } from "../../../../storage/storage.ts";

export interface PendingAnnotation {
  readonly target: AnnotationTarget;
  readonly targetKey: string;
  /** JSON of the annotation (`NewAnnotation` with source and author). */
  readonly body: string;
  readonly receivedUs: number;
}

export interface StoredPendingAnnotation extends PendingAnnotation {
  readonly id: number;
}

export type PendingAnnotationsStore = ReturnType<typeof createPendingAnnotationsStore>;

export function createPendingAnnotationsStore(dialect: Dialect) {
  return {
    async add(context: CallContext, rows: readonly PendingAnnotation[]): Promise<void> {
      const values = rows.map(({ target, targetKey, body, receivedUs }) => [target, targetKey, body, receivedUs]);
      const read = (["text", "text", "text", "integer"] as const).map((type, position) =>
        dialect.member(sql.ref("value"), position, type),
      );
      await sql`insert into pending_annotations (target, target_key, body, received_us)
        select ${sql.join(read)} from ${dialect.jsonRows(values)}`.execute(context.database.write(context));
    },

    /** Whether any wait. */
    async hasAny(context: CallContext): Promise<boolean> {
      const { rows } = await sql<{ id: number }>`select id from pending_annotations limit 1`.execute(
        context.database.read(context, "short"),
      );
      return rows.length > 0;
    },

    /** Those beyond an id, in the order of arrival, at most `limit`; of given external ids alone, if any are given. */
    async list(
      context: CallContext,
      {
        after,
        keys,
        limit,
      }: { readonly after: number; readonly keys: readonly string[] | null; readonly limit: number },
    ): Promise<StoredPendingAnnotation[]> {
      const isWanted = keys === null ? sql<SqlBool>`1 = 1` : dialect.inList(sql.ref("target_key"), keys);
      const { rows } = await sql<StoredPendingAnnotation>`
        select id, target, target_key as "targetKey", body, received_us as "receivedUs" from pending_annotations
        where id > ${after} and ${isWanted} order by id limit ${limit}`.execute(
        context.database.read(context, "short"),
      );
      return rows;
    },

    async remove(context: CallContext, ids: readonly number[]): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("pending_annotations")
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
    },

    /** Removes those that were received before an instant; answers how many. */
    removeOlder: (context: CallContext, beforeUs: number) =>
      removeBefore(context, "pending_annotations", "received_us", beforeUs),
  };
}
