// The newest spans, traces and sessions of a project, as a sample of what its spans hold.
import { sql } from "kysely";
import { isJsonObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { arrivedIn } from "../../../../storage/arrival-order.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";

export type VocabularyStore = ReturnType<typeof createVocabularyStore>;

/** Spans that fit in at least. */
const SMALLEST_SAMPLE = 20;

export function createVocabularyStore(dialect: Dialect) {
  return {
    /** The newest arrivals; in a range of time those that start last. */
    async newestSpans(context: CallContext, projectId: number, { startUs, endUs }: Range, limit: number) {
      let query = context.database.read(context, "short").selectFrom("spans").select(["id", "name"]).limit(limit);
      if (startUs === null && endUs === null) {
        return query
          .where(arrivedIn("spans", projectId, { lowest: null, highest: null }))
          .orderBy("project_id", "desc")
          .orderBy("id", "desc")
          .execute();
      }
      query = query.where("project_id", "=", projectId);
      if (startUs !== null) query = query.where("start_us", ">=", startUs);
      if (endUs !== null) query = query.where("start_us", "<", endUs);
      return query.orderBy("start_us", "desc").execute();
    },

    /** Row ids of traces, latest start first. */
    async newestTraces(context: CallContext, projectId: number, { startUs, endUs }: Range, limit: number) {
      let query = context.database
        .read(context, "short")
        .selectFrom("traces")
        .select("id")
        .where("project_id", "=", projectId)
        .where("span_count", ">", 0);
      if (startUs !== null) query = query.where("start_us", ">=", startUs);
      if (endUs !== null) query = query.where("start_us", "<", endUs);
      const rows = await query.orderBy("start_us", "desc").orderBy("id", "desc").limit(limit).execute();
      return rows.map(({ id }) => id);
    },

    /** Row ids of sessions, latest start first. */
    async newestSessions(context: CallContext, projectId: number, limit: number) {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .select("id")
        .where("project_id", "=", projectId)
        .orderBy("start_us", "desc")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Attributes of the spans in their order, as many as take at most `bytes` together; large ones are passed over. Texts that
     *  are stored separately have their beginnings. */
    async readAttributes(context: CallContext, spanIds: readonly number[], bytes: number): Promise<JsonObject[]> {
      const ofSpans = (ids: readonly number[]) =>
        context.database
          .read(context, "short")
          .selectFrom("span_payloads")
          .where(dialect.inList(sql.ref("span_id"), ids));
      const stored = await ofSpans(spanIds)
        .select(["span_id", dialect.storedBytes(sql.ref("attributes")).as("bytes")])
        .execute();
      const sizes = new Map(stored.map((row) => [row.span_id, Number(row.bytes)]));
      let total = 0;
      const chosen = spanIds.filter((id) => {
        const size = sizes.get(id) ?? Number.POSITIVE_INFINITY;
        if (size > bytes / SMALLEST_SAMPLE || total + size > bytes) return false;
        total += size;
        return true;
      });
      const rows = await ofSpans(chosen)
        .select(dialect.jsonText(sql.ref("attributes")).as("attributes"))
        .execute();
      return rows.map((row) => parseJson(row.attributes)).filter(isJsonObject);
    },
  };
}
