// What the pages show of costs beside their sums: the total that the row of a trace, a session or a span keeps, which costs a list
// nothing, and where the amounts of a sum are from. Calls that repeat a child are left out there, as they are of sums.
import { sql } from "kysely";
import { costSources } from "../../../costs/span-cost.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext, ReadClass } from "../../../storage/storage.ts";
import { type CostOrigins, NO_ORIGINS } from "./costs.schema.ts";

interface OriginRow {
  readonly key: number;
  readonly source: number;
  readonly count: number;
}

export type ShownCostsStore = ReturnType<typeof createShownCostsStore>;

export function createShownCostsStore(dialect: Dialect) {
  /** As text: beyond 2^53 the databases answer each in its own way. */
  async function totalsOf(context: CallContext, table: "traces" | "sessions", ids: readonly number[]) {
    const { rows } = await sql<{ readonly id: number; readonly cost: string }>`
      select id, cast(cost as text) as cost from ${sql.table(table)}
      where ${dialect.inList(sql.ref("id"), ids)} and cost <> 0`.execute(context.database.read(context, "short"));
    return new Map(rows.map(({ id, cost }) => [Number(id), Number(cost)]));
  }

  async function originsOf(context: CallContext, readClass: ReadClass, column: string, ids: readonly number[]) {
    const key = sql.ref<number>(column);
    const { rows } = await sql<OriginRow>`
      select ${key} as key, costs.source, count(*) as count
      from traces join spans on spans.trace_id = traces.id join span_costs as costs on costs.span_id = spans.id
      where ${dialect.inList(key, ids)} and spans.repeats_child = 0 group by 1, 2`.execute(
      context.database.read(context, readClass),
    );
    const found = new Map<number, CostOrigins>();
    for (const { key: id, source, count } of rows) {
      const before = found.get(Number(id)) ?? NO_ORIGINS;
      found.set(Number(id), { ...before, [costSources[source]!]: Number(count) });
    }
    return found;
  }

  return {
    /** In 10^-12 USD, here and below; zero and unknown costs are left out. */
    traceTotals: (context: CallContext, ids: readonly number[]) => totalsOf(context, "traces", ids),
    sessionTotals: (context: CallContext, ids: readonly number[]) => totalsOf(context, "sessions", ids),

    /** Of the span alone. */
    async spanTotals(context: CallContext, ids: readonly number[]) {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["id", "own_cost as cost"])
        .where(dialect.inList(sql.ref("id"), ids))
        .where("own_cost", "is not", null)
        .execute();
      return new Map(rows.map(({ id, cost }) => [id, cost]));
    },

    traceOrigins: (context: CallContext, ids: readonly number[]) => originsOf(context, "short", "traces.id", ids),
    sessionOrigins: (context: CallContext, ids: readonly number[]) =>
      originsOf(context, "slow", "traces.session_id", ids),
  };
}
