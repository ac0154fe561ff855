// Runs one suite against both databases. Every suite that touches storage goes through here, so that a meaning can never
// belong to one database only; the one exception are pages, see docs/decisions/0012-pages-tested-in-chromium.md.
import { afterAll, describe, setDefaultTimeout } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmptyPostgresDatabase, createPostgresDatabase, missingPostgres, type TestDatabase } from "./postgres.ts";

export type DriverName = "sqlite" | "postgres";

export interface TestDriver {
  readonly name: DriverName;
  /** The URL of a new database, in the form of `SERVICE_SQL_DATABASE_URL`; dropped after the suite. It may have its
   *  tables already. */
  createDatabase(): Promise<string>;
  /** The same without tables, for tests of what the first start does. */
  createEmptyDatabase(): Promise<string>;
}

/** For a machine whose cores are shared; Bun reads no such setting from its file, so the suites say it. */
const TIMEOUT_MS = 60_000;

/** The only place where a driver stays out of a suite: the suite's name, the driver, the reason. */
const optOuts: readonly { readonly suite: string; readonly driver: DriverName; readonly reason: string }[] = [];

/** Registers `suite` once for each database, as `name (sqlite)` and `name (postgres)`. A database that cannot be had here is a
 *  named skip, and a failure under `CI=true`. */
export function forEachDriver(name: string, suite: (driver: TestDriver) => void): void {
  register(["sqlite", "postgres"], name, suite);
}

/** The same on SQLite alone: for suites of what pages do with data that other suites get from both databases. */
export function forOneDriver(name: string, suite: (driver: TestDriver) => void): void {
  register(["sqlite"], name, suite);
}

function register(drivers: readonly DriverName[], name: string, suite: (driver: TestDriver) => void): void {
  setDefaultTimeout(TIMEOUT_MS);
  for (const driver of drivers) {
    const optOut = optOuts.find((entry) => entry.suite === name && entry.driver === driver);
    const missing = driver === "postgres" && !process.env.CI ? missingPostgres() : null;
    const reason = optOut?.reason ?? missing;
    if (reason !== null) {
      describe.skip(`${name} (${driver}; left out: ${reason})`, () =>
        suite({ name: driver, createDatabase: notHere, createEmptyDatabase: notHere }));
    } else {
      describe(`${name} (${driver})`, () => {
        const cleanups: (() => Promise<void>)[] = [];
        const creating = (create: () => Promise<TestDatabase>) => async () => {
          const database = await create();
          cleanups.push(database.drop);
          return database.url;
        };
        suite({
          name: driver,
          createDatabase: creating(driver === "sqlite" ? createSqliteDatabase : createPostgresDatabase),
          createEmptyDatabase: creating(driver === "sqlite" ? createSqliteDatabase : createEmptyPostgresDatabase),
        });
        // Hooks run in the order of their registration: the databases go after everything that the suite closes.
        afterAll(async () => {
          for (const cleanup of cleanups.reverse()) await cleanup();
        });
      });
    }
  }
}

/** A database file in a folder of its own. */
export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "spanlight-sqlite-"));
  return {
    url: `sqlite:///${join(folder, "spanlight.db")}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

function notHere(): Promise<string> {
  throw new Error("A suite that is left out asked for a database");
}
