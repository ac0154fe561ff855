// Copies of a SQLite file: on demand while it is written to, and by itself before a new version changes it.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqliteLocation } from "../../src/storage/location.ts";
import { migrations } from "../../src/storage/migrations.ts";
import { type BackupBeforeMigration, migrateStorage } from "../../src/storage/open.ts";
import { backupSqlite } from "../../src/storage/sqlite/backup.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { failureOf } from "../support/failures.ts";
import { makeOlderDatabase } from "../support/older-database.ts";
import { describeWithSmallDisks, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";

let folder: string;
let location: SqliteLocation;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-backup-"));
  location = { kind: "sqlite", path: join(folder, "spanlight.db"), temporary: false, synchronous: "FULL" };
});
const folders: string[] = [];
beforeEach(() => void folders.push(folder));
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

const target = () => join(folder, "copy.db");
const copyTo = (path: string) => backupSqlite(location, path, { replace: false });
const refusalOf = (path: string) => failureOf((async () => copyTo(path))());
const addProject = (name: string) => `insert into projects (name, created_us, updated_us) values ('${name}', 1, 1)`;
function projectsOf(path: string): string[] {
  const database = new Database(path, { readonly: true });
  using names = database.prepare<{ name: string }, []>("select name from projects order by id");
  const found = names.all().map(({ name }) => name);
  database.close();
  return found;
}

describe("a backup", () => {
  test("holds what was committed, while the writer is in the middle of a transaction", async () => {
    await migrateStorage(location);
    const writer = openSqlite(location, "writer");
    writer.script(addProject("committed"));
    writer.script("begin immediate");
    writer.script(addProject("under way"));
    const bytes = copyTo(target());
    writer.script("commit");
    writer.close();
    expect(bytes).toBe(Bun.file(target()).size);
    expect(projectsOf(target())).toEqual(["committed"]);
    expect(projectsOf(location.path)).toEqual(["committed", "under way"]);
  });

  test("is a database that a server goes on with", async () => {
    await migrateStorage(location);
    copyTo(target());
    expect(await migrateStorage({ ...location, path: target() })).toEqual([]);
    const copy = openSqlite({ ...location, path: target() }, "writer");
    copy.script(addProject("restored"));
    const vacuum = copy.execute("pragma auto_vacuum").rows;
    copy.close();
    expect(vacuum).toEqual([{ auto_vacuum: 2 }]);
  });

  test("replaces nothing, and leaves nothing behind when it fails", async () => {
    await migrateStorage(location);
    await Bun.write(target(), "mine");
    const failure = await refusalOf(target());
    expect([failure.code, failure.kind]).toEqual(["storage.backup_exists", "conflict"]);
    expect(await Bun.file(target()).text()).toBe("mine");
    const missing = await refusalOf(join(folder, "none", "copy.db"));
    expect(missing.code).toBe("storage.backup_failed");
    expect(missing.message).toContain(join(folder, "none", "copy.db"));
  });

  test("clears away what a process that is gone did not finish, and leaves those under way alone", async () => {
    await migrateStorage(location);
    const gone = Bun.spawnSync(["true"]).pid;
    await Bun.write(`${target()}.${gone}.partial`, "half");
    await Bun.write(`${target()}.${process.ppid}.partial`, "under way");
    await Bun.write(`${target()}.notes.partial`, "somebody's");
    copyTo(target());
    expect((await readdir(folder)).filter((name) => name.startsWith("copy")).sort()).toEqual([
      "copy.db",
      `copy.db.${process.ppid}.partial`,
      "copy.db.notes.partial",
    ]);
  });

  test("of a file that is not there makes none", async () => {
    const failure = await refusalOf(target());
    expect(failure.message).toBe(`There is no database file ${location.path} to back up`);
    expect(await readdir(folder)).toEqual([]);
  });

  test("of a damaged file is refused and removed", async () => {
    await migrateStorage(location);
    const database = new Database(location.path, { readwrite: true });
    database.run("pragma foreign_keys = off");
    database.run("insert into traces (trace_key, project_id, start_us, end_us, latency_us) values ('t', 99, 1, 1, 0)");
    database.close();
    const failure = await refusalOf(target());
    expect(failure.code).toBe("storage.backup_unsound");
    expect(failure.message).toContain("rows of traces point at none");
    expect((await readdir(folder)).filter((name) => name.startsWith("copy"))).toEqual([]);
  });
});

const makeOlder = (path = location.path) => makeOlderDatabase({ ...location, path });

describe("before a migration", () => {
  const copies: string[] = [];
  const backup: BackupBeforeMigration = {
    version: "9.8.7",
    onBackup: (path, state) => void (state === "done" && copies.push(path)),
  };
  beforeEach(() => void copies.splice(0));
  const last = migrations.sqlite.at(-1)!.number;
  const expected = () => `${location.path}.before-9.8.7.migration-${migrations.sqlite.at(-2)!.number}.backup`;

  test("an existing file is copied beside itself, once", async () => {
    await makeOlder();
    expect(await migrateStorage(location, undefined, backup)).toEqual([last]);
    expect(copies).toEqual([expected()]);
    expect(projectsOf(expected())).toEqual(["old"]);
    await migrateStorage(location, undefined, backup);
    expect(copies).toHaveLength(1);
  });

  test("the copy is what the older version left: it is migrated again", async () => {
    await makeOlder();
    await migrateStorage(location, undefined, backup);
    expect(await migrateStorage({ ...location, path: expected() })).toEqual([last]);
  });

  test("a copy of an earlier attempt is replaced", async () => {
    await makeOlder();
    await Bun.write(expected(), "an attempt that failed later");
    await migrateStorage(location, undefined, backup);
    expect(projectsOf(expected())).toEqual(["old"]);
  });

  test("a new file is not copied, nor one without the wish for it", async () => {
    await migrateStorage(location, undefined, backup);
    expect(copies).toEqual([]);
    const other = join(folder, "other.db");
    await makeOlder(other);
    await migrateStorage({ ...location, path: other });
    expect((await readdir(folder)).filter((name) => name.endsWith(".backup"))).toEqual([]);
  });
});

describeWithSmallDisks("on a disk without space", () => {
  let disk: SmallDisk;
  beforeAll(async () => {
    disk = await mountSmallDisk(8);
  });
  afterAll(() => disk.unmount());

  test("the start is refused before anything changes, and says how to go on", async () => {
    const path = join(disk.path, "old.db");
    await makeOlder(path);
    await disk.leave(256 * 1024);
    const backup: BackupBeforeMigration = { version: "9.8.7", onBackup: () => {} };
    const failure = await failureOf(migrateStorage({ ...location, path }, undefined, backup));
    expect([failure.code, failure.kind]).toEqual(["storage.no_backup_before_migration", "unavailable"]);
    expect(failure.message).toMatch(
      /^The database was not changed, because .*not enough space for a backup in .*: \d+ MiB are needed, \d+ MiB are free\. .*SERVICE_SQLITE_BACKUP_BEFORE_MIGRATION=false/,
    );
    expect(existsSync(`${path}.before-9.8.7.migration-1.backup`)).toBe(false);
    await disk.free();
    expect(await migrateStorage({ ...location, path }, undefined, backup)).toEqual([migrations.sqlite.at(-1)!.number]);
  });
});
