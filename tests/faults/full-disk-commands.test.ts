// The disk of a SQLite file fills up in the middle of a command: a clear line, nothing half done, and the same command succeeds when
// there is space.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../support/server.ts";
import { describeWithSmallDisks, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";

setDefaultTimeout(30_000);

const MEGABYTE = 1024 * 1024;
const PADDING_MEGABYTES = 6;
const ROOM = /^error: There is no room .*in .+: .+ are needed, .+ are free$/;

describeWithSmallDisks("a disk that is full in the middle of a command", () => {
  let disk: SmallDisk;
  let elsewhere: string;
  let path: string;
  beforeAll(async () => {
    disk = await mountSmallDisk(24);
    elsewhere = await mkdtemp(join(tmpdir(), "spanlight-elsewhere-"));
    path = join(disk.path, "spanlight.db");
    await succeed(["migrate"]);
    pad();
  });
  afterAll(async () => {
    await disk.unmount();
    await rm(elsewhere, { recursive: true, force: true });
  });
  beforeEach(() => disk.free());

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(args, { env: { SERVICE_SQL_DATABASE_URL: `sqlite:///${path}`, ...env } });
  async function succeed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { exitCode, output } = await run(args, env);
    expect(exitCode, output).toBe(0);
    return output;
  }
  /** Its last line. */
  async function refused(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { exitCode, output } = await run(args, env);
    expect(exitCode, output).toBe(1);
    expect(output).not.toContain("    at ");
    return output.trimEnd().split("\n").at(-1)!;
  }
  function pad(): void {
    const database = new Database(path);
    const insert = database.prepare(
      "insert into projects (name, description, created_us, updated_us) values (?, ?, 1, 1)",
    );
    for (let megabyte = 0; megabyte < PADDING_MEGABYTES; megabyte++)
      insert.run(`padding ${megabyte}`, "x".repeat(MEGABYTE));
    insert.finalize();
    database.run("pragma wal_checkpoint(truncate)");
    database.close(true);
  }
  const projects = (file: string) => {
    const database = new Database(file, { readonly: true });
    const names = database.query("select name from projects").values();
    database.close(true);
    return names.length;
  };
  /** But for what stays beside a file that somebody has had open. */
  const files = async () =>
    (await readdir(disk.path)).filter((name) => !/^filler$|-(wal|shm)$|\.lock$/.test(name)).sort();

  test("backup: no part of a copy is left", async () => {
    const before = await files();
    await disk.leave(2 * MEGABYTE);
    const target = join(disk.path, "spanlight.copy");
    expect(await refused(["backup", "--to", target])).toMatch(ROOM);
    expect(await files()).toEqual(before);
    await disk.free();
    await succeed(["backup", "--to", target]);
    expect(projects(target)).toBe(PADDING_MEGABYTES);
    await rm(target);
  });

  test("restore: the database is what it was", async () => {
    const copy = join(elsewhere, "spanlight.copy");
    await succeed(["backup", "--to", copy]);
    const added = new Database(path);
    added.run("insert into projects (name, created_us, updated_us) values ('since', 1, 1)");
    added.close(true);
    const before = await files();
    await disk.leave(2 * MEGABYTE);
    expect(await refused(["restore", copy])).toMatch(ROOM);
    expect(await files()).toEqual(before);
    expect(projects(path)).toBe(PADDING_MEGABYTES + 1);
    await disk.free();
    await succeed(["restore", copy]);
    expect(projects(path)).toBe(PADDING_MEGABYTES);
    for (const name of await files()) if (name.includes("replaced")) await rm(join(disk.path, name));
  });

  test("verify: says so, and changes nothing", async () => {
    const before = await files();
    await disk.leave(0);
    expect(await refused(["verify"])).toMatch(/^error: .*\bfull\b/);
    expect(await files()).toEqual(before);
    await disk.free();
    expect(await succeed(["verify"])).toContain("no differences");
  });

  test("migrate: the migrations that fit are whole, the others are made when there is space", async () => {
    const undo = new Database(path);
    undo.run("drop table measure_directions");
    undo.run("drop table trace_lifetimes");
    undo.run("delete from schema_migrations where number > 17");
    undo.run("pragma wal_checkpoint(truncate)");
    undo.close(true);
    const before = await files();
    await disk.leave(2 * MEGABYTE);
    // The copy of before does not fit.
    expect(await refused(["migrate"])).toMatch(
      /^error: The database was not changed, .*There is no room for a backup in .+ are free/,
    );
    expect(await files()).toEqual(before);
    await disk.leave(0);
    expect(await refused(["migrate"], { SERVICE_SQLITE_BACKUP_BEFORE_MIGRATION: "false" })).toMatch(
      /^error: .*\bfull\b/,
    );
    await disk.free();
    await succeed(["migrate"]);
    expect(await succeed(["verify"])).toContain("no differences");
    expect(projects(path)).toBe(PADDING_MEGABYTES);
  });
});
