// The rows of block summaries: which blocks there are, which must be counted again, and their writing, a short transaction a
// block.
import { sql } from "kysely";
import { SUMMARY_VERSION } from "../../model/summaries/blocks/block.ts";
import { RANGES_PART } from "../../model/summaries/blocks/number-ranges.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { withLease } from "../../storage/lease.ts";
import { SERVER_LEVEL } from "../../storage/migrations.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import { readCosts, replaceCosts } from "./block-costs.store.ts";
import type { BlockCounts, BlockSummary, CountRow } from "./block-source.store.ts";

export type BlocksStore = ReturnType<typeof createBlocksStore>;

interface MarkedBlock {
  readonly block: number;
  readonly hasNewValues: boolean;
}

export function createBlocksStore(storage: Storage) {
  const { dialect } = storage;

  return {
    /** The number of summarised blocks, which is also that of the next. */
    async countBlocks(context: CallContext): Promise<number> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("span_blocks")
        .select((eb) => eb.fn.max("block").as("last"))
        .executeTakeFirstOrThrow();
      return row.last === null ? 0 : row.last + 1;
    },

    /** False once a migration has asked for a newer server: what this one writes would lack what the newer ones know. */
    async servesDatabase(context: CallContext): Promise<boolean> {
      const { rows } = await sql<{ level: number }>`select max(oldest_server) as level from schema_migrations`.execute(
        context.database.read(context, "short"),
      );
      return Number(rows[0]!.level) <= SERVER_LEVEL;
    },

    listMarked,
    listWithoutRanges,

    async readCounts(context: CallContext, block: number): Promise<CountRow[]> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("span_block_counts")
        .selectAll()
        .where("block", "=", block)
        .execute();
      return rows.map((row) => [row.project_id, row.facet, row.hour, row.value, row.amount] as const);
    },

    readCosts,

    async readFilter(context: CallContext, block: number) {
      const database = context.database.read(context, "slow");
      const row = await database
        .selectFrom("span_blocks")
        .select("unfiltered")
        .where("block", "=", block)
        .executeTakeFirst();
      if (row === undefined) return null;
      const parts = await database
        .selectFrom("span_block_bits")
        .select(["part", "bits"])
        .where("block", "=", block)
        .execute();
      return { unfiltered: row.unfiltered, parts: new Map(parts.map(({ part, bits }) => [part, bits])) };
    },

    async addBlock(context: CallContext, block: number, summary: BlockSummary): Promise<void> {
      await storage.transaction(context, async (inner) => {
        const database = inner.database.write(inner);
        const { unfiltered, startLow, startHigh } = summary;
        const row = {
          block,
          unfiltered,
          start_low: startLow,
          start_high: startHigh,
          summary_version: SUMMARY_VERSION,
        };
        const added = await database
          .insertInto("span_blocks")
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        // Another server was quicker.
        if (Number(added.numInsertedOrUpdatedRows ?? 0) === 0) return;
        await insertBits(inner, block, summary);
        await replaceCounts(dialect, inner, block, summary);
      });
    },

    /** The same for a block that was summarised before. */
    async rewriteBlock(context: CallContext, block: number, summary: BlockSummary): Promise<void> {
      await storage.transaction(context, async (inner) => {
        const database = inner.database.write(inner);
        const { unfiltered, startLow, startHigh } = summary;
        // First of all: two servers that rewrite the same block do so one after the other.
        await database
          .updateTable("span_blocks")
          .set({ unfiltered, start_low: startLow, start_high: startHigh, summary_version: SUMMARY_VERSION })
          .where("block", "=", block)
          .execute();
        await database.deleteFrom("span_block_bits").where("block", "=", block).execute();
        await insertBits(inner, block, summary);
        await replaceCounts(dialect, inner, block, summary);
      });
    },

    async writeCounts(context: CallContext, block: number, counts: BlockCounts): Promise<void> {
      await storage.transaction(context, async (inner) => {
        // First of all: two servers that count the same block write one after the other. What a newer one has written stays.
        const held = await inner.database
          .write(inner)
          .updateTable("span_blocks")
          .set({ summary_version: SUMMARY_VERSION })
          .where("block", "=", block)
          .where("summary_version", "=", SUMMARY_VERSION)
          .executeTakeFirstOrThrow();
        if (Number(held.numUpdatedRows) === 0) return;
        await replaceCounts(dialect, inner, block, counts);
      });
    },

    /** Runs `work` unless another server does, and returns whether it ran. */
    withLease: (context: CallContext, work: () => Promise<void>) => withLease(storage, context, "blocks", work),
  };
}

/** Summarised blocks whose counts hold no more, and with `hasNewValues` their filters: up to `limit` that are marked, and as many of
 *  an older summary version. */
async function listMarked(context: CallContext, limit: number): Promise<MarkedBlock[]> {
  const older = await context.database
    .read(context, "short")
    .selectFrom("span_blocks")
    .select("block")
    .where("summary_version", "<", SUMMARY_VERSION)
    .orderBy("summary_version")
    .orderBy("block")
    .limit(limit)
    .execute();
  const rows = await context.database
    .read(context, "short")
    .selectFrom("span_blocks")
    .innerJoin("span_block_marks", "span_block_marks.block", "span_blocks.block")
    .select((eb) => ["span_blocks.block", eb.fn.max("span_block_marks.new_values").as("newValues")])
    .where("summary_version", "=", SUMMARY_VERSION)
    .groupBy("span_blocks.block")
    .orderBy("span_blocks.block")
    .limit(limit)
    .execute();
  return [
    ...rows.map(({ block, newValues }) => ({ block, hasNewValues: newValues !== 0 })),
    ...older.map(({ block }) => ({ block, hasNewValues: true })),
  ];
}

/** Up to `limit` blocks whose summaries a server wrote that knew no ranges of numbers. */
async function listWithoutRanges(context: CallContext, limit: number): Promise<number[]> {
  const rows = await context.database
    .read(context, "short")
    .selectFrom("span_blocks")
    .select("block")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("span_block_bits")
            .select("part")
            .where("part", "=", RANGES_PART)
            .whereRef("span_block_bits.block", "=", "span_blocks.block"),
        ),
      ),
    )
    .orderBy("block", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ block }) => block);
}

async function replaceCounts(
  dialect: Dialect,
  context: CallContext,
  block: number,
  { marks, rows, costs }: BlockCounts,
): Promise<void> {
  const database = context.database.write(context);
  await database.deleteFrom("span_block_counts").where("block", "=", block).execute();
  await sql`insert into span_block_counts (block, project_id, facet, hour, value, amount)
    select ${sql.lit(block)}, cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), cast(value ->> 2 as bigint),
      value ->> 3, cast(value ->> 4 as bigint)
    from ${dialect.jsonRows(rows)}`.execute(database);
  await replaceCosts(dialect, context, block, costs);
  await database
    .deleteFrom("span_block_marks")
    .where(dialect.inList(sql.ref("id"), marks))
    .execute();
}

async function insertBits(context: CallContext, block: number, summary: BlockSummary): Promise<void> {
  const parts = summary.parts.flatMap((bits, part) => (bits.length === 0 ? [] : [{ part, block, bits }]));
  const ranges = { part: RANGES_PART, block, bits: summary.ranges };
  await context.database
    .write(context)
    .insertInto("span_block_bits")
    .values([...parts, ranges])
    .execute();
}
