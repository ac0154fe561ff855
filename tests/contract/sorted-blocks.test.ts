// The rows of sorted blocks on SQLite: over more blocks than one run of keys has, with gaps in the ids, and when blocks are emptied.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { BLOCK_SPANS } from "../../src/model/summaries/blocks/block.ts";
import { createSpanLookupStore } from "../../src/modules/tracing/spans/span-lookup.store.ts";
import { openSqlite, type SqliteConnection } from "../../src/storage/sqlite/connection.ts";
import { sortFullBlocks } from "../../src/storage/sqlite/span-order-blocks.ts";
import { RUN_BLOCKS } from "../../src/storage/sqlite/span-order-rows.ts";
import { createSqliteDatabase } from "../support/drivers.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const RUN_SPANS = RUN_BLOCKS * BLOCK_SPANS;

let store: TestStorage;
let connection: SqliteConnection;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createSqliteDatabase();
  drop = database.drop;
  store = await openTestStorage(database.url);
  if (store.location.kind !== "sqlite") throw new Error("A SQLite file was asked for");
  connection = openSqlite(store.location, "writer");
  connection.execute("insert into projects (id, name, created_us, updated_us) values (1, 'p', 1, 1)");
  connection.execute(
    `insert into traces (id, trace_key, project_id, start_us, end_us, latency_us) values (1, 't', 1, 1, 1, 1)`,
  );
});
afterAll(async () => {
  connection.close();
  await store.close();
  await drop();
});

/** Stores spans with these ids, both included, and sorts what is full then. */
function storeSpans(first: number, last: number): void {
  connection.execute("begin");
  connection.execute(
    `with recursive number (id) as (select ? union all select id + 1 from number where id < ?)
     insert into spans (id, epoch, trace_id, project_id, span_key, parent_key, name, kind, status, status_message, start_us,
       latency_us, sum_errors, sum_prompt, sum_completion)
     select id, id / 65536, 1, 1, hex(id * 7919 % 1000003) || id, case id % 10 when 0 then null else 'k' || (id / 10) end, 'n', 0, 1, '',
       id, id * 31 % 977, 0, id % 3, 0 from number`,
    [first, last],
  );
  sortFullBlocks(connection, last);
  connection.execute("commit");
}

function deleteSpans(first: number, last: number): void {
  connection.execute("delete from spans where id >= ? and id <= ?", [first, last]);
}

async function expectExact(): Promise<void> {
  const database = store.storage.handle.read(store.context(), "slow");
  for (const [what, query] of Object.entries(store.storage.dialect.spanOrders.faults)) {
    const { rows } = await sql<{ count: number }>`${query}`.execute(database);
    expect([what, rows[0]!.count]).toEqual([what, 0]);
  }
  const lookup = createSpanLookupStore(store.storage.dialect);
  const some = connection.execute(
    "select id, span_key from spans where id % 1999 = 0 or id = (select max(id) from spans)",
  ).rows;
  expect(some.length).toBeGreaterThan(1);
  for (const { id, span_key } of some)
    expect((await lookup.findNewest(store.context(), span_key as string))?.id).toBe(id as number);
}

const blocks = () =>
  connection.execute("select block from sorted_blocks order by block").rows.map(({ block }) => block);
const runs = () => connection.execute("select distinct run from span_keys order by run").rows.map(({ run }) => run);

test("a block is sorted by the transaction with its last span, and eight of them share a run of keys", async () => {
  storeSpans(1, BLOCK_SPANS - 2);
  expect(blocks()).toEqual([]);
  await expectExact();
  storeSpans(BLOCK_SPANS - 1, BLOCK_SPANS - 1);
  expect(blocks()).toEqual([0]);
  storeSpans(BLOCK_SPANS, RUN_SPANS - 2);
  expect(blocks()).toHaveLength(RUN_BLOCKS - 1);
  expect(runs()).toEqual([0]);
  await expectExact();
  storeSpans(RUN_SPANS - 1, RUN_SPANS + BLOCK_SPANS - 1);
  expect(runs()).toEqual([0, 1]);
  await expectExact();
});

test("ids that were left out make no difference", async () => {
  storeSpans(RUN_SPANS + BLOCK_SPANS, RUN_SPANS + 2 * BLOCK_SPANS + 5);
  storeSpans(3 * RUN_SPANS + 7, 3 * RUN_SPANS + BLOCK_SPANS + 5);
  expect(blocks()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 24]);
  expect(runs()).toEqual([0, 1, 3]);
  await expectExact();
});

test("what is deleted leaves no row, and a block without spans is asked no more, but for the last one", async () => {
  deleteSpans(BLOCK_SPANS, 3 * BLOCK_SPANS - 1);
  expect(blocks()).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 10, 24]);
  deleteSpans(RUN_SPANS + 5, RUN_SPANS + 900);
  await expectExact();
  deleteSpans(3 * RUN_SPANS, 4 * RUN_SPANS);
  expect(blocks().at(-1)).toBe(24);
  await expectExact();
  storeSpans(3 * RUN_SPANS + 2 * BLOCK_SPANS, 3 * RUN_SPANS + 3 * BLOCK_SPANS);
  expect(blocks().slice(-2)).toEqual([24, 26]);
  await expectExact();
});
