// The statistics of a SQLite file are renewed without reading what has no index, and without counting a large index: whoever writes waits.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { SqliteLocation } from "../../src/storage/location.ts";
import { openSqlite, type SqliteConnection } from "../../src/storage/sqlite/connection.ts";
import { MAINTENANCE } from "../../src/storage/sqlite/maintenance.ts";
import { createSqliteWriter } from "../../src/storage/sqlite/writer.ts";
import { createSqliteDatabase } from "../support/drivers.ts";
import { locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const MEBIBYTE = 1024 * 1024;
const TEXTS = 64 * MEBIBYTE;
const BYTES_OF_A_TEXT = 4096;
/** Above the number up to which indexes are analysed. */
const LARGE = 200_000;
const SMALL = 5000;

let location: SqliteLocation;
let connection: SqliteConnection;
let drop: () => Promise<void>;

beforeEach(async () => {
  const database = await createSqliteDatabase();
  drop = database.drop;
  location = { ...(locationOf(database.url) as SqliteLocation), synchronous: "NORMAL" };
  connection = openSqlite(location, "writer");
});
afterEach(async () => {
  connection.close();
  await drop();
});

function numbers(count: number): string {
  return `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
}

/** Tables as they are after they have grown a hundredfold since their statistics were taken. */
function fill(): void {
  connection.script(`begin;
    create table texts (id integer primary key, body blob);
    create table entries (id integer primary key, part integer, key text, cost real);
    create index entries_by_part on entries (part, key);
    create index entries_with_cost on entries (cost) where cost > 0;
    create table few (key text primary key, part integer) without rowid;
    create index few_by_part on few (part);
    ${numbers(LARGE / 100)} insert into entries select n, n % 3, 'key ' || n, 0 from numbers;
    ${numbers(10)} insert into few select 'key ' || n, n % 3 from numbers;
    insert into texts (body) values (zeroblob(10));
    analyze;
    delete from entries; delete from few; delete from texts;
    ${numbers(LARGE)} insert into entries select n, n % 3, 'key ' || n, n % 2 from numbers;
    ${numbers(SMALL / 5)} insert into few select 'key ' || n, n % 3 from numbers;
    ${numbers(TEXTS / BYTES_OF_A_TEXT)} insert into texts select n, zeroblob(${BYTES_OF_A_TEXT}) from numbers;
    commit`);
}

const statistics = () =>
  Object.fromEntries(
    connection
      .execute("select tbl, idx, stat from sqlite_stat1 where tbl in ('entries', 'few', 'texts') order by tbl, idx")
      .rows.map(({ tbl, idx, stat }) => [idx ?? tbl, String(stat)]),
  );
const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))![1]);
const rowsIn = (stat: string | undefined) => Number(stat?.split(" ")[0]);

test("they follow the growth of a file in short steps, and read no table that has no index", async () => {
  fill();
  const old = statistics();
  expect([rowsIn(old.entries_by_part), rowsIn(old.few_by_part), rowsIn(old.texts)]).toEqual([LARGE / 100, 10, 1]);
  connection.script("pragma wal_checkpoint(truncate)");
  connection.close();
  connection = openSqlite(location, "writer");
  let most = 0;
  let before = 0;
  let steps = 0;
  const stepping: SqliteConnection = {
    ...connection,
    get inTransaction() {
      return connection.inTransaction;
    },
    get isClosed() {
      return connection.isClosed;
    },
    script(sql) {
      before = bytesRead();
      connection.script(sql);
      most = Math.max(most, bytesRead() - before);
      steps++;
    },
    execute(sql, parameters) {
      before = bytesRead();
      const result = connection.execute(sql, parameters);
      most = Math.max(most, bytesRead() - before);
      return result;
    },
  };
  const writer = createSqliteWriter(stepping, { maintenance: { ...MAINTENANCE, idleMilliseconds: 30 } });
  await writer.transaction((held) => void held.execute("update few set part = 1 where key = 'key 1'"));
  await until(() => rowsIn(statistics().texts) > 1 && rowsIn(statistics().few_by_part) > 10);
  const renewed = statistics();
  expect([renewed.entries_by_part, renewed.texts].map(rowsIn)).toEqual([LARGE, TEXTS / BYTES_OF_A_TEXT]);
  // The averages of a large table stay, but for an index whose share of the rows is not known.
  expect(renewed.entries_by_part?.split(" ").slice(1)).toEqual(old.entries_by_part!.split(" ").slice(1));
  expect(renewed.entries_with_cost).toBeUndefined();
  expect([renewed.few_by_part, renewed.few].map(rowsIn)).toEqual([SMALL / 5, SMALL / 5]);
  expect(steps).toBeGreaterThan(3);
  if (process.platform === "linux") expect(most).toBeLessThan(TEXTS / 32);
  // The planner has them, and what is renewed is not renewed again.
  expect(connection.execute("pragma optimize(0x10003)").rows.map((row) => row.optimize)).not.toContain(
    'ANALYZE "main"."texts"',
  );
  const duplicates = "select tbl from sqlite_stat1 group by tbl, idx having count(*) > 1";
  expect(connection.execute(duplicates).rows).toEqual([]);
});
