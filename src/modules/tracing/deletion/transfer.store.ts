// The rows that a transfer touches: the project of traces and of their spans. Changes run under the lock of the traces.
import { sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import { markBlocks, markBlocksOfTraces } from "../../../storage/span-blocks.ts";
import type { CallContext } from "../../../storage/storage.ts";

export interface MovingTrace {
  readonly traceKey: string;
  readonly spanCount: number;
}

/** A place in the spans of a trace in the order of their start, which is also, nearly, the order in which they lie. */
export interface SpanPosition {
  readonly startUs: number;
  readonly id: number;
}

export function createTransferStore(dialect: Dialect) {
  return {
    async listTraces(context: CallContext, ids: readonly number[]): Promise<MovingTrace[]> {
      return context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["trace_key as traceKey", "span_count as spanCount"])
        .where(dialect.inList(sql.ref("id"), ids))
        .orderBy("trace_key")
        .execute();
    },

    async isProjectOpen(context: CallContext, projectId: number): Promise<boolean> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("projects")
        .select("id")
        .where("id", "=", projectId)
        .where("deleting", "=", 0)
        .executeTakeFirst();
      return row !== undefined;
    },

    async findProject(context: CallContext, traceId: number): Promise<number | null> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select("project_id")
        .where("id", "=", traceId)
        .executeTakeFirst();
      return row?.project_id ?? null;
    },

    async moveTraces(context: CallContext, traceIds: readonly number[], projectId: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("traces")
        .set({ project_id: projectId })
        .where(dialect.inList(sql.ref("id"), traceIds))
        .where(dialect.withoutIndex(sql.ref<number>("project_id")), "<>", projectId)
        .execute();
    },

    async moveSpansOf(context: CallContext, traceIds: readonly number[], projectId: number): Promise<void> {
      await markBlocksOfTraces(context.database.write(context), dialect, traceIds);
      await context.database
        .write(context)
        .updateTable("spans")
        .set({ project_id: projectId })
        .where(dialect.inList(sql.ref("trace_id"), traceIds))
        .where(dialect.withoutIndex(sql.ref<number>("project_id")), "<>", projectId)
        .execute();
    },

    /** At most `limit` spans behind `after`; null begins with the first. */
    async listSpans(
      context: CallContext,
      traceId: number,
      after: SpanPosition | null,
      limit: number,
    ): Promise<SpanPosition[]> {
      let query = context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["start_us as startUs", "id"])
        .where("trace_id", "=", traceId)
        .orderBy("start_us")
        .orderBy("id")
        .limit(limit);
      if (after !== null) {
        const { startUs, id } = after;
        query = query
          .where("start_us", ">=", startUs)
          .where((eb) => eb.or([eb("start_us", "<>", startUs), eb(dialect.withoutIndex(eb.ref("id")), ">", id)]));
      }
      return query.execute();
    },

    async moveSpans(context: CallContext, ids: readonly number[], projectId: number): Promise<void> {
      await markBlocks(context.database.write(context), ids);
      await context.database
        .write(context)
        .updateTable("spans")
        .set({ project_id: projectId })
        .where(dialect.inList(sql.ref("id"), ids))
        .where(dialect.withoutIndex(sql.ref<number>("project_id")), "<>", projectId)
        .execute();
    },

    /** Traces of other projects that still have spans in this one, with the project that they are in. */
    async listStrays(
      context: CallContext,
      projectId: number,
      limit: number,
    ): Promise<{ traceKey: string; projectId: number }[]> {
      return context.database
        .read(context, "short")
        .selectFrom("spans")
        .innerJoin("traces", "traces.id", "spans.trace_id")
        .select(["traces.trace_key as traceKey", "traces.project_id as projectId"])
        .distinct()
        .where("spans.project_id", "=", projectId)
        .whereRef("traces.project_id", "<>", "spans.project_id")
        .limit(limit)
        .execute();
    },
  };
}
