// Single spans by row id or external id, and which external ids are taken. A span id alone means the newest span that has it:
// the same id in another trace is another span.
import { sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";

/** Where a span is. */
export interface SpanPlace {
  readonly id: number;
  readonly projectId: number;
  readonly traceKey: string;
}

/** Each is looked for in every block. */
const FEW_KEYS = 50;

export type SpanLookupStore = ReturnType<typeof createSpanLookupStore>;

export function createSpanLookupStore(dialect: Dialect) {
  const placed = (context: CallContext) =>
    context.database
      .read(context, "short")
      .selectFrom("spans")
      .innerJoin("traces", "traces.id", "spans.trace_id")
      .select(["spans.id", "spans.project_id as projectId", "traces.trace_key as traceKey"]);

  return {
    async findById(context: CallContext, id: number): Promise<SpanPlace | null> {
      return (await placed(context).where("spans.id", "=", id).executeTakeFirst()) ?? null;
    },

    async findNewest(context: CallContext, spanKey: string): Promise<SpanPlace | null> {
      const found = await placed(context)
        .where(dialect.spanOrders.hasKey([spanKey]))
        // Not in the order of an index: it would be read from the newest span on until one matches.
        .orderBy(sql`spans.id + 0`, "desc")
        .limit(1)
        .executeTakeFirst();
      return found ?? null;
    },

    /** Those of the external ids that any span has, in any trace and project. */
    async findTaken(context: CallContext, spanKeys: readonly string[]): Promise<ReadonlySet<string>> {
      if (spanKeys.length === 0) return new Set();
      const rows = await context.database
        .read(context, spanKeys.length > FEW_KEYS ? "slow" : "short")
        .selectFrom("spans")
        .select("span_key")
        .where(dialect.spanOrders.hasKey(spanKeys))
        .execute();
      return new Set(rows.map((row) => row.span_key));
    },
  };
}
