// A sum over the spans of a range, put together from the summaries of blocks and from spans. Summaries have its whole hours; read from
// spans are the hours at its edges, marked blocks, those of an older summary version, and what is above the last block.
import { type RawBuilder, sql } from "kysely";
import { BLOCK_SPANS, firstOfBlock, SUMMARY_VERSION } from "../../model/summaries/blocks/block.ts";
import { HOUR_US } from "../../model/summaries/blocks/facets.ts";
import type { Range } from "../../storage/period.ts";
import { blockNumber } from "../../storage/span-blocks.ts";
import type { CallContext } from "../../storage/storage.ts";

/** How far spans were summarised when the statement before was run. Blocks are only ever added, so it still holds; marks
 *  may come at any time: a statement that expects none asks for `marksBelow` and is repeated when there are some. */
export interface SummarisedBlocks {
  readonly blocks: number;
  readonly anyMarks: boolean;
}

/** Where a part reads the rows of summaries. */
export interface SummaryRows {
  /** True for a row of `span_blocks as ready` whose summaries hold. */
  readonly isReady: RawBuilder<unknown>;
  /** ` and …`: the hour, counted from 1970, lies in the range as a whole. */
  readonly hours: (hour: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** A select of rows of spans: `from` and the condition name them `spans`. Conditions on these columns take them from `column`. */
type SelectFromSpans = (
  from: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  column: SpanColumn,
) => RawBuilder<unknown>;
export type SpanColumn = (name: "project_id" | "kind" | "start_us") => RawBuilder<number>;

export const spanColumn: SpanColumn = (name) => sql.ref<number>(`spans.${name}`);
/** As no index has it. */
const unindexed: SpanColumn = (name) => sql<number>`(${spanColumn(name)} + 0)`;

/** The block numbers, perhaps repeated, of marked blocks and of those of an older summary version: both are read from the tables. */
const MARKED_BLOCKS = sql`select block from span_block_marks
  union all select block from span_blocks where summary_version < ${sql.lit(SUMMARY_VERSION)}`;

export async function readSummarisedBlocks(context: CallContext): Promise<SummarisedBlocks> {
  const { rows } = await sql<{ blocks: number; marks: number }>`
    select (select coalesce(max(block), -1) + 1 from span_blocks) as blocks,
      (select count(*) from (${MARKED_BLOCKS} limit 1) as marked) as marks`.execute(
    context.database.read(context, "short"),
  );
  return { blocks: Number(rows[0]!.blocks), anyMarks: Number(rows[0]!.marks) > 0 };
}

/** How many marks the summarised blocks have. */
export function marksBelow({ blocks }: SummarisedBlocks): RawBuilder<number> {
  return sql<number>`(select count(*) from (${MARKED_BLOCKS}) as marked where block < ${sql.lit(blocks)})`;
}

/** Selects that together see every span of the range once, for `union all`. Without marks the planner need not guess how many blocks they
 *  take away. */
export function summarisedParts(
  { blocks, anyMarks }: SummarisedBlocks,
  range: Range,
  fromBlocks: (summarised: SummaryRows) => RawBuilder<unknown>,
  fromSpans: SelectFromSpans,
): RawBuilder<unknown>[] {
  const spans = sql`spans`;
  const whole = wholeHours(range);
  if (whole === null || blocks === 0) return [fromSpans(spans, startsIn(range), spanColumn)];

  const count = sql.lit(blocks);
  const marked = sql`select distinct block from (${MARKED_BLOCKS}) as marks where block < ${count}`;
  const isReady = (block: RawBuilder<unknown>) =>
    anyMarks ? sql`${block} < ${count} and ${block} not in (${marked})` : sql`${block} < ${count}`;
  // The index by project, start and kind would have the whole range read, which PostgreSQL does before it has statistics.
  const byIds = (from: RawBuilder<unknown>, ids: RawBuilder<unknown>) =>
    fromSpans(from, sql`${ids} and ${startsIn(range, unindexed("start_us"))}`, unindexed);
  return [
    fromBlocks({
      isReady: isReady(sql.ref("ready.block")),
      hours: (hour) => hoursIn(whole, hour),
    }),
    byIds(spans, sql`spans.id >= ${sql.lit(firstOfBlock(blocks))}`),
    ...(anyMarks
      ? [
          byIds(
            sql`(${marked}) as marked cross join spans`,
            sql`spans.id >= marked.block * ${sql.lit(BLOCK_SPANS)} and spans.id < (marked.block + 1) * ${sql.lit(BLOCK_SPANS)}`,
          ),
        ]
      : []),
    ...edgesOf(range, whole).map((edge) =>
      fromSpans(spans, sql`${startsIn(edge)} and ${isReady(blockNumber(sql.ref("spans.id")))}`, spanColumn),
    ),
  ];
}

/** Hours that lie in the range as a whole; null when there is none. */
function wholeHours({ startUs, endUs }: Range): Range | null {
  const first = startUs === null ? null : Math.ceil(startUs / HOUR_US);
  const last = endUs === null ? null : Math.floor(endUs / HOUR_US);
  if (first !== null && last !== null && first >= last) return null;
  return { startUs: first === null ? null : first * HOUR_US, endUs: last === null ? null : last * HOUR_US };
}

/** What the range has before and after its whole hours. */
function edgesOf({ startUs, endUs }: Range, whole: Range): Range[] {
  const before = { startUs, endUs: whole.startUs };
  const after = { startUs: whole.endUs, endUs };
  return [
    ...(startUs !== null && startUs !== whole.startUs ? [before] : []),
    ...(endUs !== null && endUs !== whole.endUs ? [after] : []),
  ];
}

/** Of `spans`. */
export function startsIn(
  { startUs, endUs }: Range,
  start: RawBuilder<number> = sql.ref("spans.start_us"),
): RawBuilder<unknown> {
  const conditions = [
    ...(startUs === null ? [] : [sql`${start} >= ${startUs}`]),
    ...(endUs === null ? [] : [sql`${start} < ${endUs}`]),
  ];
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

function hoursIn({ startUs, endUs }: Range, hour: RawBuilder<unknown>): RawBuilder<unknown> {
  const from = startUs === null ? sql`` : sql` and ${hour} >= ${sql.lit(startUs / HOUR_US)}`;
  return sql`${from}${endUs === null ? sql`` : sql` and ${hour} < ${sql.lit(endUs / HOUR_US)}`}`;
}
