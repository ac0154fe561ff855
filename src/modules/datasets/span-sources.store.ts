// The spans that examples are made of.
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";

export function createSpanSourcesStore(dialect: Dialect) {
  return {
    /** Row ids by their exporters' ids; of those that share one, the newest. Those that nobody has are left out. */
    async findSpans(context: CallContext, spanKeys: readonly string[]): Promise<Map<string, number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["id", "span_key"])
        .where(dialect.spanOrders.hasKey(spanKeys))
        .orderBy("id")
        .execute();
      return new Map(rows.map((row) => [row.span_key, row.id]));
    },
  };
}
