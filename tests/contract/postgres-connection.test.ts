// What the driver makes of odd names, of TLS, and of a PostgreSQL that stops, crashes and comes back.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../src/kernel/failure.ts";
import type { PostgresLocation, PostgresTls } from "../../src/storage/location.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import type { PostgresPool } from "../../src/storage/postgres/pool.ts";
import { poolRunner } from "../../src/storage/postgres/runners.ts";
import type { PostgresSql } from "../../src/storage/postgres/session.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { failureOf } from "../support/failures.ts";
import { missingPostgres, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { locationOf } from "../support/storage.ts";

setDefaultTimeout(60_000);

const missing = missingPostgres();

describe.skipIf(missing !== null && !process.env.CI)("connections to PostgreSQL", () => {
  let cluster: PostgresCluster;
  const pools: PostgresPool[] = [];
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    await cluster?.dispose();
  });

  function pool(given: Partial<PostgresLocation> = {}, connections = 2): PostgresPool {
    const location = { ...(locationOf(cluster.url) as PostgresLocation), ...given };
    const opened = openPool(location, { name: "test", connections, statementTimeout: null });
    pools.push(opened);
    return opened;
  }

  test("a database with a name that must be percent-encoded is found", async () => {
    const name = "odd name/with ünï & 100%";
    const admin = pool();
    await (await admin.lease()).sql.unsafe(`create database "${name}"`);
    const url = new URL(cluster.url);
    url.pathname = `/${encodeURIComponent(name)}`;
    const [row] = await pool({ url: url.href })`select current_database() as name`;
    expect(row).toEqual({ name });
  });

  test("a schema with any name is created and holds every table", async () => {
    const schema = 'Odd "schema", ünï';
    const location = { ...(locationOf(cluster.url) as PostgresLocation), schema };
    await migrateStorage(location);
    const rows = await pool({ schema })<{ schemaname: string }[]>`
      select distinct schemaname from pg_tables where tablename in ('spans', 'schema_migrations')`;
    expect(rows.map((row) => row.schemaname)).toEqual([schema]);
  });

  test("lists of texts and integers go there and back, whatever stands in them", async () => {
    const texts = ["", "null", "NULL", null, "a,b", "{c}", 'say "d"', "e\\f", "g\n\th", " ï 😀 ", "'"];
    const numbers = [0, -1, null, 2 ** 53 - 1];
    const ask = pool({}, 1);
    const rows = await ask`select ${texts}::text[] as texts, ${numbers}::bigint[] as numbers, ${[]}::text[] as none,
      ${["1", "2.5"]}::text[]::numeric[] @> array[2.5] as numeric`;
    expect(rows).toEqual([{ texts, numbers, none: [], numeric: true }]);
    const [counted] =
      await ask`select count(*)::bigint as found from unnest(${texts}::text[]) as t where t = any(${texts})`;
    expect(counted).toEqual({ found: texts.length - 1 });
  });

  test("a transaction whose connection is lost fails, and nothing of it runs on another connection", async () => {
    const runner = poolRunner(pool({}, 1));
    await runner.run("create table if not exists lost (id bigint)", []);
    const transaction = await runner.begin();
    const { rows } = await transaction.run("select pg_backend_pid() as pid", []);
    const admin = pool();
    await admin`select pg_terminate_backend(${(rows[0] as { pid: number }).pid}::integer, 5000)`;
    const insert = await failureOf(transaction.run("insert into lost values (1)", []));
    const commit = await failureOf(transaction.commit());
    expect([insert.kind, commit.kind]).toEqual(["unavailable", "unavailable"]);
    expect((await runner.run("select id from lost", [])).rows).toEqual([]);
  });

  test("a commit that the server turned into a rollback fails, also where the library has repeated the failed statement", async () => {
    const small = pool({}, 1);
    await small`create table kept (id bigint)`;
    await small`create table shape (id bigint)`;
    const repeatedLater = (sql: PostgresSql) => sql`select * from shape`;
    const attempt = () =>
      small.begin(async (sql, send) => {
        send(sql`insert into kept values (1)`);
        send(repeatedLater(sql));
      });
    await attempt();
    // The plan that the session has prepared is of another shape now: the statement fails, and succeeds when it is prepared again.
    await pool({}, 1)`alter table shape add column name text`;
    const failure = await failureOf(attempt());
    expect([failure.code, failure.kind]).toEqual(["storage.rolled_back", "unavailable"]);
    await attempt();
    expect(await small`select count(*)::integer as rows from kept`).toEqual([{ rows: 2 }]);
  });

  test("of several hosts the next is tried, and one of the wrong kind is passed over", async () => {
    const several = (attributes: string) => {
      const url = new URL(cluster.url);
      // Nobody listens at the first.
      return pool({
        url: `${url.href.replace(url.hostname, "127.0.0.9,127.0.0.1")}?target_session_attrs=${attributes}`,
      });
    };
    expect(await several("read-write")`select 1 as one`).toEqual([{ one: 1 }]);
    expect((await failureOf(several("standby")`select 1`)).kind).toBe("unavailable");
  });

  test("a session that finds itself on a server that takes no writes is not used again", async () => {
    const admin = await pool({}, 1).lease();
    await admin.sql.unsafe("create database fails_over template template0");
    const url = new URL(cluster.url);
    url.pathname = "/fails_over";
    const runner = poolRunner(pool({ url: url.href }, 1));
    await admin.sql.unsafe("alter database fails_over set default_transaction_read_only = on");
    const write = () => runner.run("create table if not exists moved (id bigint)", []);
    expect((await failureOf(write())).kind).toBe("unavailable");
    const transaction = await runner.begin();
    expect((await failureOf(transaction.run("create table moved ()", []))).kind).toBe("unavailable");
    await failureOf(transaction.rollback());
    await admin.sql.unsafe("alter database fails_over reset default_transaction_read_only");
    await write();
  });

  test("waiting for a connection ends at the deadline, and when the client goes away", async () => {
    const small = pool({}, 1);
    const held = await small.lease();
    const late = failureOf(small.lease({ deadline: performance.now() + 20, signal: null }));
    const gone = new AbortController();
    const left = failureOf(small.lease({ deadline: performance.now() + 60_000, signal: gone.signal }));
    const patient = small`select 1 as one`;
    expect((await late).code).toBe("storage.deadline");
    gone.abort();
    expect((await left).code).toBe("storage.client_gone");
    held.release();
    expect(await patient).toEqual([{ one: 1 }]);
  });

  test("a pool that ends refuses what waits and what comes", async () => {
    const ending = pool({}, 1);
    const held = await ending.lease();
    const waiting = failureOf(ending`select 1`);
    const ended = ending.end({ timeout: 5 });
    expect((await waiting).kind).toBe("unavailable");
    held.release();
    await ended;
    expect((await failureOf(ending`select 1`)).kind).toBe("unavailable");
  });

  describe("over TLS", () => {
    const trusted = { checkHost: true, rejectUnauthorized: true, certificate: null, key: null, passphrase: null };
    const versionOver = (tls: PostgresTls, host: string) => {
      const url = new URL(cluster.url);
      url.hostname = host;
      return poolRunner(pool({ url: url.href, tls }))
        .run("select version from pg_stat_ssl where pid = pg_backend_pid()", [])
        .then(({ rows }) => (rows[0] as { version: string }).version);
    };

    /** Lets the server show a new certificate for these names and returns it. */
    async function serve(names: readonly string[]): Promise<string> {
      const { certificate, key } = selfSignedCertificate(names);
      const admin = pool({}, 1);
      const [place] = await admin<{ folder: string; owner: string }[]>`
        select current_setting('data_directory') as folder`;
      for (const [file, text] of [
        ["server.crt", certificate],
        ["server.key", key],
      ] as const) {
        const path = join(place!.folder, file);
        await writeFile(path, text);
        await chmod(path, 0o600);
        if (process.getuid?.() === 0) await chown(path, 65534, 65534);
      }
      await admin`alter system set ssl = on`;
      const before = await admin<{ at: string }[]>`select pg_conf_load_time()::text as at`;
      await admin`select pg_reload_conf()`;
      for (let now = before; now[0]!.at === before[0]!.at; ) {
        // Each connection learns of the reload by itself; a new one certainly knows.
        now = await pool({}, 1)<{ at: string }[]>`select pg_conf_load_time()::text as at`;
      }
      return certificate;
    }

    test("a server without TLS is not spoken to in clear", async () => {
      const failure = await failureOf(versionOver({ ...trusted, rejectUnauthorized: false, ca: null }, "127.0.0.1"));
      expect(failure.kind).toBe("unavailable");
    });

    test("`require` encrypts and checks nothing, `verify-ca` checks the authority, `verify-full` the host too", async () => {
      const ca = await serve(["localhost"]);
      const other = selfSignedCertificate(["localhost"]).certificate;
      const require: PostgresTls = { ...trusted, rejectUnauthorized: false, checkHost: false, ca: null };
      const verifyAuthority: PostgresTls = { ...trusted, checkHost: false, ca };
      const verifyFull: PostgresTls = { ...trusted, ca };
      expect(await versionOver(require, "127.0.0.1")).toMatch(/^TLSv1/);
      expect(await versionOver(verifyAuthority, "127.0.0.1")).toMatch(/^TLSv1/);
      expect(await versionOver(verifyFull, "localhost")).toMatch(/^TLSv1/);
      const refused = await Promise.all([
        failureOf(versionOver(verifyFull, "127.0.0.1")),
        failureOf(versionOver({ ...verifyAuthority, ca: other }, "127.0.0.1")),
        failureOf(versionOver({ ...verifyAuthority, ca: null }, "127.0.0.1")),
      ]);
      expect(refused.map((failure) => failure.kind)).toEqual(["unavailable", "unavailable", "unavailable"]);
      expect(refused[0]!.message).toContain("127.0.0.1");
    });
  });

  describe.each(["fast", "immediate"] as const)("when the server goes down (%s) and comes back", (how) => {
    test("everything fails with kind unavailable meanwhile, and the pool recovers by itself", async () => {
      const runner = poolRunner(pool({}, 3));
      const statement = () => runner.run("select 1 as one", []);
      await Promise.all([statement(), statement(), statement()]);
      const open = await runner.begin();
      const pid = await open.run("select pg_backend_pid() as pid", []);
      expect(pid.rows).toHaveLength(1);
      const running = failureOf(runner.run("select pg_sleep(60)", []));
      await cluster.stop(how);
      expect((await running).kind).toBe("unavailable");
      expect((await failureOf(open.commit())).kind).toBe("unavailable");
      const failures = await Promise.all([failureOf(statement()), failureOf(statement()), failureOf(runner.begin())]);
      expect(failures.map((failure) => failure.kind)).toEqual(["unavailable", "unavailable", "unavailable"]);
      expect(failures.every((failure) => failure.details.retryAfterSeconds !== undefined)).toBe(true);
      await cluster.start();
      const results = await Promise.all(Array.from({ length: 8 }, statement));
      expect(results.map(({ rows }) => rows)).toEqual(Array.from({ length: 8 }, () => [{ one: 1 }]));
    });
  });

  test("a refused log-in and a database that does not exist are named and may be mended: kind unavailable", async () => {
    const elsewhere = new URL(cluster.url);
    elsewhere.pathname = "/not_there";
    const failure = await failureOf(poolRunner(pool({ url: elsewhere.href })).run("select 1", []));
    expect(failure).toBeInstanceOf(Failure);
    expect([failure.kind, failure.message]).toEqual([
      "unavailable",
      'The database is not available: database "not_there" does not exist',
    ]);
  });
});
