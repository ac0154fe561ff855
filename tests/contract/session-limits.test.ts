// What a session may hold up is limited by the database itself, so that it also holds for a process that is frozen or cut off.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import { isPassing, postgresFailure } from "../../src/storage/postgres/failure.ts";
import type { PostgresPool } from "../../src/storage/postgres/pool.ts";
import type { SessionLimits } from "../../src/storage/postgres/session-limits.ts";
import { forEachDriver } from "../support/drivers.ts";
import { locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

forEachDriver("limits of a session", (driver) => {
  if (driver.name === "sqlite") return;
  let location: PostgresLocation;
  let admin: PostgresPool;
  const opened: PostgresPool[] = [];
  const open = (limits: SessionLimits) => {
    const pool = openPool(location, { name: "limited", connections: 1, statementTimeout: null, ...limits });
    opened.push(pool);
    return pool;
  };
  beforeAll(async () => {
    location = locationOf(await driver.createDatabase()) as PostgresLocation;
    admin = openPool(location, { name: "admin", connections: 1, statementTimeout: null });
    await admin`create table held (id bigint primary key)`;
    await admin`insert into held values (1)`;
  });
  afterAll(async () => {
    await Promise.all([admin, ...opened].map((pool) => pool.end({ timeout: 1 })));
  });

  const limitsOf = async (pool: PostgresPool) => {
    const rows = await pool<{ name: string; setting: string }[]>`select name, setting from pg_settings
      where name like 'tcp_%' or name in ('transaction_timeout', 'lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')`;
    return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
  };

  test("are set on the server; a lower one of the operator stays", async () => {
    expect(await limitsOf(open({ silenceLimit: 30_000, lockLimit: 5000, transactionLimit: 60_000 }))).toEqual({
      idle_in_transaction_session_timeout: 15_000,
      lock_timeout: 5000,
      statement_timeout: 27_000,
      transaction_timeout: 60_000,
      tcp_keepalives_idle: 10,
      tcp_keepalives_interval: 5,
      tcp_keepalives_count: 3,
      tcp_user_timeout: 15_000,
    });
    const [{ name }] = (await admin<{ name: string }[]>`select current_database() as name`) as [{ name: string }];
    const { sql, release } = await admin.lease();
    await sql.unsafe(
      `alter database "${name}" set lock_timeout = '1s'; alter database "${name}" set statement_timeout = '60s'`,
    );
    release();
    const limits = await limitsOf(open({ silenceLimit: 30_000, lockLimit: 5000 }));
    expect([limits.lock_timeout, limits.statement_timeout]).toEqual([1000, 27_000]);
  });

  test("a wait for a lock ends, and says that others hold it", async () => {
    const limited = open({ silenceLimit: 30_000, lockLimit: 100 });
    const failure = await admin.begin(async (sql) => {
      await sql`select id from held where id = 1 for update`;
      return limited`update held set id = 1`.catch(postgresFailure);
    });
    expect(failure).toMatchObject({ kind: "unavailable", code: "storage.held_by_others" });
    await limited`update held set id = 1`;
  });

  test("a statement that is given up ends on the server, with what it holds", async () => {
    const limited = open({ silenceLimit: 500 });
    const failure = await limited
      .begin(async (sql) => {
        await sql`select id from held where id = 1 for update`;
        await sql`select pg_sleep(60)`;
      })
      .catch(postgresFailure);
    expect(failure).toMatchObject({ kind: "unavailable" });
    await until(async () => {
      const rows = await admin`select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active'
        and pid <> pg_backend_pid()`;
      return rows.length === 0;
    });
    await admin.begin((sql) => sql`select id from held where id = 1 for update nowait`);
  });

  test("a session that the server ends for one of them is lost, not the statement refused", () => {
    // The word may come as the answer to a statement that was sent just now.
    for (const code of ["25P03", "25P04"]) {
      const failure = postgresFailure(Object.assign(new Error("terminating connection"), { code }));
      expect(failure).toMatchObject({ kind: "unavailable", code: "storage.unreachable" });
    }
  });

  for (const [what, setting] of [
    ["asks nothing", "idle_in_transaction_session_timeout"],
    ["lasts too long", "transaction_timeout"],
  ] as const) {
    test(`a transaction that ${what} is lost with its session, as one whose connection is: it may be tried again`, async () => {
      const limited = open({ silenceLimit: 30_000 });
      const failure = await limited
        .begin(async (sql) => {
          await sql.unsafe(`set local ${setting} = 100`);
          // As a process that is frozen: it finds the word of the server when it goes on.
          Bun.sleepSync(500);
          await sql`select 1`;
        })
        .catch(postgresFailure);
      expect(failure).toMatchObject({ kind: "unavailable", code: "storage.unreachable" });
      expect(isPassing(failure)).toBe(true);
      expect(await limited`select 1 as one`).toMatchObject([{ one: 1 }]);
    });
  }
});
