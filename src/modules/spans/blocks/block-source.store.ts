// What a block is summarised from: the rows and attributes of its spans, read in pieces of bounded size.
import { sql } from "kysely";
import { type Json, parseJson } from "../../../kernel/json.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { BLOCK_SPANS, firstOfBlock, SLICE_SPANS, SLICES } from "./block.rules.ts";
import { type BlockFilter, type BlockFilterBuilder, createBlockFilterBuilder } from "./block-filter.rules.ts";
import { facetSql } from "./facet-sql.store.ts";
import { exceptionTypeOf, type Facet, facetCode, facets, shortened } from "./facets.rules.ts";

/** Attributes that are parsed at a time. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** A row of `span_block_counts` without its block: project, facet, hour, value, amount. */
export type CountRow = readonly [projectId: number, facet: number, hour: number, value: string, amount: number];

export interface BlockCounts {
  /** The marks of the block when counting began: what was marked later is not in the counts. */
  readonly marks: readonly number[];
  readonly rows: readonly CountRow[];
}

export interface BlockSummary extends BlockCounts, BlockFilter {
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

  async function countFacet(context: CallContext, block: number, facet: Facet): Promise<CountRow[]> {
    const { value, amount, where } = facetSql(dialect, facet);
    const hour = dialect.timeBin(sql.ref("spans.start_us"), { scale: "HOUR", offsetMinutes: 0 });
    const rows = await spansOf(context, block)
      .select(["spans.project_id as project", hour.as("hour"), value.as("value")])
      .select(sql<number>`cast(sum(${amount}) as bigint)`.as("amount"))
      .where(where)
      .groupBy(["spans.project_id", hour, value])
      .execute();
    const code = facetCode(facet);
    if (facet !== "errorType") return rows.map((row) => [row.project, code, row.hour, row.value, row.amount]);
    const counts = new Map<string, CountRow>();
    for (const row of rows) {
      const type = row.value === null ? null : exceptionTypeOf(parseJson(row.value));
      if (type === null) continue;
      const name = shortened(type);
      const key = JSON.stringify([row.project, row.hour, name]);
      counts.set(key, [row.project, code, row.hour, name, (counts.get(key)?.[4] ?? 0) + Number(row.amount)]);
    }
    return [...counts.values()];
  }

  async function count(context: CallContext, block: number): Promise<BlockCounts> {
    const marks = await context.database
      .read(context, "slow")
      .selectFrom("span_block_marks")
      .select("id")
      .where("block", "=", block)
      .execute();
    const rows: CountRow[] = [];
    for (const facet of facets) rows.push(...(await countFacet(context, block, facet)));
    return { marks: marks.map(({ id }) => id), rows };
  }

  async function addSlice(
    context: CallContext,
    block: number,
    slice: number,
    add: BlockFilterBuilder["add"],
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

  async function readFilter(context: CallContext, block: number): Promise<BlockFilterBuilder> {
    const filter = createBlockFilterBuilder();
    for (let slice = 0; slice < SLICES; slice++) {
      await addSlice(context, block, slice, filter.add);
    }
    return filter;
  }

  return {
    count,
    readFilter,

    /** Everything that is kept of a block. */
    async summarise(context: CallContext, block: number): Promise<BlockSummary> {
      const counts = await count(context, block);
      const filter = await readFilter(context, block);
      const bounds = await spansOf(context, block)
        .select((eb) => [eb.fn.min("spans.start_us").as("startLow"), eb.fn.max("spans.start_us").as("startHigh")])
        .executeTakeFirstOrThrow();
      return { ...counts, ...filter.build(), ...bounds };
    },
  };
}
