// What spans are examined by, beside their payloads.
import { sql } from "kysely";
import { emptyObject, parseJson } from "../../../../kernel/json.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { type ExaminedSpan, type FailureSplit, resourceAttributes } from "./failed-span.rules.ts";

export type ExaminedSpansStore = ReturnType<typeof createExaminedSpansStore>;

export function createExaminedSpansStore(dialect: Dialect) {
  const among = (column: string, ids: readonly number[]) => dialect.inList(sql.ref(column), ids);

  return {
    async readSpans(context: CallContext, ids: readonly number[]): Promise<ExaminedSpan[]> {
      return context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["id", "trace_id as traceId", "project_id as projectId", "span_key as spanKey"])
        .select(["parent_key as parentKey", "name", "kind", "status", "status_message as statusMessage"])
        .select(["start_us as startUs", "user_key as userKey"])
        .where(among("id", ids))
        .execute();
    },

    /** Attributes of their resources by row id of the span. */
    async readResources(context: CallContext, ids: readonly number[]) {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("span_payloads")
        .select(["span_id", dialect.jsonAt(sql.ref("extra"), ["resource", "attributes"]).as("attributes")])
        .where(among("span_id", ids))
        .execute();
      return new Map(
        rows.map(({ span_id, attributes }) => [
          span_id,
          attributes === null ? emptyObject() : resourceAttributes(parseJson(attributes)),
        ]),
      );
    },

    async listSplits(context: CallContext, projectIds: readonly number[]) {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("failure_splits")
        .select(["project_id", "fingerprint", "attribute", "value"])
        .where(among("project_id", projectIds))
        .orderBy("id")
        .execute();
      const byFingerprint = Map.groupBy(rows, ({ project_id, fingerprint }) => `${project_id} ${fingerprint}`);
      return (projectId: number, fingerprint: string): readonly FailureSplit[] =>
        byFingerprint.get(`${projectId} ${fingerprint}`) ?? [];
    },
  };
}
