// Migrations: done once however many servers start, refused where the database is not ours, kept apart by schema.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { PostgresLocation, SqliteLocation, StorageLocation } from "../../src/storage/location.ts";
import { type AppliedMigration, type MigrationTarget, migrate } from "../../src/storage/migrate.ts";
import { type Migration, migrations, SERVER_LEVEL } from "../../src/storage/migrations.ts";
import { migrateStorage, openStorageAlone } from "../../src/storage/open.ts";
import { postgresMigrationTarget } from "../../src/storage/postgres/migrate.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { sqliteMigrationTarget } from "../../src/storage/sqlite/migrate.ts";
import { VERSION } from "../../src/version.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { contextOf, locationOf } from "../support/storage.ts";

const OPEN_MODULE = new URL("../../src/storage/open.ts", import.meta.url).pathname;

forEachDriver("migrations", (driver) => {
  let location: StorageLocation;
  beforeEach(async () => {
    location = locationOf(await driver.createEmptyDatabase());
  });
  const known = migrations[driver.name];
  const numbers = known.map((migration) => migration.number);

  async function withDatabase<Result>(
    work: (run: (text: string) => Promise<Record<string, unknown>[]>) => Promise<Result>,
    at = location,
  ): Promise<Result> {
    const storage = openStorageAlone(at);
    const database = storage.handle.write(contextOf(storage));
    try {
      return await work(async (text) => (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(database)).rows);
    } finally {
      await storage.close();
    }
  }

  async function withTarget<Result>(work: (target: MigrationTarget) => Promise<Result>): Promise<Result> {
    if (location.kind === "postgres") {
      const target = await postgresMigrationTarget(location);
      return work(target).finally(() => target.close());
    }
    const connection = openSqlite(location, "writer");
    return work(sqliteMigrationTarget(connection)).finally(() => connection.close());
  }
  const applied = () => withTarget((target) => target.applied());

  test("each is applied once, with progress; a second time there is nothing to do", async () => {
    const steps: number[] = [];
    expect(await migrateStorage(location, ({ number, of }) => steps.push(number, of))).toEqual(numbers);
    expect(steps).toEqual(numbers.flatMap((number) => [number, known.length]));
    const before = await applied();
    expect(await migrateStorage(location)).toEqual([]);
    expect(await applied()).toEqual(before);
    expect(before.map((migration) => migration.number)).toEqual(numbers);
  });

  test("of several that start at once one works, the others find it done", async () => {
    const script = `
      import { migrateStorage } from ${JSON.stringify(OPEN_MODULE)};
      const numbers = await migrateStorage(${JSON.stringify(location)});
      console.log(JSON.stringify(numbers));
    `;
    const processes = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", script], { stdio: ["ignore", "pipe", "inherit"] }),
    );
    const outputs = await Promise.all(processes.map((child) => new Response(child.stdout).json() as Promise<number[]>));
    expect(outputs.flat().sort((left, right) => left - right)).toEqual(numbers);
    expect(await migrateStorage(location)).toEqual([]);
  });

  test("what another server applies meanwhile is not announced", async () => {
    const announced: number[] = [];
    const numbersApplied = await withTarget((target) =>
      migrate(
        target,
        known,
        ({ number }) => announced.push(number),
        async () => void (await migrateStorage(location)),
      ),
    );
    expect([numbersApplied, announced]).toEqual([[], []]);
  });

  test("one that was applied in another form stops the start", async () => {
    await migrateStorage(location);
    await withDatabase((run) => run("update schema_migrations set checksum = 'other' where number = 1"));
    const failure = await failureOf(migrateStorage(location));
    expect([failure.code, failure.kind, failure.message]).toEqual([
      "storage.migration_changed",
      "unavailable",
      `Migration 1 (${known[0]!.name}) was applied in another form than this Spanlight carries: the database belongs to a different build`,
    ]);
  });

  test("a database that asks for a newer server stops the start; a newer one that still serves us does not", async () => {
    await migrateStorage(location);
    const insert = (number: number, oldestServer: number, oldestVersion: string) =>
      withDatabase((run) =>
        run(`insert into schema_migrations values (${number}, 'later', 'x', ${oldestServer}, 1, '${oldestVersion}')`),
      );
    await insert(900, SERVER_LEVEL, "9.0.0");
    expect(await migrateStorage(location)).toEqual([]);
    await insert(901, SERVER_LEVEL + 1, "9.1.0");
    const failure = await failureOf(migrateStorage(location));
    expect([failure.code, failure.kind, failure.message]).toEqual([
      "storage.newer_database",
      "unavailable",
      `The database was changed by a newer Spanlight (it asks for server level ${SERVER_LEVEL + 1}, this one has ${SERVER_LEVEL}): start Spanlight 9.1.0 or newer, or restore a backup made before the upgrade`,
    ]);
  });

  test("each level of servers comes with the migration that needs it, and names its version", async () => {
    await migrateStorage(location);
    const asked = known.flatMap(({ number, oldestServer }) =>
      oldestServer === undefined ? [] : [{ number, ...oldestServer }],
    );
    const rows = await applied();
    expect(
      rows.flatMap(({ number, oldestServer: level, oldestVersion: version }) =>
        level === 1 && version === null ? [] : [{ number, level, version }],
      ),
    ).toEqual(asked as never);
    expect(asked.map(({ level }) => level)).toEqual(asked.map((_, position) => position + 2));
    expect(asked.at(-1)!.level).toBe(SERVER_LEVEL);
    for (const { version } of asked) expect(Bun.semver.order(version, VERSION)).toBeLessThanOrEqual(0);
    // What servers of the level before this one look at, and stop.
    expect(Math.max(...rows.map(({ oldestServer }) => oldestServer))).toBe(SERVER_LEVEL);
  });

  test("one that fails leaves nothing of itself behind, and those before it stay", async () => {
    const steps: Migration[] = [
      { number: 1, name: "first", sql: "create table first (id integer)" },
      { number: 2, name: "second", sql: "create table second (id integer); insert into missing values (1)" },
    ];
    const failure = await failureOf(withTarget((target) => migrate(target, steps)));
    expect([failure.code, failure.kind]).toEqual(["storage.migration_failed", "unavailable"]);
    expect(failure.message).toStartWith("Migration 2 (second) failed and was rolled back");
    const rows: AppliedMigration[] = await applied();
    expect(rows.map((row) => row.name)).toEqual(["first"]);
    expect(await withDatabase((run) => run("select * from first"))).toEqual([]);
    expect((await failureOf(withDatabase((run) => run("select * from second")))).message).toContain("second");
    const mended = [steps[0]!, { ...steps[1]!, sql: "create table second (id integer)" }];
    expect(await withTarget((target) => migrate(target, mended))).toEqual([2]);
  });

  if (driver.name === "sqlite") {
    test("a file without a log yet, as copies are, is waited for while another process writes to it", async () => {
      const path = (location as SqliteLocation).path;
      const script = `
        import { Database } from "bun:sqlite";
        const database = new Database(${JSON.stringify(path)}, { create: true });
        database.run("create table other (id integer)");
        database.run("begin immediate");
        console.log("held");
        await Bun.sleep(500);
        database.run("commit");
      `;
      const child = Bun.spawn([process.execPath, "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
      for await (const _held of child.stdout) break;
      expect(await migrateStorage(location)).toEqual(numbers);
      expect(await child.exited).toBe(0);
    });
    return;
  }

  test("PostgreSQL ends the session of a server that is frozen in the middle of one, for the others that wait", async () => {
    const text = `create table limits as select name, setting from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'statement_timeout', 'lock_timeout')`;
    await withTarget((target) => migrate(target, [{ number: 1, name: "limits", sql: text }]));
    const limits = await withDatabase((run) => run("select * from limits order by name"));
    // A migration itself may take long, and wait for long.
    expect(limits.map(({ setting }) => setting)).toEqual(["15000", "0", "0"]);
  });

  describe("in a schema of its own", () => {
    const inSchema = (schema: string) => ({ ...(location as PostgresLocation), schema });

    test("the schema is made, also when several servers make it at once, and everything lies in it", async () => {
      const applying = Array.from({ length: 4 }, () => migrateStorage(inSchema("own")));
      expect((await Promise.all(applying)).flat().sort((left, right) => left - right)).toEqual(numbers);
      const schemas = await withDatabase((run) =>
        run("select distinct schemaname from pg_tables where tablename = 'spans'"),
      );
      expect(schemas).toEqual([{ schemaname: "own" }]);
    });

    test("two schemas of one database know nothing of each other", async () => {
      await Promise.all([migrateStorage(inSchema("left")), migrateStorage(inSchema("right"))]);
      await withDatabase(
        (run) => run("insert into projects (name, created_us, updated_us) values ('mine', 1, 1)"),
        inSchema("left"),
      );
      const count = (schema: string) =>
        withDatabase((run) => run("select count(*) as projects from projects"), inSchema(schema));
      expect([await count("left"), await count("right")]).toEqual([[{ projects: 1 }], [{ projects: 0 }]]);
      const bytes = async (schema: string) => {
        const storage = openStorageAlone(inSchema(schema));
        return storage.usedBytes().finally(() => storage.close());
      };
      expect(await bytes("left")).toBeGreaterThan(0);
    });

    test("a role that may not create tables gets one line", async () => {
      await withDatabase(async (run) => {
        await run("create role guest login password 'guest'");
        await run("revoke create on schema public from public");
      });
      const url = new URL((location as PostgresLocation).url);
      url.username = "guest";
      url.password = "guest";
      const failure = await failureOf(migrateStorage({ ...(location as PostgresLocation), url: url.href }));
      expect(failure.message).toBe("permission denied for schema public");
      await withDatabase((run) => run("drop role guest"));
    });
  });
});
