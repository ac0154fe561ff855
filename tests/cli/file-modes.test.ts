// Who may read what the program writes: its owner and nobody else, in a folder that everybody may enter.
import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpClient } from "../support/http.ts";
import { makeOlderDatabase } from "../support/older-database.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";

setDefaultTimeout(60_000);

const startService = servicesOfSuite();
const folders: string[] = [];
let folder: string;
let url: string;
const before = process.umask();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-modes-"));
  folders.push(folder);
  await chmod(folder, 0o755);
  url = `sqlite:///${join(folder, "spanlight.db")}`;
  // As a container or a careless shell would hand it on.
  process.umask(0o000);
});
afterEach(() => void process.umask(before));
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

async function modes(): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const found = await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).mode & 0o777]));
  return Object.fromEntries(found.map(([name, mode]) => [name, Number(mode).toString(8)]));
}

test("the database, its log and a backup are private from the start", async () => {
  const service = await startService({ databaseUrl: url });
  await createHttpClient(service.url).post("/v1/projects", { json: { name: "in the log" } });
  expect(await modes()).toMatchObject({ "spanlight.db": "600", "spanlight.db-wal": "600", "spanlight.db-shm": "600" });
  const target = join(folder, "copy.db");
  const env = { SERVICE_SQL_DATABASE_URL: url };
  expect((await runCommand(["backup", "--to", target], { env })).exitCode).toBe(0);
  expect((await runCommand(["backup"], { env })).exitCode).toBe(0);
  expect(Object.values(await modes()).filter((mode) => mode !== "600")).toEqual([]);
  expect(Object.keys(await modes())).toContain("copy.db");
  expect(await service.stop()).toBe(0);
});

test("wider rights of files that were there are taken at the start", async () => {
  const path = join(folder, "spanlight.db");
  await makeOlderDatabase({ kind: "sqlite", path, temporary: false, synchronous: "FULL" });
  await Bun.write(join(folder, "spanlight.db.before-0.0.1.migration-0.backup"), "");
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o664);
  const service = await startService({ databaseUrl: url });
  expect(Object.values(await modes()).filter((mode) => mode !== "600")).toEqual([]);
  // The older database, its log and index, the backup that was there and the one before the migration.
  expect(Object.keys(await modes()).length).toBeGreaterThanOrEqual(5);
  expect(await service.stop()).toBe(0);
});
