// The disk of a SQLite file fills up in the middle of a command: a clear line, nothing half done, and the same command succeeds when
// there is space.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCommand } from "../support/server.ts";
import { describeWithSmallDisks, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";

setDefaultTimeout(60_000);

const ROOT = resolve(import.meta.dir, "../..");
/** A copy that is over before the disk is full is begun again, so many times at most. */
const MOST_TRIES = 20;

const MEGABYTE = 1024 * 1024;
const PADDING_MEGABYTES = 48;
const BLOCKS = 300_000;
const NO_SPACE = /^error: There is not enough space .*in .+: .+ are needed, .+ are free$/;

describeWithSmallDisks("a disk that is full in the middle of a command", () => {
  let disk: SmallDisk;
  let elsewhere: string;
  let path: string;
  beforeAll(async () => {
    disk = await mountSmallDisk(192);
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

  /** Fills the disk while the command writes its copy, and resolves to what it says. */
  async function filledWhileCopying(args: readonly string[], undo: () => Promise<unknown>): Promise<string> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      await disk.free();
      const command = Bun.spawn([process.execPath, join(ROOT, "src/main.ts"), ...args], {
        env: { PATH: process.env.PATH ?? "", HOME: elsewhere, SERVICE_SQL_DATABASE_URL: `sqlite:///${path}` },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const output = Promise.all([new Response(command.stdout).text(), new Response(command.stderr).text()]);
      const partial = await untilPartial(command);
      if (partial !== null) {
        // Those that pace the copy, too: nobody lets it go on.
        const processes = [command.pid, Number(/\.(\d+)\.partial$/.exec(partial)![1])];
        for (const id of processes) signal(id, "SIGSTOP");
        for (const id of processes) while (isRunning(id)) await Bun.sleep(0);
        const size = sizeOf(partial);
        const isHalf = size > 0 && size < PADDING_MEGABYTES * MEGABYTE;
        if (isHalf) await disk.leave(0);
        for (const id of processes.toReversed()) signal(id, "SIGCONT");
        const [said, complaint] = await output;
        if (isHalf) {
          expect([await command.exited, said + complaint]).toEqual([1, expect.not.stringContaining("    at ")]);
          return (said + complaint).trimEnd().split("\n").at(-1)!;
        }
      }
      await output;
      await command.exited;
      await undo();
    }
    throw new Error(`${args[0]} was never caught in the middle`);
  }
  /** The copy may be over since it was seen: then there is no such file, and maybe no such process. */
  const sizeOf = (partial: string) => statSync(join(disk.path, partial), { throwIfNoEntry: false })?.size ?? 0;
  function signal(id: number, name: "SIGSTOP" | "SIGCONT"): void {
    try {
      process.kill(id, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
  /** False when it is over or stopped. A copy that the kernel makes goes on for a moment after the signal. */
  function isRunning(id: number): boolean {
    try {
      return !/^State:\s+[TtZX]/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
    } catch {
      return false;
    }
  }
  /** Null when the command is over. */
  async function untilPartial(command: Bun.Subprocess): Promise<string | null> {
    while (command.exitCode === null) {
      const found = readdirSync(disk.path).find((name) => name.endsWith(".partial"));
      if (found !== undefined && sizeOf(found) > 0) return found;
      await Bun.sleep(0);
    }
    return null;
  }

  test("backup: no part of a copy is left", async () => {
    const before = await files();
    const half = join(disk.path, "half.copy");
    const said = await filledWhileCopying(["backup", "--to", half], () => rm(half, { force: true }));
    expect(said).toMatch(/^error: There is not enough space for a backup in .+: the disk is full$/);
    await disk.free();
    expect(await files()).toEqual(before);
    await disk.leave(2 * MEGABYTE);
    const target = join(disk.path, "spanlight.copy");
    expect(await refused(["backup", "--to", target])).toMatch(NO_SPACE);
    expect(await files()).toEqual(before);
    await disk.free();
    await succeed(["backup", "--to", target]);
    expect(projects(target)).toBe(PADDING_MEGABYTES);
    await rm(target);
  });

  test("restore: the database is what it was", async () => {
    const copy = join(elsewhere, "spanlight.copy");
    await succeed(["backup", "--to", copy]);
    const addSince = () => {
      const added = new Database(path);
      added.run("insert into projects (name, created_us, updated_us) values ('since', 1, 1)");
      added.close(true);
    };
    const removeReplaced = async () => {
      for (const name of await files()) if (name.includes("replaced")) await rm(join(disk.path, name));
    };
    addSince();
    const before = await files();
    await disk.leave(2 * MEGABYTE);
    expect(await refused(["restore", copy])).toMatch(NO_SPACE);
    expect(await files()).toEqual(before);
    expect(projects(path)).toBe(PADDING_MEGABYTES + 1);
    const addAgain = async () => {
      await removeReplaced();
      addSince();
    };
    expect(await filledWhileCopying(["restore", copy], addAgain)).toMatch(/^error: .*\b(full|no space)\b/i);
    await disk.free();
    expect(await files()).toEqual(before);
    expect(projects(path)).toBe(PADDING_MEGABYTES + 1);
    await succeed(["restore", copy]);
    expect(projects(path)).toBe(PADDING_MEGABYTES);
    await removeReplaced();
  });

  test("verify: needs no space, and changes nothing", async () => {
    const before = await files();
    await disk.leave(0);
    expect(await succeed(["verify"])).toContain("no differences");
    expect(await files()).toEqual(before);
    await disk.free();
  });

  test("migrate: the one that does not fit leaves nothing, and is made when there is space", async () => {
    const undo = new Database(path);
    undo.run("drop table span_block_costs");
    undo.run("delete from schema_migrations where number = 17");
    // Migration 17 writes a row for each of them.
    undo.run(`with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${BLOCKS - 1})
      insert into span_blocks (block, unfiltered) select n, 0 from numbers`);
    undo.run("pragma wal_checkpoint(truncate)");
    undo.close(true);
    const before = await files();
    await disk.leave(2 * MEGABYTE);
    // The copy of before does not fit.
    expect(await refused(["migrate"])).toMatch(
      /^error: The database was not changed, .*There is not enough space for a backup in .+ are free/,
    );
    expect(await files()).toEqual(before);
    const careless = { SERVICE_SQLITE_BACKUP_BEFORE_MIGRATION: "false" };
    expect(await refused(["migrate"], careless)).toMatch(/\bfull\b/);
    await disk.free();
    const look = new Database(path, { readonly: true });
    const state = [
      look.query("select count(*) from schema_migrations where number = 17").values()[0]![0],
      look.query("select count(*) from sqlite_schema where name = 'span_block_costs'").values()[0]![0],
      look.query("select count(*) from span_block_marks").values()[0]![0],
    ];
    look.close(true);
    expect(state).toEqual([0, 0, 0]);
    await succeed(["migrate"], careless);
    const done = new Database(path, { readonly: true });
    expect(done.query("select count(*) from span_block_marks").values()[0]![0]).toBe(BLOCKS);
    done.close(true);
    expect(projects(path)).toBe(PADDING_MEGABYTES);
  });
});
