// The spans of traces as their analysis reads them: rows without payloads.
import { sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../model/span.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { AnalysedSpan } from "./analysed-spans.schema.ts";

export type AnalysedSpansStore = ReturnType<typeof createAnalysedSpansStore>;

/** What a span is, and where it stands in its trace. */
export const placeColumns = [
  "id",
  "trace_id as traceId",
  "span_key as spanKey",
  "parent_key as parentKey",
  "name",
  "kind",
  "status",
] as const;

export function createAnalysedSpansStore(dialect: Dialect) {
  return {
    /** By row id of the trace, each list by start; null when all of them are more than `most`. */
    async list(
      context: CallContext,
      traceIds: readonly number[],
      most: number,
    ): Promise<Map<number, AnalysedSpan[]> | null> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("spans")
        .select(placeColumns)
        .select(["status_message as statusMessage", "start_us as startUs", "latency_us as latencyUs", "model"])
        .select(["prompt_tokens", "completion_tokens", "own_cost", "repeats_child"])
        .where(dialect.inList(sql.ref("trace_id"), traceIds))
        .orderBy("trace_id")
        .orderBy("start_us")
        .orderBy("id")
        .limit(most + 1)
        .execute();
      if (rows.length > most) return null;
      const spans = rows.map(
        ({
          kind,
          status,
          latencyUs,
          prompt_tokens,
          completion_tokens,
          own_cost,
          repeats_child,
          ...row
        }): AnalysedSpan => {
          // What a child recorded, too, counts there.
          const counts = repeats_child === 0;
          const hasTokens = counts && (prompt_tokens !== null || completion_tokens !== null);
          return {
            ...row,
            kind: spanKinds[kind]!,
            status: spanStatuses[status]!,
            endUs: row.startUs + latencyUs,
            tokens: hasTokens ? (prompt_tokens ?? 0) + (completion_tokens ?? 0) : null,
            cost: counts ? own_cost : null,
          };
        },
      );
      return Map.groupBy(spans, ({ traceId }) => traceId);
    },
  };
}
