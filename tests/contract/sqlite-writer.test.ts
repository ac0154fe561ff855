// The only writer of a SQLite file: transactions of other threads that hold it too long are ended, the others take turns.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLink, serveLink } from "../../src/kernel/link.ts";
import type { TransactionRunner } from "../../src/storage/kysely-driver.ts";
import type { SqliteLocation } from "../../src/storage/location.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { openSqlite, type SqliteConnection } from "../../src/storage/sqlite/connection.ts";
import { linkedWriter } from "../../src/storage/sqlite/storage.ts";
import { createSqliteWriter, type SqliteWriter } from "../../src/storage/sqlite/writer.ts";
import { createSqliteDatabase } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { channelPair } from "../support/server-storage.ts";
import { locationOf } from "../support/storage.ts";

const ADD = "insert into pending_rollups (trace_id) values (?)";

describe("the writer of a SQLite file", () => {
  let connection: SqliteConnection;
  let owner: SqliteWriter;
  let drop: () => Promise<void>;
  /** The writer as another thread has it. */
  let writer: TransactionRunner;

  beforeEach(async () => {
    const database = await createSqliteDatabase();
    drop = database.drop;
    const location = locationOf(database.url) as SqliteLocation;
    await migrateStorage(location);
    connection = openSqlite(location, "writer");
    writeWithin({ idle: 50, whole: 30_000 });
  });
  afterEach(async () => {
    connection.close();
    await drop();
  });

  /** Milliseconds that a transaction may say nothing, and last. */
  const writeWithin = (limits: { idle: number; whole: number }) => {
    owner = createSqliteWriter(connection, { limits });
    const [near, far] = channelPair();
    serveLink(far, owner.handlers);
    writer = linkedWriter(createLink(near));
  };
  const stored = () =>
    connection.execute("select trace_id from pending_rollups order by 1").rows.map((row) => row.trace_id);

  test("a silent transaction is rolled back, and waiting writers go on", async () => {
    const silent = await writer.begin();
    await silent.run(ADD, [1]);
    const began = performance.now();
    // Resolves only once the silent transaction has ended.
    await writer.run(ADD, [2]);
    expect(performance.now() - began).toBeGreaterThan(30);
    const failures = [await failureOf(silent.run(ADD, [3])), await failureOf(silent.commit())];
    expect(failures.map(({ code, kind }) => [code, kind])).toEqual([
      ["storage.transaction_expired", "unavailable"],
      ["storage.transaction_expired", "unavailable"],
    ]);
    await silent.rollback();
    expect(stored()).toEqual([2]);
  });

  test("a transaction that goes on and on is rolled back at the end of its time", async () => {
    writeWithin({ idle: 30_000, whole: 250 });
    const endless = await writer.begin();
    const began = performance.now();
    const insertUntilRefused = async () => {
      for (let id = 1; ; id++) await endless.run(ADD, [id]);
    };
    expect((await failureOf(insertUntilRefused())).code).toBe("storage.transaction_expired");
    expect(performance.now() - began).toBeGreaterThan(240);
    await writer.run(ADD, [1]);
    expect(stored()).toEqual([1]);
  });

  test("transactions of the owner and of others wait for each other", async () => {
    const first = await writer.begin();
    const owned = owner.transaction(async (held) => {
      held.execute(ADD, [2]);
    });
    const second = writer.begin();
    await first.run(ADD, [1]);
    expect(stored()).toEqual([1]);
    await first.commit();
    await owned;
    const began = await second;
    await began.run(ADD, [3]);
    await began.rollback();
    expect(stored()).toEqual([1, 2]);
  });

  test("a commit that fails leaves nothing behind, and the next transaction works", async () => {
    connection.script("create table parents (id integer primary key)");
    connection.script("create table children (parent integer references parents (id) deferrable initially deferred)");
    const orphan = await writer.begin();
    await orphan.run("insert into children values (1)", []);
    expect((await failureOf(orphan.commit())).message).toContain("FOREIGN KEY");
    expect(connection.inTransaction).toBe(false);
    const next = await writer.begin();
    await next.run(ADD, [1]);
    await next.commit();
    expect(stored()).toEqual([1]);
  });

  test("after SQLite has rolled back by itself, the rest of a transaction is not kept", async () => {
    connection.script(
      "create trigger full before insert on pending_rollups when new.trace_id = 9 begin select raise(rollback, 'full'); end",
    );
    const broken = await writer.begin();
    await broken.run(ADD, [1]);
    expect((await failureOf(broken.run(ADD, [9]))).message).toContain("full");
    expect((await failureOf(broken.run(ADD, [2]))).kind).toBe("unavailable");
    expect((await failureOf(broken.commit())).kind).toBe("unavailable");
    expect(stored()).toEqual([]);
  });
});
