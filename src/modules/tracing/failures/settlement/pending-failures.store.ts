// Spans that may have failed and wait to be examined.
import { type RawBuilder, sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";

export interface PendingSpan {
  readonly id: number;
  readonly traceKey: string;
}

const ERROR = spanStatuses.indexOf("ERROR");
/** Kinds of spans that may fail without an error. */
const SILENT_KINDS = (["LLM", "TOOL", "GUARDRAIL"] as const).map((kind) => spanKinds.indexOf(kind));

/** Of a row of `spans`: it may have failed, as far as its columns tell. */
export function mayFail(dialect: Dialect, alias: string): RawBuilder<boolean> {
  const kind = dialect.inList(sql.ref(`${alias}.kind`), SILENT_KINDS);
  return sql<boolean>`(${sql.ref(`${alias}.status`)} = ${sql.lit(ERROR)} or ${kind})`;
}

/** The lowest row id of a span. */
const FIRST_ID = 1;

export type PendingFailuresStore = ReturnType<typeof createPendingFailuresStore>;

export function createPendingFailuresStore(dialect: Dialect) {
  const among = (column: string, ids: readonly number[]) => dialect.inList(sql.ref(column), ids);

  return {
    /** Highest id of the spans that wait to be examined; null where none waits. */
    async findNewestPending(context: CallContext): Promise<number | null> {
      const { newest } = await context.database
        .read(context, "short")
        .selectFrom("pending_failures")
        .select((of) => of.fn.max("span_id").as("newest"))
        .executeTakeFirstOrThrow();
      return newest;
    },

    /** The first of them by id, up to `newest`. */
    async listPending(context: CallContext, newest: number, limit: number): Promise<PendingSpan[]> {
      // Cross joins: SQLite then keeps the order of the tables.
      return context.database
        .read(context, "short")
        .selectFrom("pending_failures")
        .crossJoin("spans")
        .crossJoin("traces")
        .whereRef("spans.id", "=", "pending_failures.span_id")
        .whereRef("traces.id", "=", "spans.trace_id")
        .select(["spans.id", "traces.trace_key as traceKey"])
        .where("pending_failures.span_id", "<=", newest)
        .orderBy("pending_failures.span_id")
        .limit(limit)
        .execute();
    },

    /** Lets transactions that change groups come one after the other, to the end of this one. */
    async lock(context: CallContext): Promise<void> {
      await context.database
        .write(context)
        .updateTable("failure_scans")
        .set({ settlements: sql`settlements + 1` })
        .where("id", "=", 1)
        .execute();
    },

    /** Those of the spans that still wait; they do no longer. */
    async takePending(context: CallContext, ids: readonly number[]): Promise<number[]> {
      const taken = await context.database
        .write(context)
        .deleteFrom("pending_failures")
        .where(among("span_id", ids))
        .returning("span_id")
        .execute();
      return taken.map(({ span_id }) => span_id);
    },

    /** Marks the next spans among those stored before failures were grouped; false after the last of them. */
    async markOlder(context: CallContext, span: number): Promise<boolean> {
      const database = context.database.write(context);
      const { below_id: below } = await database
        .selectFrom("failure_scans")
        .select("below_id")
        .where("id", "=", 1)
        .executeTakeFirstOrThrow();
      if (below <= FIRST_ID) return false;
      const from = Math.max(FIRST_ID, below - span);
      await sql`insert into pending_failures (span_id) select id from spans where id >= ${from} and id < ${below}
        and ${mayFail(dialect, "spans")} on conflict do nothing`.execute(database);
      await database.updateTable("failure_scans").set({ below_id: from }).where("id", "=", 1).execute();
      return true;
    },

    /** Whether there are spans that were stored before failures were grouped and are not marked yet. */
    async hasOlder(context: CallContext): Promise<boolean> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("failure_scans")
        .select("below_id")
        .where("id", "=", 1)
        .executeTakeFirstOrThrow();
      return row.below_id > FIRST_ID;
    },
  };
}
