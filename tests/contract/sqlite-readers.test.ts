// The threads and processes that read a SQLite file: how many there are, how they end, and what happens to those who wait.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SqliteLocation } from "../../src/storage/location.ts";
import { migrateStorage, openStorageForReading } from "../../src/storage/open.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import {
  createShortReaders,
  createSlowReaders,
  type ReaderStart,
  type SlowReaders,
} from "../../src/storage/sqlite/readers.ts";
import { blockWorker, readerProcess, readerThread } from "../../src/threads.ts";
import { createSqliteDatabase } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { ENDLESS_TEXT } from "../support/slow-queries.ts";
import { contextOf, locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(30_000);

describe("readers of a SQLite file", () => {
  let location: SqliteLocation;
  let drop: () => Promise<void>;
  let started: ReturnType<ReaderStart>[];
  let readers: SlowReaders;
  beforeEach(async () => {
    const database = await createSqliteDatabase();
    drop = database.drop;
    location = locationOf(database.url) as SqliteLocation;
    await migrateStorage(location);
    started = [];
    readers = slowReaders();
  });
  afterEach(async () => {
    await readers.close();
    await Promise.all(started.map((reader) => reader.ended));
    await drop();
  });

  function slowReaders(idleMilliseconds?: number): SlowReaders {
    const start = readerProcess(location);
    return createSlowReaders(() => {
      const reader = start();
      started.push(reader);
      return reader;
    }, idleMilliseconds);
  }
  const limits = (milliseconds = 20_000, signal: AbortSignal | null = null) => ({
    deadline: performance.now() + milliseconds,
    signal,
  });
  const one = (from = readers) => from.run("select 1 as one", [], limits()).then(({ rows }) => rows);

  test("processes are started when they are needed, two at most", async () => {
    expect(readers.processes).toBe(0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => one()));
    expect(answers).toEqual(Array.from({ length: 20 }, () => [{ one: 1 }]));
    expect([readers.processes, started.length]).toEqual([2, 2]);
  });

  test("the process of a stopped query is gone, and another serves waiting calls", async () => {
    const gone = new AbortController();
    const stopped = [limits(100), limits(20_000, gone.signal)].map((given) =>
      failureOf(readers.run(ENDLESS_TEXT, [], given)),
    );
    const waiting = one();
    const tooLate = failureOf(readers.run("select 1", [], limits(30)));
    expect((await tooLate).code).toBe("storage.deadline");
    expect((await stopped[0])?.code).toBe("storage.deadline");
    expect(await waiting).toEqual([{ one: 1 }]);
    gone.abort();
    expect((await stopped[1])?.code).toBe("storage.client_gone");
    await Promise.all([started[0]?.ended, started[1]?.ended]);
    expect(readers.processes).toBe(1);
    expect(await one()).toEqual([{ one: 1 }]);
  });

  test("a process that ends by itself fails its query only", async () => {
    const query = failureOf(readers.run(ENDLESS_TEXT, [], limits()));
    await until(() => started.length === 1);
    started[0]?.stop();
    const failure = await query;
    expect([failure.code, failure.kind]).toEqual(["storage.reader_ended", "unavailable"]);
    expect(await one()).toEqual([{ one: 1 }]);
  });

  test("a process without work ends after a while, and no query meets its end", async () => {
    const shortLived = slowReaders(1);
    for (let turn = 0; turn < 8; turn++) {
      expect(await one(shortLived)).toEqual([{ one: 1 }]);
      await started.at(-1)?.ended;
      expect(shortLived.processes).toBe(0);
    }
    await shortLived.close();
  });

  test("none that ends writes the log back or cuts it: that is for the writer", async () => {
    const writer = openSqlite(location, "writer");
    writer.script("insert into projects (name, created_us, updated_us) values ('in the log', 1, 1)");
    const sizes = () => ["", "-wal"].map((ending) => statSync(`${location.path}${ending}`).size);
    const before = sizes();
    const names = "select name from projects";
    const found = [{ name: "in the log" }];

    const shortLived = slowReaders(1);
    expect((await shortLived.run(names, [], limits())).rows).toEqual(found);
    await started.at(-1)?.ended;
    expect(sizes()).toEqual(before);

    expect((await readers.run(names, [], limits())).rows).toEqual(found);
    await readers.close();
    expect(sizes()).toEqual(before);

    const threads = createShortReaders(readerThread(location), 2);
    expect((await threads.run(names, [])).rows).toEqual(found);
    await threads.close();
    expect(sizes()).toEqual(before);

    const blocks = blockWorker(location, () => {});
    const storage = openStorageForReading(location);
    await blocks.source.count(contextOf(storage), 1);
    await blocks.stop();
    expect(sizes()).toEqual(before);
    await storage.close();
    writer.close();
  });

  test("an error of the statement leaves its process usable", async () => {
    const failure = await failureOf(readers.run("select * from not_there", [], limits()));
    expect([failure.kind, failure.message]).toEqual(["internal", "no such table: not_there"]);
    await one();
    expect(started).toHaveLength(1);
  });

  test("closing refuses who waits and who comes, and ends the processes", async () => {
    const running = [1, 2, 3].map(() => failureOf(readers.run(ENDLESS_TEXT, [], limits())));
    await until(() => started.length === 2);
    readers.close();
    const failures = await Promise.all([...running, failureOf(readers.run("select 1", [], limits()))]);
    expect(failures.map((failure) => failure.code)).toEqual(Array<string>(4).fill("storage.closing"));
    await Promise.all(started.map((reader) => reader.ended));
  });

  test("threads share the short reads, and read-only they are", async () => {
    const threads = createShortReaders(readerThread(location), 2);
    const answers = await Promise.all(Array.from({ length: 50 }, () => threads.run("select ? as value", ["ü"])));
    expect(answers.map(({ rows }) => rows)).toEqual(Array.from({ length: 50 }, () => [{ value: "ü" }]));
    expect((await failureOf(threads.run("delete from spans", []))).message).toContain("readonly");
    await threads.close();
    expect((await failureOf(threads.run("select 1", []))).code).toBe("storage.closing");
  });

  test.skipIf(process.platform !== "linux")(
    "processes end with a server that is killed, in the middle of a query",
    async () => {
      const source = join(import.meta.dir, "../../src");
      const script = `
      import { readerProcess } from ${JSON.stringify(join(source, "threads.ts"))};
      import { createSlowReaders } from ${JSON.stringify(join(source, "storage/sqlite/readers.ts"))};
      const readers = createSlowReaders(readerProcess(${JSON.stringify(location)}));
      const limits = () => ({ deadline: performance.now() + 60_000, signal: null });
      await readers.run("select 1", [], limits());
      readers.run(${JSON.stringify(ENDLESS_TEXT)}, [], limits()).catch(() => {});
      console.log("running");
    `;
      const server = Bun.spawn([process.execPath, "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
      await server.stdout.getReader().read();
      const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim().split(" ");
      expect(children).toHaveLength(1);
      server.kill("SIGKILL");
      await server.exited;
      const state = () => {
        try {
          return readFileSync(`/proc/${children[0]}/stat`, "utf8").split(" ")[2];
        } catch {
          return "gone";
        }
      };
      // Dead, if nobody here takes in orphans.
      await until(() => ["gone", "Z", "X"].includes(state() ?? ""));
    },
  );
});
