// `spanlight backup` as operators run it: beside a service under load, and where there is nothing to copy.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoad } from "../support/load.ts";
import { makeOlderDatabase } from "../support/older-database.ts";
import { createEmptyPostgresDatabase } from "../support/postgres.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { storedSpans } from "../support/stored.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-backup-"));
});
const startService = servicesOfSuite();
afterAll(() => rm(folder, { recursive: true, force: true }));

const backup = (url: string, ...args: string[]) =>
  runCommand(["backup", ...args], { env: { SERVICE_SQL_DATABASE_URL: url } });

test("a service under load goes on, and the copy adds up and holds what was acknowledged before it", async () => {
  const databaseUrl = `sqlite:///${join(folder, "busy.db")}`;
  const service = await startService({ databaseUrl });
  const load = startLoad({ urls: [service.url] });
  await load.untilAcknowledged(2000);
  const before = load.acknowledged();
  const copy = join(folder, "copy.db");
  const { exitCode, output } = await backup(databaseUrl, "--to", copy);
  expect(exitCode, output).toBe(0);
  expect(output).toMatch(new RegExp(`^database: ${databaseUrl}\nbackup: ${copy} \\(\\d+\\.\\d MiB, checked, `));
  await load.untilAcknowledged(500);
  await load.finish();
  expect(load.complaints).toEqual([]);
  expect((await storedSpans({ url: `sqlite:///${copy}` })).length).toBeGreaterThanOrEqual(before);
  const verified = await runCommand(["verify"], { env: { SERVICE_SQL_DATABASE_URL: `sqlite:///${copy}` } });
  expect(verified.output).toContain("no differences");
});

test("the copy holds annotations, and those that wait for their span", async () => {
  const databaseUrl = `sqlite:///${join(folder, "annotated.db")}`;
  const service = await startService({ databaseUrl });
  const post = async (url: string, path: string, json: unknown) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(json) };
    expect((await fetch(`${url}${path}`, init)).status).toBeLessThan(300);
  };
  const sendSpan = (url: string, spanId: string) =>
    post(url, "/v1/projects/default/spans", {
      data: [
        {
          ...{
            name: "s",
            context: { trace_id: `t-${spanId}`, span_id: spanId },
            span_kind: "CHAIN",
            status_code: "OK",
          },
          ...{ start_time: "2026-03-01T10:00:00Z", end_time: "2026-03-01T10:00:01Z" },
        },
      ],
    });
  await sendSpan(service.url, "there");
  const said = { name: "q", annotator_kind: "CODE", result: { score: 0.5 } };
  const data = [
    { ...said, span_id: "there" },
    { ...said, span_id: "awaited" },
  ];
  await post(service.url, "/v1/span_annotations", { data });
  await service.stop();
  const copy = join(folder, "annotated-copy.db");
  expect((await backup(databaseUrl, "--to", copy)).exitCode).toBe(0);
  const copied = await startService({ databaseUrl: `sqlite:///${copy}` });
  await sendSpan(copied.url, "awaited");
  const found = async () => {
    const answer = await fetch(`${copied.url}/v1/projects/default/span_annotations?span_ids=there&span_ids=awaited`);
    return ((await answer.json()) as { data: { span_id: string }[] }).data.map(({ span_id: id }) => id).sort();
  };
  await until(async () => (await found()).length === 2);
  expect(await found()).toEqual(["awaited", "there"]);
  await copied.stop();
});

test("without --to the copy lies beside the database, with the time in its name", async () => {
  const path = join(folder, "plain.db");
  await runCommand(["migrate"], { env: { SERVICE_SQL_DATABASE_URL: `sqlite:///${path}` } });
  expect((await backup(`sqlite:///${path}`)).exitCode).toBe(0);
  const copies = (await readdir(folder)).filter((name) => /^plain\.db\.\d{8}T\d{6}Z\.backup$/.test(name));
  expect(copies).toHaveLength(1);
});

describe("an upgrade", () => {
  const copies = async (name: string) => (await readdir(folder)).filter((file) => file.startsWith(`${name}.before-`));
  async function olderFile(name: string): Promise<string> {
    const path = join(folder, name);
    await makeOlderDatabase({ kind: "sqlite", path, temporary: false, synchronous: "FULL" });
    return `sqlite:///${path}`;
  }

  test("by migrate copies the file first, and says where", async () => {
    const url = await olderFile("migrated.db");
    const { exitCode, output } = await runCommand(["migrate"], { env: { SERVICE_SQL_DATABASE_URL: url } });
    expect(exitCode, output).toBe(0);
    const [copy, ...more] = await copies("migrated.db");
    expect(more).toEqual([]);
    expect(output).toContain(`backup done: ${join(folder, copy!)}\n`);
    expect(output.indexOf("backup done")).toBeLessThan(output.indexOf("migration "));
  });

  test("by serve does the same, and the copy starts again as it was", async () => {
    const url = await olderFile("served.db");
    const service = await startService({ databaseUrl: url });
    expect(service.log()).toContain("backup before migrating done");
    await service.stop();
    const [copy] = await copies("served.db");
    const restored = await startService({ databaseUrl: `sqlite:///${join(folder, copy!)}` });
    const projects = (await (await fetch(`${restored.url}/v1/projects`)).json()) as { data: { name: string }[] };
    expect(projects.data.map(({ name }) => name)).toContain("old");
    await restored.stop();
  });

  test("copies nothing where the setting says so", async () => {
    const url = await olderFile("careless.db");
    const env = { SERVICE_SQL_DATABASE_URL: url, SERVICE_SQLITE_BACKUP_BEFORE_MIGRATION: "false" };
    const { exitCode, output } = await runCommand(["migrate"], { env });
    expect([exitCode, output.includes("backup begun"), await copies("careless.db")]).toEqual([0, false, []]);
  });
});

test("a database in memory, and a file that is not there, are refused in one line", async () => {
  const memory = await backup("sqlite:///:memory:");
  expect([memory.exitCode, memory.output.split("\n")[1]]).toEqual([
    1,
    "error: A database in memory belongs to its server alone: nothing to back up",
  ]);
  const missing = join(folder, "none.db");
  expect((await backup(`sqlite:///${missing}`)).output).toContain(`error: There is no database file ${missing}`);
});

test("for PostgreSQL it names the command, without the password", async () => {
  const database = await createEmptyPostgresDatabase();
  const url = new URL(database.url);
  url.password = "swordfish-7";
  const { exitCode, output } = await backup(url.href);
  await database.drop();
  url.password = "";
  expect(exitCode).toBe(1);
  expect(output).toContain(`pg_dump --format=custom --file=spanlight.dump '${url.href}'`);
  expect(output).not.toContain("swordfish-7");
});
