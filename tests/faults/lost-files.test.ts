// The files of a SQLite database are deleted or replaced under the running service: nothing is acknowledged into a file that nobody
// will find again, and what was acknowledged before can be saved in the way that the log names.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFile, mkdtemp, readFile, rename, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { expectNothingLost } from "../support/stored.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const startService = servicesOfSuite();
const folders: string[] = [];
let path: string;
let url: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "spanlight-lost-"));
  folders.push(folder);
  path = join(folder, "spanlight.db");
  url = `sqlite:///${path}`;
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const errorsOf = (service: RunningService) =>
  service
    .log()
    .split("\n")
    .filter((line) => line.includes(" ERROR "));

/** Loads the service, does `harm` to its files in the middle of it, and returns what was sent and what the log says. */
async function harmed(service: RunningService, harm: () => Promise<void>) {
  const load = startLoad({ urls: [service.url] });
  await load.untilAcknowledged(300);
  await harm();
  await load.untilAnswered((since) => (since["503"] ?? 0) >= 10);
  const acknowledged = load.acknowledged();
  await load.untilAnswered((since) => (since["503"] ?? 0) >= 10);
  const client = createHttpClient(service.url);
  const [ready, alive, read, added] = await Promise.all([
    client.get("/readyz"),
    client.get("/healthz"),
    client.get("/v1/projects"),
    client.post("/v1/projects", { json: { name: "added" } }),
  ]);
  const answers = [ready.status, alive.status, read.status, added.status];
  await until(() => errorsOf(service).length > 0);
  const batches = await load.abandon();
  // Nothing was acknowledged after the first refusal.
  expect(load.acknowledged()).toBe(acknowledged);
  expect(errorsOf(service)).toHaveLength(1);
  return { batches, answers, reason: ready.text, advice: errorsOf(service)[0]! };
}

describe.skipIf(process.platform !== "linux")("the database file", () => {
  for (const [name, harm] of [
    ["is deleted", () => rm(path)],
    ["is deleted with its log and index", () => Promise.all(["", "-wal", "-shm"].map((end) => rm(`${path}${end}`)))],
    [
      "is replaced",
      async () => {
        await copyFile(path, `${path}.other`);
        await rename(`${path}.other`, path);
      },
    ],
  ] as const) {
    test(`${name}: 503, not ready, and the advice of the log saves everything`, async () => {
      const service = await startService({ databaseUrl: url });
      const { batches, answers, reason, advice } = await harmed(service, async () => void (await harm()));
      expect(answers).toEqual([503, 200, 200, 503]);
      expect(reason).toMatch(/^The database file was (deleted|replaced) while the service runs$/);
      const command = /before you stop it, run (cp .*?)\. Then stop/.exec(advice)?.[1];
      expect(command, advice).toBeDefined();
      expect(Bun.spawnSync(["sh", "-c", command!]).exitCode).toBe(0);
      expect(await service.stop()).toBe(0);
      await Promise.all(["-wal", "-shm"].map((ending) => rm(`${path}${ending}`, { force: true })));
      for (const ending of ["", "-wal"]) await rename(`${path}.saved${ending}`, `${path}${ending}`);
      await expectNothingLost({ url }, batches);
    });
  }

  test("is put back: it goes on, and the log says so", async () => {
    const service = await startService({ databaseUrl: url });
    const { batches } = await harmed(service, () => rename(path, `${path}.away`));
    await rename(`${path}.away`, path);
    await until(() => service.log().includes("the files of the database are in their places again"));
    expect((await createHttpClient(service.url).get("/readyz")).status).toBe(200);
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(100);
    const later = await load.finish();
    expect(await service.stop()).toBe(0);
    await expectNothingLost({ url }, [...batches, ...later]);
  });

  test("is emptied: 503 and not ready", async () => {
    const service = await startService({ databaseUrl: url });
    const { answers, reason } = await harmed(service, () => truncate(path, 0));
    expect(answers.filter((_, position) => position !== 2)).toEqual([503, 200, 503]);
    expect(reason).toBe("The database file was emptied while the service runs");
    await service.kill();
  });
});

describe("the log of the database", () => {
  for (const endings of [["-wal"], ["-wal", "-shm"], ["-shm"]]) {
    test(`is deleted (${endings.join(", ")}): what it held is written back at once, and a restart goes on`, async () => {
      const service = await startService({ databaseUrl: url });
      const { batches, answers, advice } = await harmed(service, async () => {
        await Promise.all(endings.map((ending) => rm(`${path}${ending}`)));
      });
      expect([answers[0], answers[1], answers[3]]).toEqual([503, 200, 503]);
      expect(advice).toContain(`All that was stored has been written to ${path}: restart the service`);
      // No orderly end is needed for it.
      await service.kill();
      const again = await startService({ databaseUrl: url });
      expect(await again.stop()).toBe(0);
      await expectNothingLost({ url }, batches);
    });
  }

  test("and a copy is put in place, while the service runs: nothing of the old database gets into it", async () => {
    const service = await startService({ databaseUrl: url });
    const copy = `${path}.copy`;
    const client = createHttpClient(service.url);
    await client.post("/v1/projects", { json: { name: "before" } });
    expect(
      Bun.spawnSync([process.execPath, "src/main.ts", "backup", "--to", copy], {
        env: { ...process.env, SERVICE_SQL_DATABASE_URL: url },
      }).exitCode,
    ).toBe(0);
    await harmed(service, async () => {
      for (const ending of ["-wal", "-shm"]) await rm(`${path}${ending}`);
      await copyFile(copy, path);
    });
    expect(await service.stop()).toBe(0);
    expect(Buffer.compare(await readFile(path), await readFile(copy))).toBe(0);
  });
});
