// Reads as a server makes them: each sees every commit that was acknowledged before, and slow ones are stopped in time.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { MOST_WAITING } from "../../src/storage/stopped-read.ts";
import type { CallContext, ReadClass } from "../../src/storage/storage.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { openServerStorage, type ServerStorage } from "../support/server-storage.ts";
import { ENDLESS_QUERY } from "../support/slow-queries.ts";
import { LOADED_MS, until } from "../support/until.ts";

setDefaultTimeout(60_000);

forEachDriver("reads", (driver) => {
  let store: ServerStorage;
  beforeAll(async () => {
    store = await openServerStorage(await driver.createDatabase());
  });
  afterAll(() => store.close());

  const ask = async (readClass: ReadClass, context: CallContext) => {
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(context.database.read(context, readClass));
    return rows;
  };
  const endless = (given: Partial<CallContext>, { context: contextOf } = store) => {
    const context = contextOf(given);
    return ENDLESS_QUERY.execute(context.database.read(context, "slow"));
  };
  const within = (milliseconds: number) => ({ deadline: performance.now() + milliseconds });

  test("what was acknowledged is seen by the next read, of either class", async () => {
    let misses = 0;
    const pair = async (turn: number) => {
      const context = store.context();
      const { id } = await context.database
        .write(context)
        .insertInto("pending_annotations")
        .values({ target: "span", target_key: `key ${turn}`, body: "{}", received_us: turn })
        .returning("id")
        .executeTakeFirstOrThrow();
      const seen = await context.database
        .read(context, turn % 4 === 0 ? "slow" : "short")
        .selectFrom("pending_annotations")
        .select("id")
        .where("id", "=", id)
        .execute();
      if (seen.length !== 1) misses++;
    };
    for (let turn = 0; turn < 1000; turn += 4)
      await Promise.all([pair(turn), pair(turn + 1), pair(turn + 2), pair(turn + 3)]);
    expect(misses).toBe(0);
  });

  test("a slow read is stopped at its deadline", async () => {
    const began = performance.now();
    const failure = await failureOf(endless(within(150)));
    expect([failure.code, failure.kind]).toEqual(["storage.deadline", "unavailable"]);
    expect(performance.now() - began).toBeWithin(140, 1000 + LOADED_MS);
    expect(await ask("slow", store.context())).toEqual([{ one: 1 }]);
  });

  test("a slow read is stopped when its client goes away, and one whose client is gone does not begin", async () => {
    const gone = new AbortController();
    const running = failureOf(endless({ signal: gone.signal }));
    await ask("slow", store.context());
    gone.abort();
    expect((await running).code).toBe("storage.client_gone");
    expect((await failureOf(endless({ signal: gone.signal }))).code).toBe("storage.client_gone");
    expect(await ask("slow", store.context())).toEqual([{ one: 1 }]);
  });

  test("a deadline that has passed stops the read before it begins", async () => {
    expect((await failureOf(endless(within(-1)))).code).toBe("storage.deadline");
  });

  test("slow reads beyond the number that may run wait for their turn, each no longer than its deadline", async () => {
    const crowd = Array.from({ length: 8 }, () => failureOf(endless(within(200))));
    const patient = Promise.all(Array.from({ length: 8 }, () => ask("slow", store.context())));
    const failures = await Promise.all(crowd);
    expect(new Set(failures.map((failure) => failure.code))).toEqual(new Set(["storage.deadline"]));
    expect(await patient).toEqual(Array.from({ length: 8 }, () => [{ one: 1 }]));
  });

  test("of slow reads that wait, the one too many is refused at once, and those whose time is over say so", async () => {
    // Where nothing was stopped before: what is about to end still takes a place.
    const own = await openServerStorage(await driver.createDatabase());
    const [gone, last] = [new AbortController(), new AbortController()];
    const crowd = Array.from({ length: 2 + MOST_WAITING - 1 }, () => failureOf(endless({ signal: gone.signal }, own)));
    const lastToWait = failureOf(endless({ signal: last.signal }, own));
    try {
      const refused = await Promise.all(Array.from({ length: 3 }, () => failureOf(endless(within(20_000), own))));
      for (const failure of refused) {
        expect([failure.code, failure.kind]).toEqual(["storage.too_many_waiting", "unavailable"]);
        expect(failure.details.retryAfterSeconds).toBeGreaterThan(1);
      }
      expect(await ask("short", own.context())).toEqual([{ one: 1 }]);
      last.abort();
      expect((await lastToWait).code).toBe("storage.client_gone");
      expect((await failureOf(endless(within(300), own))).message).toContain("waited until its time was over");
      gone.abort();
      await Promise.all(crowd);
      expect(await ask("slow", own.context())).toEqual([{ one: 1 }]);
    } finally {
      await own.close();
    }
  });

  test("short reads and writes go on while slow reads fill every place", async () => {
    const gone = new AbortController();
    const crowd = Array.from({ length: 6 }, () => failureOf(endless({ signal: gone.signal })));
    const context = store.context();
    expect(await ask("short", context)).toEqual([{ one: 1 }]);
    await context.database.write(context).deleteFrom("pending_annotations").execute();
    gone.abort();
    const failures = await Promise.all(crowd);
    expect(new Set(failures.map((failure) => failure.code))).toEqual(new Set(["storage.client_gone"]));
    expect(await ask("slow", context)).toEqual([{ one: 1 }]);
  });

  test("a read cannot write", async () => {
    const context = store.context();
    const write = sql`delete from pending_annotations`;
    expect((await failureOf(write.execute(context.database.read(context, "slow")))).kind).toBe("unavailable");
  });

  // The process of a stopped read on SQLite is gone as a whole (sqlite-readers.test.ts).
  if (driver.name === "sqlite") return;

  test("nothing of a stopped read goes on in the database", async () => {
    const gone = new AbortController();
    const stopped = [endless(within(1000)), endless({ signal: gone.signal })].map(failureOf);
    const running = async () => {
      const { rows } = await sql<{ running: number }>`
        select count(*) as running from pg_stat_activity
        where datname = current_database() and state = 'active' and query like 'with recursive counted%'`.execute(
        store.storage.handle.write(store.context()),
      );
      return rows[0]!.running;
    };
    await until(async () => (await running()) > 0);
    gone.abort();
    await Promise.all(stopped);
    await until(async () => (await running()) === 0);
  });
});
