// What is stored waits for a database that is away for a moment, and a transaction that the database has undone runs again: unless it
// may have been committed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { Failure } from "../../src/kernel/failure.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createDatabaseIn, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

forEachDriver("writes while the database fails", (driver) => {
  if (driver.name === "sqlite") return;
  let cluster: PostgresCluster;
  let store: TestStorage;
  beforeAll(async () => {
    cluster = await startPostgres();
    store = await openTestStorage((await createDatabaseIn(cluster.url)).url);
    await run(store.context(), "create table tried (id bigint primary key, count bigint not null)");
    await run(store.context(), "insert into tried values (1, 0), (2, 0)");
  });
  afterAll(async () => {
    await store.close();
    await cluster.dispose();
  });

  const run = (context: CallContext, text: string) => sql.raw(text).execute(context.database.write(context));
  const add = (context: CallContext, id: number) => run(context, `update tried set count = count + 1 where id = ${id}`);
  async function counts(): Promise<number[]> {
    const context = store.context();
    const { rows } = await sql<{ count: number }>`select count from tried order by id`.execute(
      context.database.read(context, "short"),
    );
    return rows.map(({ count }) => count);
  }
  const transaction = <Result>(work: (inner: CallContext) => Promise<Result>) =>
    store.storage.transaction(store.context(), work);

  test("a transaction and a statement that find it away are stored when it is back; a read says so at once", async () => {
    const before = await counts();
    await cluster.stop("immediate");
    const writes = Promise.all([transaction((inner) => add(inner, 1)), add(store.context(), 2)]);
    expect(await counts().catch((error) => error)).toMatchObject({ kind: "unavailable" });
    await cluster.start();
    await writes;
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });

  test("a transaction whose connection is lost before its end runs again, and counts once", async () => {
    const before = await counts();
    let runs = 0;
    await transaction(async (inner) => {
      await add(inner, 1);
      if (++runs === 1) await run(inner, "select pg_terminate_backend(pg_backend_pid())");
    });
    expect(runs).toBe(2);
    expect(await counts()).toEqual([before[0]! + 1, before[1]!]);
  });

  test("of two transactions that wait for each other the one that is undone runs again", async () => {
    const before = await counts();
    const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let runs = 0;
    const cross = (first: 1 | 2, second: 1 | 2) =>
      transaction(async (inner) => {
        runs++;
        await add(inner, first);
        met[first - 1]!.resolve();
        await met[second - 1]!.promise;
        await add(inner, second);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(runs).toBe(3);
    expect(await counts()).toEqual(before.map((count) => count + 2));
  });

  test("one that may have been committed does not, and a failure of its own neither", async () => {
    await run(
      store.context(),
      `create function go_away() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;`,
    );
    await run(
      store.context(),
      `create constraint trigger goes_away after insert on tried deferrable initially deferred
        for each row execute function go_away()`,
    );
    let runs = 0;
    const lost = transaction(async (inner) => {
      runs++;
      await run(inner, "insert into tried values (3, 0)");
    }).catch((error: unknown) => error);
    expect(await lost).toMatchObject({ kind: "unavailable", code: "storage.unreachable" });
    expect(runs).toBe(1);
    const refused = transaction(async () => {
      runs++;
      throw new Failure("test.refused", "conflict", "No");
    }).catch((error: unknown) => error);
    expect(await refused).toMatchObject({ code: "test.refused" });
    expect(runs).toBe(2);
  });
});
