// Backups that the service makes by itself, `spanlight restore`, and a disk that fills up, as operators meet them.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { storedSpans } from "../support/stored.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-restore-"));
});
const startService = servicesOfSuite();
afterAll(() => rm(folder, { recursive: true, force: true }));

const urlOf = (name: string) => `sqlite:///${join(folder, name)}`;
const run = (name: string, ...args: string[]) => runCommand(args, { env: { SERVICE_SQL_DATABASE_URL: urlOf(name) } });
const spansIn = async (name: string) => (await storedSpans({ url: urlOf(name) })).length;

async function sendSpan(url: string, id: string): Promise<void> {
  const times = { start_time: "2026-03-01T10:00:00Z", end_time: "2026-03-01T10:00:01Z" };
  const context = { trace_id: `t-${id}`, span_id: id };
  const body = JSON.stringify({ data: [{ name: "s", context, span_kind: "CHAIN", status_code: "OK", ...times }] });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/v1/projects/default/spans`, { method: "POST", headers, body });
  expect(answer.status).toBeLessThan(300);
}

test("a copy takes the place of the file, which is kept whole beside it", async () => {
  const service = await startService({ databaseUrl: urlOf("lost.db") });
  await sendSpan(service.url, "first");
  expect((await run("lost.db", "backup", "--to", join(folder, "lost.copy"))).exitCode).toBe(0);
  await sendSpan(service.url, "second");
  const running = await run("lost.db", "restore", join(folder, "lost.copy"));
  expect([running.exitCode, running.output]).toEqual([1, expect.stringContaining("in use by another server")]);
  await service.stop();
  expect(await spansIn("lost.db")).toBe(2);
  const { exitCode, output } = await run("lost.db", "restore", join(folder, "lost.copy"));
  expect(exitCode, output).toBe(0);
  const replaced = /what was there: (.+)/.exec(output)![1]!;
  expect(output).toContain(`restored: ${join(folder, "lost.copy")} (`);
  expect(await spansIn("lost.db")).toBe(1);
  expect((await storedSpans({ url: `sqlite:///${replaced}` })).length).toBe(2);
  const again = await startService({ databaseUrl: urlOf("lost.db") });
  await sendSpan(again.url, "third");
  await again.stop();
  expect((await run("lost.db", "verify")).output).toContain("no differences");
});

test("a file whose process was killed is kept with what its log holds", async () => {
  const service = await startService({ databaseUrl: urlOf("killed.db") });
  await sendSpan(service.url, "first");
  await run("killed.db", "backup", "--to", join(folder, "killed.copy"));
  await sendSpan(service.url, "second");
  await service.kill();
  const { exitCode, output } = await run("killed.db", "restore", join(folder, "killed.copy"));
  expect(exitCode, output).toBe(0);
  expect((await storedSpans({ url: `sqlite:///${/what was there: (.+)/.exec(output)![1]}` })).length).toBe(2);
  expect(await spansIn("killed.db")).toBe(1);
});

describe("what is not restored leaves the database as it was", () => {
  beforeAll(async () => {
    for (const name of ["kept.db", "open.db"]) await run(name, "migrate");
    await run("kept.db", "backup", "--to", join(folder, "kept.copy"));
    await writeFile(join(folder, "text.copy"), "no database at all, but long enough to be looked at".repeat(100));
    const foreign = new Database(join(folder, "foreign.copy"), { create: true });
    foreign.run("create table t (a)");
    foreign.close();
    const bytes = new Uint8Array(await Bun.file(join(folder, "kept.copy")).arrayBuffer());
    await writeFile(join(folder, "short.copy"), bytes.subarray(0, bytes.length - 20_000));
    await copyFile(join(folder, "kept.copy"), join(folder, "busy.copy"));
    await writeFile(join(folder, "busy.copy-wal"), "a part of it");
    const newer = join(folder, "newer.copy");
    await copyFile(join(folder, "kept.copy"), newer);
    const changed = new Database(newer);
    changed.run(`insert into schema_migrations (number, name, checksum, oldest_server, applied_us)
      values (9999, 'from the future', 'x', 9999, 0)`);
    changed.close();
  });

  const wrong: readonly [string, string, string][] = [
    ["a file that is not there", "nowhere.copy", "There is no file"],
    ["a folder", ".", "There is no file"],
    ["what is no database", "text.copy", "cannot be read as a database"],
    ["the database of another program", "foreign.copy", "is no database of Spanlight"],
    ["a copy that was cut off", "short.copy", ""],
    ["a copy that is in use", "busy.copy", "busy.copy-wal"],
    ["a copy of a newer version", "newer.copy", "newer Spanlight"],
    ["the database itself", "kept.db", "is the database itself"],
  ];
  test.each(wrong)("%s", async (_what, name, word) => {
    const before = Bun.hash(await Bun.file(join(folder, "kept.db")).arrayBuffer());
    const { exitCode, output } = await run("kept.db", "restore", join(folder, name));
    expect([exitCode, output]).toEqual([1, expect.stringContaining(word)]);
    expect(Bun.hash(await Bun.file(join(folder, "kept.db")).arrayBuffer())).toBe(before);
    expect((await readdir(folder)).filter((each) => /partial|kept\.db\..+replaced/.test(each))).toEqual([]);
  });
});

describe("backups by the service itself", () => {
  const copiesIn = async (name: string) => (await readdir(join(folder, name))).sort();
  const identityIn = (name: string) => /^spanlight-([\da-f]{8})-\d{8}T\d{6}Z\.backup$/.exec(name)?.[1];
  const write = async (name: string, files: readonly string[]) => {
    for (const file of files) await writeFile(join(folder, name, file), "older");
  };
  const troubleOf = async (url: string) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ query: "{ serverStatus { backupTrouble } }" });
    const answer = await (await fetch(`${url}/graphql`, { method: "POST", headers, body })).json();
    return (answer as { data: { serverStatus: { backupTrouble: string | null } } }).data.serverStatus.backupTrouble;
  };

  test("are checked copies, of which the newest of this database are kept, and nothing else is touched", async () => {
    await mkdir(join(folder, "copies"));
    const days = ["20260101", "20260102", "20260103"];
    const unknown = days.map((day) => `spanlight-${day}T000000Z.backup`);
    const others = [...unknown, "mine.backup", ...days.map((day) => `spanlight-00000000-${day}T000000Z.backup`)].sort();
    await write("copies", others);
    const env = { SERVICE_BACKUP_DIRECTORY: join(folder, "copies"), SERVICE_BACKUPS_KEPT: "2" };
    const service = await startService({ databaseUrl: urlOf("scheduled.db"), env });
    const ownCopies = async () => (await copiesIn("copies")).filter((name) => !others.includes(name));
    await until(() => service.log().includes("the database was backed up"), 30_000);
    const [first] = await ownCopies();
    expect(await storedSpans({ url: `sqlite:///${join(folder, "copies", first!)}` })).toEqual([]);
    expect(await troubleOf(service.url)).toBeNull();
    await service.stop();
    expect(service.log()).toMatch(/backups of earlier versions are left alone: remove them by hand.*files=3/);
    // The next one is due tomorrow.
    const again = await startService({ databaseUrl: urlOf("scheduled.db"), env });
    await sendSpan(again.url, "later");
    await again.stop();
    expect(await ownCopies()).toEqual([first!]);
    const old = days.map((day) => `spanlight-${identityIn(first!)}-${day}T000000Z.backup`);
    await write("copies", old);
    await rm(join(folder, "copies", first!));
    const third = await startService({ databaseUrl: urlOf("scheduled.db"), env });
    await until(() => third.log().includes("the database was backed up"), 30_000);
    await third.stop();
    const kept = await ownCopies();
    expect([kept.length, kept[0], identityIn(kept[1]!)]).toEqual([2, old[2]!, identityIn(first!)]);
    expect((await copiesIn("copies")).filter((name) => !kept.includes(name))).toEqual(others);
  });

  test("are made beside one that is dated in the future, which is reported", async () => {
    await mkdir(join(folder, "future"));
    const env = { SERVICE_BACKUP_DIRECTORY: join(folder, "future"), SERVICE_BACKUPS_KEPT: "1" };
    const first = await startService({ databaseUrl: urlOf("ahead.db"), env });
    await until(() => first.log().includes("the database was backed up"), 30_000);
    await first.stop();
    const [made] = await copiesIn("future");
    const ahead = `spanlight-${identityIn(made!)}-29990101T000000Z.backup`;
    await rename(join(folder, "future", made!), join(folder, "future", ahead));
    const second = await startService({ databaseUrl: urlOf("ahead.db"), env });
    await until(() => second.log().includes("the database was backed up"), 30_000);
    expect(second.log()).toContain("a backup is dated in the future");
    expect(second.log()).toContain(ahead);
    expect(await troubleOf(second.url)).toBe("DATED_AHEAD");
    await second.stop();
    const left = await copiesIn("future");
    expect([left.length, left[1]]).toEqual([2, ahead]);
    expect(identityIn(left[0]!)).toBe(identityIn(made!));
  });

  test("of two databases in one folder do not touch each other, also after a copy was restored", async () => {
    await mkdir(join(folder, "shared"));
    const env = { SERVICE_BACKUP_DIRECTORY: join(folder, "shared"), SERVICE_BACKUPS_KEPT: "1" };
    const backUp = async (name: string) => {
      const service = await startService({ databaseUrl: urlOf(name), env });
      await until(() => service.log().includes("the database was backed up"), 30_000);
      await service.stop();
    };
    await backUp("one.db");
    const [one] = await copiesIn("shared");
    await backUp("other.db");
    const both = await copiesIn("shared");
    expect(both).toContain(one!);
    expect(new Set(both.map(identityIn)).size).toBe(2);
    const restored = await run("one.db", "restore", join(folder, "shared", one!));
    expect(restored.exitCode, restored.output).toBe(0);
    await rename(
      join(folder, "shared", one!),
      join(folder, "shared", `spanlight-${identityIn(one!)}-20260101T000000Z.backup`),
    );
    await backUp("one.db");
    expect((await copiesIn("shared")).map(identityIn).sort()).toEqual(both.map(identityIn).sort());
  });

  test("that cannot be made are reported in the log and on the page, and the service goes on", async () => {
    await writeFile(join(folder, "a file"), "");
    const env = { SERVICE_BACKUP_DIRECTORY: join(folder, "a file") };
    const service = await startService({ databaseUrl: urlOf("unbacked.db"), env });
    await until(() => service.log().includes("the database could not be backed up"), 30_000);
    expect(await troubleOf(service.url)).toBe("FAILED");
    await sendSpan(service.url, "first");
    await service.stop();
  });
});

test("below the free space that is asked for nothing is added, and what is there is read and deleted", async () => {
  const service = await startService({ databaseUrl: urlOf("crowded.db") });
  await sendSpan(service.url, "first");
  await service.stop();
  const env = { SERVICE_DATABASE_MINIMUM_FREE_BYTES: String(2 ** 52) };
  const crowded = await startService({ databaseUrl: urlOf("crowded.db"), env });
  const post = (path: string, json: unknown) => {
    const headers = { "content-type": "application/json" };
    return fetch(`${crowded.url}${path}`, { method: "POST", headers, body: JSON.stringify(json) });
  };
  const refused = await post("/v1/projects", { name: "one more" });
  expect([refused.status, await refused.text()]).toEqual([507, expect.stringContaining("insufficient storage")]);
  const traces = (await (await fetch(`${crowded.url}/v1/projects/default/traces`)).json()) as {
    data: { id: string }[];
  };
  expect(traces.data).toHaveLength(1);
  const deleted = await fetch(`${crowded.url}/v1/traces/${traces.data[0]!.id}`, { method: "DELETE" });
  expect(deleted.status).toBe(204);
  await crowded.stop();
  expect(crowded.log()).toContain("the disk of the database is nearly full");
});
