// The mark that invalidates the counts of a block of spans. Code that deletes spans, changes them or moves them to another project
// marks their blocks in the same transaction.
import { type RawBuilder, sql } from "kysely";
import { BLOCK_SPANS, blockOf } from "../model/summaries/blocks/block.ts";
import type { Dialect } from "./dialect.ts";
import type { Database } from "./storage.ts";

/** Marks the blocks of these spans. A row for each call and block, so that two transactions never wait for each other; the
 *  marks go when the block has been counted again. */
export async function markBlocks(database: Database, spanIds: readonly number[]): Promise<void> {
  const blocks = [...new Set(spanIds.map(blockOf))];
  if (blocks.length === 0) return;
  await database
    .insertInto("span_block_marks")
    .values(blocks.map((block) => ({ block })))
    .execute();
}

/** The same where attributes have changed: until the block has been summarised again, its filter holds no more either. */
export async function markChangedBlocks(database: Database, spanIds: readonly number[]): Promise<void> {
  const blocks = [...new Set(spanIds.map(blockOf))];
  if (blocks.length === 0) return;
  await database
    .insertInto("span_block_marks")
    .values(blocks.map((block) => ({ block, new_values: 1 })))
    .execute();
}

/** As `markBlocks`, for every span of the traces. */
export async function markBlocksOfTraces(
  database: Database,
  dialect: Dialect,
  traceIds: readonly number[],
): Promise<void> {
  await sql`insert into span_block_marks (block)
    select distinct ${blockNumber(sql.ref("id"))} from spans where ${dialect.inList(sql.ref("trace_id"), traceIds)}`.execute(
    database,
  );
}

/** The block of a span as SQL. */
export function blockNumber(id: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(${id} / ${sql.lit(BLOCK_SPANS)})`;
}
