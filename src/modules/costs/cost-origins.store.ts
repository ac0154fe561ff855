// Where the amounts of a sum are from: how many of its calls have a price, how many are as their sender says, and of how many nobody
// knows what they cost. Calls that repeat a child are left out, as they are of sums.
import { sql } from "kysely";
import { costSources } from "../../model/costs/span-cost.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext, ReadClass } from "../../storage/storage.ts";
import { type CostOrigins, NO_ORIGINS } from "./costs.schema.ts";

interface OriginRow {
  readonly key: number;
  readonly source: number;
  readonly count: number;
}

export type CostOriginsStore = ReturnType<typeof createCostOriginsStore>;

export function createCostOriginsStore(dialect: Dialect) {
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
    traceOrigins: (context: CallContext, ids: readonly number[]) => originsOf(context, "short", "traces.id", ids),
    sessionOrigins: (context: CallContext, ids: readonly number[]) =>
      originsOf(context, "slow", "traces.session_id", ids),
  };
}
