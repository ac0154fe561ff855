// Writes the keys and sort values of a block of spans, sorted, when its last span has come: once in 4,096 spans, so that no
// commit dirties a page a span. Triggers keep the rows right afterwards (migrations/sqlite/0004_span_orders.sql).
import { BLOCK_SPANS, blockOf, firstOfBlock } from "../../model/summaries/blocks/block.ts";
import type { SpanValue } from "../span-orders.ts";
import type { SqliteConnection } from "./connection.ts";
import { RUN_BLOCKS, sorts } from "./span-order-rows.ts";

/** Sorts every block that is full when `lastId` is the last id given: part of the transaction that fills it. */
export function sortFullBlocks(connection: SqliteConnection, lastId: number): void {
  const full = blockOf(lastId + 1);
  const { next } = connection.prepare("select coalesce(max(block), -1) + 1 as next from sorted_blocks").get() as {
    next: number;
  };
  if (next >= full) return;
  for (const block of next + 1 === full ? [next] : blocksWithSpans(connection, next, full))
    sortBlock(connection, block);
}

/** More than one where ids were left out, or where spans came by a version that does not sort. */
function blocksWithSpans(connection: SqliteConnection, from: number, to: number): number[] {
  const rows = connection
    .prepare(`select distinct id / ${BLOCK_SPANS} as block from spans where id >= ? and id < ? order by block`)
    .all(firstOfBlock(from), firstOfBlock(to)) as { block: number }[];
  return rows.map(({ block }) => block);
}

function sortBlock(connection: SqliteConnection, block: number): void {
  const [low, high] = [firstOfBlock(block), firstOfBlock(block + 1)];
  connection.prepare("insert into sorted_blocks (block) values (?)").run(block);
  connection
    .prepare(
      `insert into span_keys (run, span_key, span_id)
       select ?, span_key, id from spans where id >= ? and id < ? order by span_key`,
    )
    .run(Math.floor(block / RUN_BLOCKS), low, high);
  for (const value of Object.keys(values) as SpanValue[]) {
    connection.prepare(ordersOfAll(value)).run(block, low, high);
    if (value === "latency") connection.prepare(latenciesOfRoots).run(block, low, high);
    else connection.prepare(ordersOfRoots(value)).run(block);
  }
}

const values: Readonly<Record<SpanValue, string>> = {
  latency: "latency_us",
  tokens: "coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)",
  sumTokens: "sum_prompt + sum_completion",
};

// Rows that come in the order of their key are added at the end of the table. Sorting by the value alone is a sixth quicker than by the
// whole key, and only where a block holds several projects it differs.

const ordersOfAll = (value: SpanValue) =>
  `insert into span_orders (block, sort, project_id, value, span_id)
   select ?, ${sorts[value]}, project_id, ${values[value]} as value, id from spans
   where id >= ? and id < ? ${value === "latency" ? "" : "and value > 0"} order by value`;

const latenciesOfRoots = `insert into span_orders (block, sort, project_id, value, span_id)
   select ?, ${sorts.latency + 1}, project_id, ${values.latency} as value, id from spans
   where id >= ? and id < ? and (parent_key is null or not exists (select 1 from spans as parent
     where parent.trace_id = spans.trace_id and parent.span_key = spans.parent_key)) order by value`;

/** Those whose latency was written. */
const ordersOfRoots = (value: SpanValue) =>
  `insert into span_orders (block, sort, project_id, value, span_id)
   select roots.block, ${sorts[value] + 1}, spans.project_id, ${values[value]} as value, spans.id
   from span_orders as roots cross join spans
   where roots.block = ? and roots.sort = ${sorts.latency + 1} and spans.id = roots.span_id order by 4`;
