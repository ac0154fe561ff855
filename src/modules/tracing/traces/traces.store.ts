// The rows of traces and of their spans. A row without spans is not yet a trace and is never shown.
import { sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../model/span.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext, ReadClass } from "../../../storage/storage.ts";
import { traceColumns } from "./reads/trace-columns.store.ts";
import type { TraceRecord, TraceSpan } from "./traces.schema.ts";

export type TracesStore = ReturnType<typeof createTracesStore>;

export function createTracesStore(dialect: Dialect) {
  return {
    /** By row ids or external ids; those that are not found are left out. */
    async find(
      context: CallContext,
      keys: { readonly ids: readonly number[] } | { readonly traceKeys: readonly string[] },
    ): Promise<TraceRecord[]> {
      const wanted =
        "ids" in keys ? dialect.inList(sql.ref("id"), keys.ids) : dialect.inList(sql.ref("trace_key"), keys.traceKeys);
      return context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(traceColumns)
        .where(wanted)
        .where("span_count", ">", 0)
        .execute();
    },

    /** The spans of traces by the row id of their trace, each list by start time. */
    async listSpans(
      context: CallContext,
      traceIds: readonly number[],
      readClass: ReadClass,
    ): Promise<Map<number, TraceSpan[]>> {
      const spans = new Map<number, TraceSpan[]>(traceIds.map((id) => [id, []]));
      if (traceIds.length === 0) return spans;
      const rows = await context.database
        .read(context, readClass)
        .selectFrom("spans")
        .select(["id", "trace_id", "span_key", "parent_key", "name", "kind", "status", "start_us", "latency_us"])
        .where(dialect.inList(sql.ref("trace_id"), traceIds))
        .orderBy("trace_id")
        .orderBy("start_us")
        .orderBy("id")
        .execute();
      for (const row of rows) {
        spans.get(row.trace_id)?.push({
          id: row.id,
          spanKey: row.span_key,
          parentKey: row.parent_key,
          name: row.name,
          kind: spanKinds[row.kind]!,
          status: spanStatuses[row.status]!,
          startUs: row.start_us,
          endUs: row.start_us + row.latency_us,
        });
      }
      return spans;
    },

    /** Row ids of the sessions of a project with these external ids. */
    async findSessions(context: CallContext, projectId: number, sessionKeys: readonly string[]): Promise<number[]> {
      if (sessionKeys.length === 0) return [];
      const rows = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .select("id")
        .where(dialect.inList(sql.ref("session_key"), sessionKeys))
        .where(dialect.withoutIndex(sql.ref<number>("project_id")), "=", projectId)
        .execute();
      return rows.map((row) => row.id);
    },
  };
}
