// PgBouncer between this service and PostgreSQL: what it pools decides whether a session may keep anything from one transaction to the next.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { migrations } from "../../src/storage/migrations.ts";
import { migrateStorage, openStorageAlone } from "../../src/storage/open.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import { postgresFailure } from "../../src/storage/postgres/failure.ts";
import { inspectPostgres } from "../../src/storage/postgres/inspect.ts";
import { poolRunner } from "../../src/storage/postgres/runners.ts";
import type { PostgresQuery } from "../../src/storage/postgres/session.ts";
import { failureOf } from "../support/failures.ts";
import { describeWithPgbouncer, type RunningPgbouncer, startPgbouncer } from "../support/pgbouncer.ts";
import { createEmptyPostgresDatabase, type TestDatabase } from "../support/postgres.ts";
import { contextOf, locationOf } from "../support/storage.ts";

const numbers = migrations.postgres.map(({ number }) => number);

describeWithPgbouncer("a pooler in front of PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyPostgresDatabase();
  });
  afterAll(() => database.drop());

  const direct = () => pool({});
  function pool(given: Partial<PostgresLocation>, connections = 1) {
    const location = { ...(locationOf(database.url) as PostgresLocation), ...given };
    return openPool(location, { name: "test", connections, statementTimeout: null });
  }

  for (const mode of ["session", "transaction"] as const) {
    describe(`that pools by ${mode}`, () => {
      let pooler: RunningPgbouncer;
      let location: PostgresLocation;
      beforeAll(async () => {
        pooler = await startPgbouncer(database.url, mode);
        location = {
          ...(locationOf(pooler.url) as PostgresLocation),
          poolMode: mode,
          schema: `pooled by ${mode}`,
        };
      });
      afterAll(() => pooler.stop());

      test("migrations run in their schema, a second time at once, and leave no lock behind", async () => {
        expect(
          (await Promise.all([migrateStorage(location), migrateStorage(location)])).flat().sort((a, b) => a - b),
        ).toEqual(numbers);
        expect(await migrateStorage(location)).toEqual([]);
        const asking = direct();
        // Of this database: other tests share the server.
        const locks = await asking`select pid from pg_locks join pg_database on pg_database.oid = pg_locks.database
          where locktype = 'advisory' and datname = current_database()`;
        expect(locks).toEqual([]);
        expect(
          await asking`select distinct schemaname as name from pg_tables where tablename = 'spans'`,
        ).toContainEqual({
          name: location.schema,
        });
        await asking.end({ timeout: 1 });
      });

      test("statements and transactions of many clients at once work in the schema, and nothing of it stays on shared sessions", async () => {
        await migrateStorage(location);
        const storage = openStorageAlone(location);
        const insert = (name: string) =>
          storage.transaction(contextOf(storage), async (context) => {
            const database = context.database.write(context);
            await database.insertInto("projects").values({ name, created_us: 1, updated_us: 1 }).execute();
            return database.selectFrom("projects").select("name").where("name", "=", name).execute();
          });
        const names = Array.from({ length: 40 }, (_, number) => `project ${number}`);
        expect((await Promise.all(names.map(insert))).flat()).toEqual(names.map((name) => ({ name })));
        const read = () =>
          storage.handle.read(contextOf(storage), "slow").selectFrom("projects").select("name").execute();
        const counts = (await Promise.all([read(), read(), read(), read()])).map((rows) => rows.length);
        const short = await storage.handle
          .read(contextOf(storage), "short")
          .selectFrom("projects")
          .select("name")
          .execute();
        expect([...counts, short.length]).toEqual([40, 40, 40, 40, 40]);
        await storage.close();

        const plain = pool({ url: pooler.url, poolMode: "transaction" }, 5);
        const leases = await Promise.all(Array.from({ length: 5 }, () => plain.lease()));
        const schemas = await Promise.all(
          leases.map(async ({ sql }) => {
            await sql.unsafe("begin");
            const rows = await sql.unsafe<{ schema: string }>("select current_schema() as schema, pg_sleep(0.05)");
            await sql.unsafe("commit");
            return rows[0]!.schema;
          }),
        );
        expect(schemas).toEqual(Array.from({ length: 5 }, () => "public"));
        for (const lease of leases) lease.release();
        await plain.end({ timeout: 1 });
      });

      test("a statement that fails says why, alone and with others, and leaves the session usable", async () => {
        const own = pool({ url: pooler.url, poolMode: mode });
        const runner = poolRunner(own);
        for (let again = 0; again < 3; again++) {
          expect((await failureOf(runner.run("select * from not_there", []))).message).toContain("not_there");
          expect((await failureOf(runner.run("select 1 / $1::integer as x", [0]))).message).toBe("division by zero");
          await expect(own`select * from not_there`).rejects.toThrow("not_there");
          await expect(own.begin((sql) => sql`select * from not_there`)).rejects.toThrow("not_there");
        }
        expect((await runner.run("select 1 as one", [])).rows).toEqual([{ one: 1 }]);
        await own.end({ timeout: 1 });
      });

      test("the limits of a session hold in its transactions and single statements, and nowhere else", async () => {
        const limited = openPool(location, {
          name: "limited",
          connections: 1,
          statementTimeout: null,
          silenceLimit: 30_000,
          lockLimit: 5000,
        });
        const ask = async (sql: PostgresQuery) => {
          const rows = await sql<{ name: string; setting: string }[]>`select name, setting from pg_settings
            where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout') order by name`;
          return rows.map(({ setting }) => Number(setting));
        };
        const limits = [15_000, 5000, 27_000];
        expect([await ask(limited), await limited.begin(ask)]).toEqual([limits, limits]);
        const others = Array.from({ length: 5 }, () => pool({ url: pooler.url, poolMode: "transaction" }));
        const found = await Promise.all(others.map(ask));
        // That every session has, and no more.
        expect(found).toEqual(others.map(() => [15_000, 0, 0]));
        await Promise.all([limited, ...others].map((each) => each.end({ timeout: 1 })));
      });

      test("the doctor finds it fit", async () => {
        await migrateStorage(location);
        expect(await inspectPostgres(location)).toMatchObject({ pending: [], mayCreateTables: true });
      });
    });
  }

  describe("that pools by transaction unexpectedly", () => {
    let pooler: RunningPgbouncer;
    beforeAll(async () => {
      pooler = await startPgbouncer(database.url, "transaction");
    });
    afterAll(() => pooler.stop());

    test("the start is refused, and the setting is named", async () => {
      const location = locationOf(pooler.url) as PostgresLocation;
      for (const start of [migrateStorage, inspectPostgres]) {
        const failure = await failureOf(start(location));
        expect([failure.kind, failure.code]).toEqual(["unavailable", "storage.pooled_transactions"]);
        expect(failure.message).toContain("SERVICE_POSTGRES_POOL_MODE=transaction");
      }
    });

    test("so is it while others use the pooler", async () => {
      const others = Array.from({ length: 6 }, () => pool({ url: pooler.url, poolMode: "transaction" }));
      let starting = true;
      const traffic = others.map(async (other) => {
        while (starting) await other`select pg_sleep(0.001)`;
      });
      for (let start = 0; start < 5; start++) {
        const failure = await failureOf(migrateStorage(locationOf(pooler.url)));
        expect(failure.code).toBe("storage.pooled_transactions");
      }
      starting = false;
      await Promise.all(traffic);
      await Promise.all(others.map((other) => other.end({ timeout: 1 })));
    });

    test("where it was not noticed at the start, the failure of a transaction names it", async () => {
      const both = pool({ url: pooler.url }, 2);
      const [one, other] = [await both.lease(), await both.lease()];
      const ask = (lease: typeof one) => lease.sql`select 1 as one`;
      await ask(one);
      await other.sql.unsafe("begin");
      await ask(other);
      await one.sql.unsafe("begin");
      const failure = await failureOf(ask(one).catch((error) => Promise.reject(postgresFailure(error))));
      expect([failure.kind, failure.code]).toEqual(["unavailable", "storage.pooled_transactions"]);
      await Promise.all([one, other].map(({ sql }) => sql.unsafe("rollback")));
      one.release();
      other.release();
      await both.end({ timeout: 1 });
    });

    test("so is it where the pooler has a single session of the server, which is enough with the setting", async () => {
      const narrow = await startPgbouncer(database.url, "transaction", { default_pool_size: 1 });
      const location = { ...(locationOf(narrow.url) as PostgresLocation), schema: "narrow" };
      expect((await failureOf(migrateStorage(location))).code).toBe("storage.pooled_transactions");
      expect(await migrateStorage({ ...location, poolMode: "transaction" })).toEqual(numbers);
      await narrow.stop();
    });
  });

  test("one that pools by statement is refused, and what to change is named", async () => {
    const pooler = await startPgbouncer(database.url, "statement");
    for (const poolMode of ["session", "transaction"] as const) {
      const location = { ...(locationOf(pooler.url) as PostgresLocation), poolMode };
      const failure = await failureOf(migrateStorage(location));
      expect([failure.kind, failure.code]).toEqual(["unavailable", "storage.no_transactions"]);
      expect(failure.message).toContain("not statements (pool_mode of PgBouncer)");
    }
    await pooler.stop();
  });

  test("without a pooler, a search path that names no schema is reported at the start", async () => {
    const asking = direct();
    const role = `homeless_${Date.now()}`;
    const lease = await asking.lease();
    await lease.sql.unsafe(`create role ${role} login; alter role ${role} set search_path = nowhere`);
    lease.release();
    const url = new URL(database.url);
    url.username = role;
    const failure = await failureOf(migrateStorage(locationOf(url.href)));
    expect([failure.code, failure.message]).toEqual(["storage.no_schema", expect.stringContaining("search_path")]);
    await asking.end({ timeout: 1 });
  });
});
