// Writes the keys and sort values of a block of spans, sorted, when its last span has come: once in 4,096 spans, so that no
// commit dirties a page a span. Triggers keep the rows right afterwards (migrations/sqlite/0004_span_orders.sql).
import { BLOCK_SPANS, blockOf, firstOfBlock } from "../../model/blocks/block.ts";
import type { SqliteConnection } from "./connection.ts";
import { RUN_BLOCKS } from "./span-order-rows.ts";

/** Sorts every block that is full when `lastId` is the last id given: part of the transaction that fills it. */
export function sortFullBlocks(connection: SqliteConnection, lastId: number): void {
  const full = blockOf(lastId + 1);
  let { next } = connection.prepare("select coalesce(max(block), -1) + 1 as next from sorted_blocks").get() as {
    next: number;
  };
  if (next >= full) return;
  for (const block of next + 1 === full ? [next] : blocksWithSpans(connection, next, full)) {
    // Where ids were left out, the run that was begun ends here.
    if (next % RUN_BLOCKS > 0 && runOf(block) > runOf(next)) sortRun(connection, runOf(next));
    sortBlock(connection, block);
    next = block + 1;
    if (next % RUN_BLOCKS === 0) sortRun(connection, runOf(block));
  }
}

function runOf(block: number): number {
  return Math.floor(block / RUN_BLOCKS);
}

/** More than one where ids were left out, or where spans came by a version that does not sort. */
function blocksWithSpans(connection: SqliteConnection, from: number, to: number): number[] {
  const rows = connection
    .prepare(`select distinct id / ${BLOCK_SPANS} as block from spans where id >= ? and id < ? order by block`)
    .all(firstOfBlock(from), firstOfBlock(to)) as { block: number }[];
  return rows.map(({ block }) => block);
}

function sortRun(connection: SqliteConnection, run: number): void {
  connection
    .prepare(
      `insert into span_keys (run, span_key, span_id)
       select ?, span_key, span_id from span_keys where run < 0 order by span_key, span_id`,
    )
    .run(run);
  connection.prepare("delete from span_keys where run < 0").run();
}

function sortBlock(connection: SqliteConnection, block: number): void {
  const [low, high] = [firstOfBlock(block), firstOfBlock(block + 1)];
  connection.prepare("insert into sorted_blocks (block) values (?)").run(block);
  connection
    .prepare(
      `insert into span_keys (run, span_key, span_id)
       select ?, span_key, id from spans where id >= ? and id < ? order by span_key, id`,
    )
    .run(-1 - (block % RUN_BLOCKS), low, high);
  connection
    .prepare(
      `insert into span_orders (block, sort, project_id, value, span_id)
       with span as materialized (
         select id, project_id, latency_us, coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0) as own_tokens,
           sum_prompt + sum_completion as sum_tokens,
           parent_key is null or not exists (select 1 from spans as parent
             where parent.trace_id = spans.trace_id and parent.span_key = spans.parent_key) as may_be_root
         from spans where id >= ? and id < ?
       ),
       flag (flag) as (values (0), (1))
       select ?, sort, project_id, value, id from (
         select flag as sort, project_id, latency_us as value, id from span, flag where flag <= may_be_root
         union all
         select 2 + flag, project_id, own_tokens, id from span, flag where flag <= may_be_root and flag + own_tokens > 0
         union all
         select 4 + flag, project_id, sum_tokens, id from span, flag where flag <= may_be_root and flag + sum_tokens > 0
       ) order by sort, project_id, value, id`,
    )
    .run(low, high, block);
}
