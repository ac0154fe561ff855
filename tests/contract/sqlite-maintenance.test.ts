// What the writer does for its file between transactions: the log stays bounded, free pages go back, and at rest nothing is written.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import type { SqliteLocation } from "../../src/storage/location.ts";
import { openSqlite, type SqliteConnection } from "../../src/storage/sqlite/connection.ts";
import { MAINTENANCE } from "../../src/storage/sqlite/maintenance.ts";
import { createSqliteWriter, type SqliteWriter } from "../../src/storage/sqlite/writer.ts";
import { createSqliteDatabase } from "../support/drivers.ts";
import { locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(30_000);

const MEGABYTE = 1024 * 1024;

describe("maintenance of a SQLite file", () => {
  let location: SqliteLocation;
  let connection: SqliteConnection;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    const database = await createSqliteDatabase();
    drop = database.drop;
    location = locationOf(database.url) as SqliteLocation;
    connection = openSqlite({ ...location, synchronous: "NORMAL" }, "writer");
    connection.script("create table blobs (id integer primary key, part integer, bytes blob)");
    connection.script("create index blobs_by_part on blobs (part)");
  });
  afterEach(async () => {
    connection.close();
    await drop();
  });

  const writerWith = (given: Partial<typeof MAINTENANCE>) =>
    createSqliteWriter(connection, { maintenance: { ...MAINTENANCE, idleMilliseconds: 30, ...given } });
  const write = (writer: SqliteWriter, megabytes: number) =>
    writer.transaction((held) => {
      for (let row = 0; row < megabytes * 16; row++)
        held.execute("insert into blobs (part, bytes) values (?, zeroblob(65536))", [row % 7]);
    });
  const sizeOf = (suffix: string) => statSync(location.path + suffix, { throwIfNoEntry: false })?.size ?? 0;
  const log = () => connection.execute("pragma wal_checkpoint(noop)").rows[0] as { log: number; checkpointed: number };
  const freePages = () => Number(connection.execute("pragma freelist_count").rows[0]?.freelist_count);

  test("under load the log stays bounded, readers or not", async () => {
    const writer = writerWith({ checkpointBytes: MEGABYTE, idleMilliseconds: 60_000 });
    const reader = openSqlite(location, "reader");
    let largest = 0;
    for (let turn = 0; turn < 40; turn++) {
      await write(writer, 0.5);
      reader.execute("select count(*) from blobs");
      largest = Math.max(largest, sizeOf("-wal"));
    }
    reader.close();
    expect(sizeOf("")).toBeGreaterThan(15 * MEGABYTE);
    expect(largest).toBeLessThan(4 * MEGABYTE);
  });

  test("a read that takes long delays the checkpoint, not the writes", async () => {
    const writer = writerWith({ checkpointBytes: MEGABYTE, idleMilliseconds: 60_000 });
    const reader = openSqlite(location, "reader");
    reader.execute("begin");
    reader.execute("select count(*) from blobs");
    for (let turn = 0; turn < 12; turn++) await write(writer, 1);
    // The reader is still there: writes that wait for it would take 10 s each, longer than this test may.
    reader.execute("commit");
    await write(writer, 2);
    await write(writer, 1);
    await until(() => log().log < 4 * 128);
    reader.close();
  });

  test("another process that holds the file delays a step, not the writer", async () => {
    const writer = writerWith({ vacuumFromPages: 100 });
    await write(writer, 2);
    const other = openSqlite(location, "writer");
    await writer.transaction((held) => void held.execute("delete from blobs"));
    other.execute("begin immediate");
    // A step that waits for the other process holds the writer for 10 s each time: longer than this test may take.
    let held = 0;
    await writer.hold(() => void held++);
    await writer.hold(() => void held++);
    expect([held, freePages() > 0]).toEqual([2, true]);
    other.execute("rollback");
    other.close();
    await writer.hold(() => {});
    await until(() => freePages() === 0);
  }, 15_000);

  test("without writes a log beyond the limit is written back, a smaller one is left", async () => {
    const writer = writerWith({ checkpointBytes: 2 * MEGABYTE });
    await write(writer, 1);
    const small = log();
    expect(small.checkpointed).toBe(0);
    await write(writer, 2);
    await until(() => log().checkpointed === log().log);
    expect(log().log).toBeGreaterThan(256);
  });

  test("pages freed by deletions go back to the file system in steps, writes in between", async () => {
    const writer = writerWith({ checkpointBytes: MEGABYTE, vacuumFromPages: 500 });
    await write(writer, 12);
    await writer.transaction((held) => void held.execute("delete from blobs where id > 16"));
    expect(freePages()).toBeGreaterThan(1000);
    const before = freePages();
    await write(writer, 0.1);
    expect(freePages()).toBeGreaterThan(before - 400);
    await until(() => freePages() === 0);
    await until(() => sizeOf("") < 4 * MEGABYTE);
  });

  test("statistics for the choice of an index are there once the file has grown", async () => {
    const writer = writerWith({ checkpointBytes: 64 * MEGABYTE });
    await write(writer, 10);
    const statistics = () => {
      try {
        return connection.execute("select idx from sqlite_stat1").rows;
      } catch {
        return [];
      }
    };
    await until(() => statistics().some((row) => row.idx === "blobs_by_part"));
  });

  test("at rest nothing is written", async () => {
    const writer = writerWith({ checkpointBytes: MEGABYTE, vacuumFromPages: 500 });
    await write(writer, 10);
    await writer.transaction((held) => void held.execute("delete from blobs"));
    await until(() => freePages() === 0 && sizeOf("") < MEGABYTE);
    const state = () =>
      ["", "-wal"].map((suffix) => statSync(location.path + suffix)).map((at) => [at.size, at.mtimeMs]);
    let last = state();
    // The end of all steps: the same state over ten times the idle time.
    await until(async () => {
      const before = last;
      await Bun.sleep(300);
      last = state();
      return Bun.deepEquals(before, last);
    });
    await Bun.sleep(300);
    expect(state()).toEqual(last);
  });
});
