// A copy that takes the place of a SQLite file: whatever lies there, the copy is what is opened afterwards.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqliteLocation } from "../../src/storage/location.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { backupSqlite } from "../../src/storage/sqlite/backup.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { restoreSqlite } from "../../src/storage/sqlite/restore.ts";

const STAMP = "20260301T100000Z";
let folder: string;
let location: SqliteLocation;
let copy: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-restore-"));
  location = { kind: "sqlite", path: join(folder, "spanlight.db"), temporary: false, synchronous: "FULL" };
  copy = join(folder, "copy.db");
  await migrateStorage(location);
  addProjects(location.path, "before", 1);
  backupSqlite(location, copy, { replace: false });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function addProjects(path: string, name: string, count: number): void {
  const database = new Database(path, { readwrite: true });
  database.run(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into projects (name, description, created_us, updated_us)
    select '${name}' || n, hex(randomblob(2000)), 1, 1 from numbers`);
  database.close();
}

function projectsIn(path: string): string[] {
  const database = new Database(path, { readwrite: true });
  try {
    const names = database.query<{ name: string }, []>("select name from projects order by id").all();
    return names.map(({ name }) => name);
  } finally {
    database.close();
  }
}

/** The log of a database whose file is gone, as a killed server and a deleting hand leave it. */
function leaveOrphanLog(): void {
  const writer = openSqlite(location, "writer");
  addProjects(location.path, "lost", 200);
  copyFileSync(`${location.path}-wal`, join(folder, "log"));
  writer.close();
  rmSync(location.path);
  copyFileSync(join(folder, "log"), `${location.path}-wal`);
  rmSync(join(folder, "log"));
}

test("a log without its database is moved aside, and not played into the copy", async () => {
  leaveOrphanLog();
  const log = readFileSync(`${location.path}-wal`);
  const { replaced } = restoreSqlite(location, copy, STAMP);
  expect(replaced).toEqual([`${location.path}.${STAMP}.replaced-wal`]);
  expect(readFileSync(replaced[0]!).equals(log)).toBe(true);
  expect(projectsIn(location.path)).toEqual(["before1"]);
});

test.each(["-journal", "-shm"])("a file %s without its database is moved aside", async (ending) => {
  rmSync(location.path);
  await Bun.write(`${location.path}${ending}`, "of a database that is gone");
  expect(restoreSqlite(location, copy, STAMP).replaced).toEqual([`${location.path}.${STAMP}.replaced${ending}`]);
  expect(existsSync(`${location.path}${ending}`)).toBe(false);
  expect(projectsIn(location.path)).toEqual(["before1"]);
});

test("a damaged file keeps its log, and the copy gets none", async () => {
  leaveOrphanLog();
  await Bun.write(location.path, "no database".repeat(1000));
  const { replaced } = restoreSqlite(location, copy, STAMP);
  const name = `${location.path}.${STAMP}.replaced`;
  expect(replaced).toContain(name);
  expect(replaced).toContain(`${name}-wal`);
  expect(await Bun.file(name).text()).toStartWith("no database");
  expect(projectsIn(location.path)).toEqual(["before1"]);
  expect((await readdir(folder)).filter((each) => /^spanlight\.db-wal$/.test(each))).toEqual([]);
});

test("a second log without its database does not take the place of the first", async () => {
  leaveOrphanLog();
  const [first] = restoreSqlite(location, copy, STAMP).replaced;
  const log = readFileSync(first!);
  rmSync(location.path);
  await Bun.write(`${location.path}-wal`, "of another database");
  const before = (await readdir(folder)).sort();
  expect(() => restoreSqlite(location, copy, STAMP)).toThrow(`${first} exists already`);
  expect((await readdir(folder)).sort()).toEqual(before);
  expect(readFileSync(first!).equals(log)).toBe(true);
  expect(restoreSqlite(location, copy, "20260301T100001Z").replaced).toHaveLength(1);
  expect(projectsIn(location.path)).toEqual(["before1"]);
});

test("a copy that waits for its own journal is refused", async () => {
  await Bun.write(`${copy}-journal`, "what the file lacks");
  expect(() => restoreSqlite(location, copy, STAMP)).toThrow(`${copy}-journal holds a part of it`);
});

test("when the place cannot be taken, what was there is in its place again", async () => {
  leaveOrphanLog();
  const before = (await readdir(folder)).sort();
  // No file system has a name this long.
  expect(() => restoreSqlite(location, copy, "x".repeat(250))).toThrow("could not be restored");
  expect((await readdir(folder)).filter((name) => !name.endsWith(".lock")).sort()).toEqual(before);
});

test("what killed restores and backups left is removed", async () => {
  const gone = Bun.spawnSync(["true"]).pid;
  const left = [`spanlight.db.${gone}.partial`, `spanlight.db.${gone}.partial-journal`];
  const leftByBackups = [`copy-2026-02-28.db.${gone}.partial`, `copy-2026-02-27.db.${gone}.partial-wal`];
  const others = [`spanlight.db.${process.ppid}.partial`, `film.${gone}.partial`];
  for (const name of [...left, ...leftByBackups, ...others]) await Bun.write(join(folder, name), "half");
  const partials = async () => (await readdir(folder)).filter((name) => name.includes(".partial")).sort();
  restoreSqlite(location, copy, STAMP);
  expect(await partials()).toEqual([...leftByBackups, ...others].sort());
  backupSqlite(location, join(folder, "copy-2026-03-01.db"), { replace: false });
  expect(await partials()).toEqual([...others].sort());
});
