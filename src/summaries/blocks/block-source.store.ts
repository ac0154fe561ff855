// What a block is summarised from: the rows and attributes of its spans, read in pieces of bounded size.
import { sql } from "kysely";
import { type Json, parseJson } from "../../kernel/json.ts";
import { BLOCK_SPANS, firstOfBlock, SLICE_SPANS, SLICES } from "../../model/summaries/blocks/block.ts";
import {
  type BlockFilter,
  type BlockFilterBuilder,
  createBlockFilterBuilder,
} from "../../model/summaries/blocks/block-filter.ts";
import type { CostCell } from "../../model/summaries/blocks/cost-cells.ts";
import { exceptionTypeOf, type Facet, facets, shortened } from "../../model/summaries/blocks/facets.ts";
import { createNumberRangesBuilder, type NumberRangesBuilder } from "../../model/summaries/blocks/number-ranges.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import { countCosts } from "./block-costs.store.ts";
import { facetSql } from "./facet-sql.store.ts";

/** The column with what a row adds to a facet. */
function amountOf<Name extends Facet>(facet: Name): `${Name}Amount` {
  return `${facet}Amount`;
}

/** Attributes that are parsed at a time. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** A row of `span_block_counts` without its block: project, facet, hour, value, amount. */
export type CountRow = readonly [projectId: number, facet: number, hour: number, value: string, amount: number];

export interface BlockCounts {
  /** The marks of the block when counting began: what was marked later is not in the counts. */
  readonly marks: readonly number[];
  readonly rows: readonly CountRow[];
  readonly costs: readonly CostCell[];
}

export interface BlockSummary extends BlockCounts, BlockFilter {
  /** Of numbers, packed (number-ranges.ts). */
  readonly ranges: Uint8Array;
  readonly startLow: number | null;
  readonly startHigh: number | null;
}

/** Reads and sums up blocks: here, or in a thread of its own. */
export type BlockSource = Pick<ReturnType<typeof createBlockSource>, "count" | "summarise">;

export function createBlockSource(dialect: Dialect) {
  const spansOf = (context: CallContext, block: number, spans = BLOCK_SPANS, offset = 0) => {
    const lowest = firstOfBlock(block) + offset;
    return context.database
      .read(context, "slow")
      .selectFrom("spans")
      .where("spans.id", ">=", lowest)
      .where("spans.id", "<", lowest + spans);
  };

  /** Every facet of the spans of a sixteenth, a row a span: grouping each of them apart would read the rows as many times. */
  async function readFacets(context: CallContext, block: number, slice: number) {
    const hour = dialect.timeBin(sql.ref("spans.start_us"), { scale: "HOUR", offsetMinutes: 0 });
    const columns = facets.flatMap((facet) => {
      const { value, amount, where } = facetSql(dialect, facet);
      return [
        sql<string | null>`case when ${where} then ${value} end`.as(facet),
        sql<number | null>`case when ${where} then ${amount} end`.as(amountOf(facet)),
      ];
    });
    return spansOf(context, block, SLICE_SPANS, slice * SLICE_SPANS)
      .select(["spans.project_id as project", hour.as("hour")])
      .select(columns)
      .execute();
  }

  async function count(context: CallContext, block: number): Promise<BlockCounts> {
    const marks = await context.database
      .read(context, "slow")
      .selectFrom("span_block_marks")
      .select("id")
      .where("block", "=", block)
      .execute();
    const counts = new Map<string, CountRow>();
    for (let slice = 0; slice < SLICES; slice++) {
      for (const row of await readFacets(context, block, slice)) {
        for (const [code, facet] of facets.entries()) {
          const text = row[facet];
          if (text === null) continue;
          const value = facet === "errorType" ? exceptionTypeOf(parseJson(text)) : text;
          if (value === null) continue;
          const name = shortened(value);
          const key = `${row.project} ${row.hour} ${code} ${name}`;
          const amount = (counts.get(key)?.[4] ?? 0) + Number(row[amountOf(facet)]);
          counts.set(key, [row.project, code, row.hour, name, amount]);
        }
      }
    }
    const costs = await countCosts(dialect, context, block);
    return { marks: marks.map(({ id }) => id), rows: [...counts.values()], costs };
  }

  async function addSlice(
    context: CallContext,
    block: number,
    slice: number,
    add: (...span: Parameters<BlockFilterBuilder["add"]>) => void,
  ): Promise<void> {
    const attributes = sql.ref("span_payloads.attributes");
    const payloads = () =>
      spansOf(context, block, SLICE_SPANS, slice * SLICE_SPANS).innerJoin(
        "span_payloads",
        "span_payloads.span_id",
        "spans.id",
      );
    const sizes = await payloads()
      .select(["spans.id", dialect.storedBytes(attributes).as("bytes")])
      .orderBy("spans.id")
      .execute();
    for (let first = 0; first < sizes.length; ) {
      let end = first;
      for (let bytes = 0; end < sizes.length && (end === first || bytes < PIECE_BYTES); end++) {
        bytes += Number(sizes[end]!.bytes);
      }
      const rows = await payloads()
        .select(["spans.name", "spans.span_key", "spans.parent_key", dialect.jsonText(attributes).as("text")])
        .where("spans.id", ">=", sizes[first]!.id)
        .where("spans.id", "<=", sizes[end - 1]!.id)
        .execute();
      // As plain numbers: digits that a double loses make no difference to a filter.
      for (const { text, ...columns } of rows) add(slice, JSON.parse(text) as Json, columns);
      first = end;
    }
  }

  async function readFilter(
    context: CallContext,
    block: number,
  ): Promise<{ readonly filter: BlockFilterBuilder; readonly ranges: NumberRangesBuilder }> {
    const filter = createBlockFilterBuilder();
    const ranges = createNumberRangesBuilder();
    for (let slice = 0; slice < SLICES; slice++) {
      await addSlice(context, block, slice, (of, attributes, columns) => {
        filter.add(of, attributes, columns);
        ranges.add(attributes);
      });
    }
    return { filter, ranges };
  }

  return {
    count,
    readFilter,

    /** Everything that is stored of a block. */
    async summarise(context: CallContext, block: number): Promise<BlockSummary> {
      const counts = await count(context, block);
      const { filter, ranges } = await readFilter(context, block);
      const bounds = await spansOf(context, block)
        .select((eb) => [eb.fn.min("spans.start_us").as("startLow"), eb.fn.max("spans.start_us").as("startHigh")])
        .executeTakeFirstOrThrow();
      return { ...counts, ...filter.build(), ranges: ranges.build(), ...bounds };
    },
  };
}
