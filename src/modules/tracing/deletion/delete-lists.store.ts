// What is to be deleted: traces and sessions in pages, looked up before anything is locked.
import { sql } from "kysely";
import type { CallContext } from "../../../storage/storage.ts";

/** Microseconds UTC, the end excluded. */
export interface Period {
  readonly startUs: number;
  readonly endUs: number;
}

/** A trace as it is listed for deletion. */
export interface ListedTrace {
  readonly id: number;
  readonly traceKey: string;
  readonly spanCount: number;
}

/** Which traces are listed. Those of a whole project with the rows that have no span yet; elsewhere ingestion is not kept from
 *  its rows. */
export type TraceSelection = { readonly projectId: number; readonly period?: Period } | { readonly sessionId: number };

export function createDeleteListsStore() {
  return {
    /** At most `limit` traces with ids up to `upTo`, earliest first. */
    async listTraces(
      context: CallContext,
      selection: TraceSelection,
      { upTo, limit }: { readonly upTo: number; readonly limit: number },
    ): Promise<ListedTrace[]> {
      let query = context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["id", "trace_key as traceKey", "span_count as spanCount"])
        .where(sql<number>`id + 0`, "<=", upTo)
        .orderBy("start_us")
        .limit(limit);
      if ("sessionId" in selection) query = query.where("session_id", "=", selection.sessionId);
      else query = query.where("project_id", "=", selection.projectId);
      if ("period" in selection) {
        const { startUs, endUs } = selection.period;
        query = query.where("start_us", ">=", startUs).where("start_us", "<", endUs).where("span_count", ">", 0);
      }
      return query.execute();
    },

    async sessionExists(context: CallContext, id: number): Promise<boolean> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .select("id")
        .where("id", "=", id)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Ids of sessions of a project after the given one, ascending. */
    async listSessions(context: CallContext, projectId: number, after: number, limit: number): Promise<number[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .select("id")
        .where("project_id", "=", projectId)
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    },

    /** The highest id of a trace; 0 without any. */
    async newestTraceId(context: CallContext): Promise<number> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select((eb) => eb.fn.max("id").as("id"))
        .executeTakeFirstOrThrow();
      return row.id ?? 0;
    },

    /** Rows of traces before their first span, with ids after `after` up to `upTo`. */
    async listWithoutSpans(context: CallContext, after: number, upTo: number): Promise<ListedTrace[]> {
      return context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["id", "trace_key as traceKey", "span_count as spanCount"])
        .where("id", ">", after)
        .where("id", "<=", upTo)
        .where("span_count", "=", 0)
        .execute();
    },
  };
}
