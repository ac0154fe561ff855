// Backups that the service makes by itself, `spanlight restore`, and a disk that fills up, as operators meet them.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
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
    changed.run("insert into schema_migrations values (9999, 'from the future', 'x', 9999, 0)");
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

  test("are checked copies, of which the newest are kept, and nothing else is touched", async () => {
    await mkdir(join(folder, "copies"));
    const old = ["20260101", "20260102", "20260103"].map((day) => `spanlight-${day}T000000Z.backup`);
    for (const name of [...old, "mine.backup"]) await writeFile(join(folder, "copies", name), "older");
    const env = { SERVICE_BACKUP_DIRECTORY: join(folder, "copies"), SERVICE_BACKUPS_KEPT: "2" };
    const service = await startService({ databaseUrl: urlOf("scheduled.db"), env });
    await until(async () => (await copiesIn("copies")).length === 3, 30_000);
    const [mine, kept, made] = await copiesIn("copies");
    expect([mine, kept]).toEqual(["mine.backup", old[2]!]);
    expect(await storedSpans({ url: `sqlite:///${join(folder, "copies", made!)}` })).toEqual([]);
    await service.stop();
    expect(service.log()).toContain("the database was backed up");
    // The next one is due tomorrow.
    const again = await startService({ databaseUrl: urlOf("scheduled.db"), env });
    await sendSpan(again.url, "later");
    await again.stop();
    expect(await copiesIn("copies")).toEqual([mine, kept, made].map(String));
  });

  test("that cannot be made are said in the log, and the service goes on", async () => {
    await writeFile(join(folder, "a file"), "");
    const env = { SERVICE_BACKUP_DIRECTORY: join(folder, "a file") };
    const service = await startService({ databaseUrl: urlOf("unbacked.db"), env });
    await until(() => service.log().includes("the database could not be backed up"), 30_000);
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
