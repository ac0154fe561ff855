// The span sums of one trace as rows, for recomputing them.
import { type Selectable, sql } from "kysely";
import { spanKinds } from "../../model/span.ts";
import type { SumVector } from "../../model/summaries/rollups/rollup.ts";
import type { RecomputeRow } from "../../model/summaries/rollups/rollup-recompute.ts";
import { type CountedCall, callCountsOf } from "../../model/summaries/rollups/rollup-repeats.ts";
import { markBlocks } from "../../storage/span-blocks.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import type { Tables } from "../../storage/tables.ts";
import { createTraceSumsStore, type TraceSumsStore } from "../../storage/trace-sums.ts";

export interface SumRow extends RecomputeRow {
  readonly sums: SumVector;
  readonly onCycle: boolean;
  readonly repeatsChild: boolean;
}

export interface SumUpdate {
  readonly id: number;
  readonly sums: SumVector;
  readonly onCycle: boolean;
  readonly repeatsChild: boolean;
  /** Sums over spans leave it out from now on, or no longer. */
  readonly isCountedOtherwise: boolean;
}

/** What is known of a trace once all of its spans are computed. */
export interface SettledTrace {
  readonly hasCycle: boolean;
  /** Of all its spans, each call of a model once. */
  readonly counted: CountedCall;
}

/** Rows read or written in one statement. */
export const ROWS_AT_ONCE = 2000;

export function createRollupsStore(storage: Storage) {
  const { dialect } = storage;
  const traceSums = createTraceSumsStore(storage);
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
          .select(["id", "span_key", "parent_key", "kind", "status", "prompt_tokens", "completion_tokens"])
          .select(["sum_errors", "sum_prompt", "sum_completion", "on_cycle", "repeats_child"])
          .select(sql<string>`cast(coalesce(own_cost, 0) as text)`.as("cost"))
          .where("trace_id", "=", traceId)
          .orderBy("span_key")
          .limit(ROWS_AT_ONCE);
        if (after !== null) slice = slice.where("span_key", ">", after);
        const rows = await slice.execute();
        for (const row of rows) found.push(sumRowFrom(row));
        if (rows.length < ROWS_AT_ONCE) return found;
        after = rows.at(-1)!.span_key;
      }
    },

    async writeSums(context: CallContext, updates: readonly SumUpdate[]): Promise<void> {
      if (updates.length === 0) return;
      const rows = updates.map(({ id, sums, onCycle, repeatsChild }) => [
        id,
        sums.errors,
        sums.prompt,
        sums.completion,
        onCycle ? 1 : 0,
        repeatsChild ? 1 : 0,
      ]);
      const table = dialect.integerRows(["id", "errors", "prompt", "completion", "on_cycle", "repeats_child"], rows);
      const database = context.database.write(context);
      await sql`
        update spans set sum_errors = new.errors, sum_prompt = new.prompt, sum_completion = new.completion,
          on_cycle = new.on_cycle, repeats_child = new.repeats_child
        from ${table} as new where spans.id = new.id`.execute(database);
      await markBlocks(
        database,
        updates.filter(({ isCountedOtherwise }) => isCountedOtherwise).map(({ id }) => id),
      );
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

    /** The last step of a transaction: it may lock the session of the trace. */
    async markSettled(context: CallContext, traceId: number, { hasCycle, counted }: SettledTrace): Promise<void> {
      const database = context.database.write(context);
      await setCounted(traceSums, context, traceId, counted);
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

/** Tokens and cost of a trace, and with them those of its session. Ingestion has them right already, but where calls that repeat
 *  each other form a cycle. */
async function setCounted(
  sums: TraceSumsStore,
  context: CallContext,
  traceId: number,
  { prompt, completion, cost }: CountedCall,
): Promise<void> {
  const [trace] = await sums.readTraces(context, [traceId]);
  if (trace === undefined) return;
  const { sessionId, totals } = trace;
  const added = {
    prompt: prompt - totals.prompt,
    completion: completion - totals.completion,
    cost: cost - totals.cost,
  };
  await sums.addToTraces(context, [{ id: traceId, ...added }]);
  if (sessionId !== null) await sums.addToSessions(context, [{ id: sessionId, ...added }]);
}

type SumColumn =
  | "id"
  | "span_key"
  | "parent_key"
  | "kind"
  | "status"
  | "prompt_tokens"
  | "completion_tokens"
  | "sum_errors"
  | "sum_prompt"
  | "sum_completion"
  | "on_cycle"
  | "repeats_child";

function sumRowFrom(row: Pick<Selectable<Tables["spans"]>, SumColumn> & { readonly cost: string }): SumRow {
  const kind = spanKinds[row.kind]!;
  return {
    id: row.id,
    spanKey: row.span_key,
    parentKey: row.parent_key,
    own: {
      errors: row.status === ERROR_STATUS ? 1 : 0,
      prompt: row.prompt_tokens ?? 0,
      completion: row.completion_tokens ?? 0,
    },
    call: callCountsOf({ kind, promptTokens: row.prompt_tokens, completionTokens: row.completion_tokens }),
    cost: BigInt(row.cost),
    sums: { errors: row.sum_errors, prompt: row.sum_prompt, completion: row.sum_completion },
    onCycle: row.on_cycle !== 0,
    repeatsChild: row.repeats_child !== 0,
  };
}
