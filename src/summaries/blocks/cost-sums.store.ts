// What calls of models cost, from the costs of blocks and the spans that they do not cover: one statement, so that everything is summed
// up in the same snapshot.
import { type RawBuilder, sql } from "kysely";
import { type CellDimension, cellAmounts, cellDimensionCode } from "../../model/summaries/blocks/cost-cells.ts";
import { HOUR_US } from "../../model/summaries/blocks/facets.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { Range } from "../../storage/period.ts";
import type { CallContext } from "../../storage/storage.ts";
import { beginOnHours, type TimeBins } from "../../storage/time-bins.ts";
import { callRows, userOf } from "./call-cells.store.ts";
import {
  marksBelow,
  readSummarisedBlocks,
  type SpanColumn,
  type SummarisedBlocks,
  type SummaryRows,
  spanColumn,
  startsIn,
  summarisedParts,
} from "./summarised-range.store.ts";

interface CostQuestion {
  readonly projectIds: readonly number[];
  readonly range: Range;
  readonly dimension: CellDimension;
  /** Null for one sum over the whole range. Where they do not begin on hours, every span is read. */
  readonly bins: TimeBins | null;
}

/** Sums of calls, to select from: `project`, `bin` (0 without bins), `key`, and the amounts of cost-cells.ts. Several of a key. */
type Cells = RawBuilder<unknown>;

export function createCostSumsStore(dialect: Dialect) {
  function cellsOf(summarised: SummarisedBlocks, { projectIds, range, dimension, bins }: CostQuestion): Cells {
    const { joined, where, value, traceId, amounts } = callRows[dimension];
    const binOf = (start: RawBuilder<number>) => (bins === null ? sql`0` : dialect.timeBin(start, bins));
    const sums = (amount: (name: (typeof cellAmounts)[number]) => RawBuilder<unknown> | undefined) =>
      sql.join(
        cellAmounts.map((name) => {
          const summed = amount(name);
          return summed === undefined
            ? sql`cast(null as bigint) as ${sql.ref(name)}`
            : sql`sum(${summed}) as ${sql.ref(name)}`;
        }),
      );
    const keyOf = (text: RawBuilder<unknown>, trace: RawBuilder<unknown>) =>
      dimension === "user" ? userOf(text, trace) : text;
    const fromBlocks = ({ isReady, hours }: SummaryRows) => sql`
      select cells.project_id as project, ${binOf(sql`(cells.hour * ${sql.lit(HOUR_US)})`)} as bin, cells.value as value,
        cells.trace_id as trace, ${sums((name) => sql.ref(`cells.${name}`))}
      from span_blocks as ready cross join span_block_costs as cells
      where ${isReady} and cells.block = ready.block and cells.dimension = ${sql.lit(cellDimensionCode(dimension))}
        and ${dialect.inList(sql.ref("cells.project_id"), projectIds)} ${hours(sql.ref("cells.hour"))} group by 1, 2, 3, 4`;
    const fromSpans = (from: RawBuilder<unknown>, condition: RawBuilder<unknown>, column: SpanColumn) => sql`
      select spans.project_id as project, ${binOf(sql.ref("spans.start_us"))} as bin, ${value} as value, ${traceId} as trace,
        ${sums((name) => amounts[name])}
      from ${from} ${joined} where ${dialect.inList(column("project_id"), projectIds)} and ${where(column)} and ${condition}
      group by 1, 2, 3, 4`;
    const parts =
      bins === null || beginOnHours(bins)
        ? summarisedParts(summarised, range, fromBlocks, fromSpans)
        : [fromSpans(sql`spans`, startsIn(range), spanColumn)];
    return sql`(select project, bin, ${keyOf(sql.ref("value"), sql.ref("trace"))} as key, ${sql.join(cellAmounts.map((name) => sql.ref(name)))}
      from (${sql.join(parts, sql` union all `)}) as parts)`;
  }

  /** Null when marks came that were not reckoned with. */
  async function read<Row>(
    context: CallContext,
    summarised: SummarisedBlocks,
    question: CostQuestion,
    select: (cells: Cells) => RawBuilder<Row>,
  ): Promise<Row[] | null> {
    const { rows } = await sql<{ marks: number; present: number | null }>`
      select marked.marks, found.* from (select ${marksBelow(summarised)} as marks) as marked
      left join (select 1 as present, chosen.* from (${select(cellsOf(summarised, question))}) as chosen) as found on 1 = 1`.execute(
      context.database.read(context, "slow"),
    );
    if (Number(rows[0]!.marks) > 0 && !summarised.anyMarks) return null;
    return rows.filter(({ present }) => present !== null) as Row[];
  }

  return {
    /** The rows of a select from the sums, in no order. */
    async select<Row>(
      context: CallContext,
      question: CostQuestion,
      select: (cells: Cells) => RawBuilder<Row>,
    ): Promise<Row[]> {
      const summarised = await readSummarisedBlocks(context);
      const found = await read(context, summarised, question, select);
      return found ?? (await read(context, { ...summarised, anyMarks: true }, question, select))!;
    },
  };
}
