// The span sums of one trace as rows, for recomputing them.
import { sql } from "kysely";
import type { SumVector } from "../../model/rollups/rollup.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";

export interface SumRow {
  readonly id: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly own: SumVector;
  readonly sums: SumVector;
  readonly onCycle: boolean;
}

export interface SumUpdate {
  readonly id: number;
  readonly sums: SumVector;
  readonly onCycle: boolean;
}

/** Rows read or written in one statement. */
export const ROWS_AT_ONCE = 2000;

export function createRollupsStore(storage: Storage) {
  const { dialect } = storage;
  // Cross joins: SQLite then keeps the order of the tables. It knows nothing of an empty table, and would rather go through all
  // traces and look for each whether it waits.
  return {
    /** Traces whose sums must be recomputed, oldest first; at most `limit`. */
    async listPending(context: CallContext, limit: number): Promise<{ id: number; traceKey: string }[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("pending_rollups")
        .crossJoin("traces")
        .whereRef("traces.id", "=", "pending_rollups.trace_id")
        .select(["traces.id", "traces.trace_key as traceKey"])
        .orderBy("pending_rollups.trace_id")
        .limit(limit)
        .execute();
      return rows;
    },

    /** Those of the traces, or of the project, that wait. */
    async listPendingOf(
      context: CallContext,
      chosen: { readonly traceIds: readonly number[] } | { readonly projectId: number },
    ): Promise<{ id: number; traceKey: string }[]> {
      const pending = context.database
        .read(context, "short")
        .selectFrom("pending_rollups")
        .crossJoin("traces")
        .whereRef("traces.id", "=", "pending_rollups.trace_id")
        .select(["traces.id", "traces.trace_key as traceKey"]);
      return "projectId" in chosen
        ? pending.where(dialect.withoutIndex(sql.ref<number>("traces.project_id")), "=", chosen.projectId).execute()
        : pending.where(dialect.inList(sql.ref("pending_rollups.trace_id"), chosen.traceIds)).execute();
    },

    async isPending(context: CallContext, traceId: number): Promise<boolean> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("pending_rollups")
        .select("trace_id")
        .where("trace_id", "=", traceId)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** All spans of a trace with their own counts and their stored sums, read in slices: in the order of an index of the trace, so
     *  that none reads what those before it did. */
    async readSums(context: CallContext, traceId: number): Promise<SumRow[]> {
      const found: SumRow[] = [];
      for (let after: string | null = null; ; ) {
        let slice = context.database
          .read(context, "short")
          .selectFrom("spans")
          .select(["id", "span_key", "parent_key", "status", "prompt_tokens", "completion_tokens"])
          .select(["sum_errors", "sum_prompt", "sum_completion", "on_cycle"])
          .where("trace_id", "=", traceId)
          .orderBy("span_key")
          .limit(ROWS_AT_ONCE);
        if (after !== null) slice = slice.where("span_key", ">", after);
        const rows = await slice.execute();
        for (const row of rows) {
          found.push({
            id: row.id,
            spanKey: row.span_key,
            parentKey: row.parent_key,
            own: {
              errors: row.status === ERROR_STATUS ? 1 : 0,
              prompt: row.prompt_tokens ?? 0,
              completion: row.completion_tokens ?? 0,
            },
            sums: { errors: row.sum_errors, prompt: row.sum_prompt, completion: row.sum_completion },
            onCycle: row.on_cycle !== 0,
          });
        }
        if (rows.length < ROWS_AT_ONCE) return found;
        after = rows.at(-1)!.span_key;
      }
    },

    async writeSums(context: CallContext, updates: readonly SumUpdate[]): Promise<void> {
      if (updates.length === 0) return;
      const rows = updates.map(({ id, sums, onCycle }) => [
        id,
        sums.errors,
        sums.prompt,
        sums.completion,
        onCycle ? 1 : 0,
      ]);
      const table = dialect.integerRows(["id", "errors", "prompt", "completion", "on_cycle"], rows);
      await sql`
        update spans set sum_errors = new.errors, sum_prompt = new.prompt, sum_completion = new.completion,
          on_cycle = new.on_cycle
        from ${table} as new where spans.id = new.id`.execute(context.database.write(context));
    },

    /** Differs when spans of the trace came or went meanwhile. */
    async readVersion(context: CallContext, traceId: number): Promise<{ spanCount: number; newestId: number }> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("spans")
        .select((eb) => [eb.fn.countAll<number>().as("spanCount"), eb.fn.max("id").as("newestId")])
        .where("trace_id", "=", traceId)
        .executeTakeFirstOrThrow();
      return { spanCount: Number(row.spanCount), newestId: row.newestId ?? 0 };
    },

    async markSettled(context: CallContext, traceId: number, hasCycle: boolean): Promise<void> {
      const database = context.database.write(context);
      await database
        .updateTable("traces")
        .set({ has_cycle: hasCycle ? 1 : 0 })
        .where("id", "=", traceId)
        .where("has_cycle", "<>", hasCycle ? 1 : 0)
        .execute();
      await database.deleteFrom("pending_rollups").where("trace_id", "=", traceId).execute();
    },
  };
}

/** The code of ERROR in `spanStatuses`. */
const ERROR_STATUS = 2;
