// The costs of a block: counted from its spans, and their rows.
import { sql } from "kysely";
import { BLOCK_SPANS, firstOfBlock } from "../../model/summaries/blocks/block.ts";
import {
  type CostCell,
  cellAmounts,
  cellDimensionCode,
  cellDimensions,
  createCellSums,
} from "../../model/summaries/blocks/cost-cells.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import { callRows } from "./call-cells.store.ts";
import { spanColumn } from "./summarised-range.store.ts";

/** Spans whose costs the database sums up: 2^10 of less than 2^53 each stay below 2^63. */
const PIECE_SPANS = 1024;

type CellRow = Omit<CostCell, "dimension" | "amounts"> & Readonly<Record<(typeof cellAmounts)[number], string | null>>;

/** What the calls of the spans of a block cost. */
export async function countCosts(dialect: Dialect, context: CallContext, block: number): Promise<CostCell[]> {
  const hour = dialect.timeBin(sql.ref("spans.start_us"), { scale: "HOUR", offsetMinutes: 0 });
  const sums = createCellSums();
  for (let first = firstOfBlock(block); first < firstOfBlock(block) + BLOCK_SPANS; first += PIECE_SPANS) {
    for (const dimension of cellDimensions) {
      const { joined, where, value, traceId, amounts } = callRows[dimension];
      const summed = cellAmounts.map((name) => {
        const amount = amounts[name];
        return amount === undefined
          ? sql`null as ${sql.ref(name)}`
          : sql`cast(sum(${amount}) as text) as ${sql.ref(name)}`;
      });
      const { rows } = await sql<CellRow>`
        select spans.project_id as ${sql.ref("projectId")}, ${hour} as hour, ${value} as value, ${traceId} as ${sql.ref("traceId")},
          ${sql.join(summed)}
        from spans ${joined} where spans.id >= ${sql.lit(first)} and spans.id < ${sql.lit(first + PIECE_SPANS)} and ${where(spanColumn)}
        group by 1, 2, 3, 4`.execute(context.database.read(context, "slow"));
      for (const { projectId, hour: of, value: text, traceId: trace, ...amountsOf } of rows) {
        sums.add({
          ...{ projectId, hour: of, value: text, traceId: trace, dimension: cellDimensionCode(dimension) },
          amounts: cellAmounts.map((name) => amountsOf[name]),
        });
      }
    }
  }
  return sums.cells();
}

/** As they were written. */
export async function readCosts(context: CallContext, block: number): Promise<CostCell[]> {
  const columns = cellAmounts.map((name) => sql`cast(${sql.ref(name)} as text) as ${sql.ref(name)}`);
  const { rows } = await sql<CellRow & { readonly dimension: number }>`
    select dimension, project_id as ${sql.ref("projectId")}, hour, value, trace_id as ${sql.ref("traceId")}, ${sql.join(columns)}
    from span_block_costs where block = ${block}`.execute(context.database.read(context, "slow"));
  return rows.map(({ dimension, projectId, hour, value, traceId, ...amounts }) => ({
    ...{ dimension, projectId, hour, value, traceId },
    amounts: cellAmounts.map((name) => amounts[name]),
  }));
}

/** In the transaction that writes the counts of the block. */
export async function replaceCosts(
  dialect: Dialect,
  context: CallContext,
  block: number,
  cells: readonly CostCell[],
): Promise<void> {
  const database = context.database.write(context);
  await database.deleteFrom("span_block_costs").where("block", "=", block).execute();
  const rows = cells.map(({ dimension, projectId, hour, value, traceId, amounts }) => [
    ...[dimension, projectId, hour, value, traceId],
    ...amounts,
  ]);
  const members = cellAmounts.map((_name, position) => sql`cast(value ->> ${sql.lit(5 + position)} as bigint)`);
  await sql`insert into span_block_costs (block, dimension, project_id, hour, value, trace_id,
      ${sql.join(cellAmounts.map((name) => sql.ref(name)))})
    select ${sql.lit(block)}, cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), cast(value ->> 2 as bigint), value ->> 3,
      cast(value ->> 4 as bigint), ${sql.join(members)}
    from ${dialect.jsonRows(rows)}`.execute(database);
}
