// The rows of recomputations: what was asked for, how far each is, and what it has changed.
import { type Kysely, type Selectable, sql } from "kysely";
import type { RecomputationStatus } from "../../../../costs/recomputation.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { Tables } from "../../../../storage/tables.ts";
import type { CostRecomputation, RecomputationScope, RecomputedSlice } from "../models.schema.ts";

type Row = Selectable<Tables["cost_recomputations"]>;

/** How a slice leaves the recomputation. */
interface SliceEnd {
  readonly doneSpanId: number;
  readonly status: RecomputationStatus;
}

export type RecomputationRowsStore = ReturnType<typeof createRecomputationRowsStore>;

export function createRecomputationRowsStore(dialect: Dialect) {
  /** Amounts as text: beyond 2^53 a number would lose digits. */
  const amounts = [
    sql<string>`cast(old_cost as text)`.as("oldCostText"),
    sql<string>`cast(new_cost as text)`.as("newCostText"),
  ] as const;

  const running = (database: Kysely<Tables>) =>
    database.selectFrom("cost_recomputations").selectAll().select(amounts).where("status", "=", "RUNNING");

  return {
    /** The newest of all; null before the first. */
    async findNewest(context: CallContext): Promise<CostRecomputation | null> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("cost_recomputations")
        .selectAll()
        .select(amounts)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : recomputationOfRow(row);
    },

    /** The one that runs; null without one. */
    async findRunning(context: CallContext): Promise<CostRecomputation | null> {
      const row = await running(context.database.read(context, "short")).executeTakeFirst();
      return row === undefined ? null : recomputationOfRow(row);
    },

    /** The same, locked to the end of the transaction; null while another server is at it, too. */
    async lockRunning(context: CallContext): Promise<CostRecomputation | null> {
      const query = running(context.database.write(context));
      // SQLite has one writer anyway.
      const row = await (dialect.name === "postgres" ? query.forUpdate().skipLocked() : query).executeTakeFirst();
      return row === undefined ? null : recomputationOfRow(row);
    },

    /** Fails as a duplicate while another one runs. */
    async insert(
      context: CallContext,
      { projectId, modelName, startUs, endUs }: RecomputationScope,
      by: { readonly userId: number | null; readonly nowUs: number; readonly lastSpanId: number },
    ): Promise<void> {
      await context.database
        .write(context)
        .insertInto("cost_recomputations")
        .values({
          status: "RUNNING",
          project_id: projectId,
          model_name: modelName,
          start_us: startUs,
          end_us: endUs,
          user_id: by.userId,
          created_us: by.nowUs,
          updated_us: by.nowUs,
          last_span_id: by.lastSpanId,
        })
        .execute();
    },

    /** Adds what a slice has done. The row must be locked. */
    async addSlice(
      context: CallContext,
      id: number,
      slice: RecomputedSlice & SliceEnd & { readonly sliceSpans: number },
      nowUs: number,
    ): Promise<void> {
      const units = (cost: bigint) => sql`cast(${String(cost)} as bigint)`;
      await sql`update cost_recomputations set status = ${slice.status}, done_span_id = ${slice.doneSpanId},
          examined_spans = examined_spans + ${slice.examined}, changed_spans = changed_spans + ${slice.changed},
          old_cost = old_cost + ${units(slice.oldCost)}, new_cost = new_cost + ${units(slice.newCost)},
          slice_spans = ${slice.sliceSpans}, failures = 0, updated_us = ${nowUs}
        where id = ${id}`.execute(context.database.write(context));
    },

    /** Records a slice that failed. The row must be locked. */
    async addFailure(
      context: CallContext,
      id: number,
      slice: SliceEnd & { readonly sliceSpans: number; readonly failedSpans: number; readonly failure: string },
      nowUs: number,
    ): Promise<void> {
      await sql`update cost_recomputations set status = ${slice.status}, done_span_id = ${slice.doneSpanId},
          failed_spans = failed_spans + ${slice.failedSpans}, failure = ${slice.failure}, failures = failures + 1,
          slice_spans = ${slice.sliceSpans}, updated_us = ${nowUs}
        where id = ${id}`.execute(context.database.write(context));
    },

    async cancelRunning(context: CallContext, nowUs: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("cost_recomputations")
        .set({ status: "CANCELLED", updated_us: nowUs })
        .where("status", "=", "RUNNING")
        .execute();
    },
  };
}

function recomputationOfRow(
  row: Row & { readonly oldCostText: string; readonly newCostText: string },
): CostRecomputation {
  return {
    id: row.id,
    status: row.status,
    projectId: row.project_id,
    modelName: row.model_name,
    startUs: row.start_us,
    endUs: row.end_us,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
    doneSpanId: row.done_span_id,
    lastSpanId: row.last_span_id,
    examined: row.examined_spans,
    changed: row.changed_spans,
    oldCost: BigInt(row.oldCostText),
    newCost: BigInt(row.newCostText),
    sliceSpans: row.slice_spans,
    failures: row.failures,
    failedSpans: row.failed_spans,
    failure: row.failure,
  };
}
