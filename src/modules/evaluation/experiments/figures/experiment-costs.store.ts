// What the runs of experiments cost, by kind of token: from the calls in their traces that are stored, each call once.
import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { CostEntry } from "../../../tracing/costs/costs.schema.ts";

/** Sums cross as text: beyond 2^53 the databases answer each in its own way. */
interface EntryRow {
  readonly key: number;
  readonly tokenType: string;
  readonly isPrompt: number;
  readonly tokens: string | null;
  readonly cost: string | null;
}

export type ExperimentCostsStore = ReturnType<typeof createExperimentCostsStore>;

export function createExperimentCostsStore(dialect: Dialect) {
  async function entriesBy(
    context: CallContext,
    key: RawBuilder<number>,
    ids: readonly number[],
  ): Promise<Map<number, CostEntry[]>> {
    const total = (column: string) => sql`cast(sum(${sql.ref(column)}) as text)`;
    const { rows } = await sql<EntryRow>`
      select ${key} as key, details.token_type as "tokenType", details.is_prompt as "isPrompt",
        ${total("details.tokens")} as tokens, ${total("details.cost")} as cost
      from experiment_runs as runs join traces on traces.trace_key = runs.trace_key
      join spans on spans.trace_id = traces.id and spans.repeats_child = 0
      join span_cost_details as details on details.span_id = spans.id
      where ${dialect.inList(key, ids)} group by 1, 2, 3 order by 1, 3 desc, 2`.execute(
      context.database.read(context, "slow"),
    );
    const byKey = Map.groupBy(rows, (row) => Number(row.key));
    return new Map([...byKey].map(([id, found]) => [id, found.map(entryOfRow)]));
  }

  return {
    /** Over all runs of each experiment; one without a stored call is left out. */
    findCostEntries: (context: CallContext, experimentIds: readonly number[]) =>
      entriesBy(context, sql.ref("runs.experiment_id"), experimentIds),
    /** Of each run; one without a stored call is left out. */
    findRunCostEntries: (context: CallContext, runIds: readonly number[]) =>
      entriesBy(context, sql.ref("runs.id"), runIds),
  };
}

function entryOfRow({ tokenType, isPrompt, tokens, cost }: EntryRow): CostEntry {
  return {
    tokenType,
    isPrompt: Number(isPrompt) === 1,
    tokens: tokens === null ? null : Number(tokens),
    cost: cost === null ? null : Number(cost),
  };
}
