// The disk of a SQLite file fills up under ingest load, and space is made again.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { describeWithSmallDisks, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import { expectNothingLost } from "../support/stored.ts";

setDefaultTimeout(30_000);

const MEGABYTE = 1024 * 1024;

describeWithSmallDisks("full disk (sqlite)", () => {
  let disk: SmallDisk;
  beforeAll(async () => {
    disk = await mountSmallDisk(96);
  });
  // After the services of the suite, whose hook is registered below and would find the file gone.
  const startService = servicesOfSuite();
  afterAll(async () => {
    await disk.unmount();
  });

  test("senders are told to try again, what was stored is read, and it goes on when there is space", async () => {
    const url = `sqlite:///${join(disk.path, "spanlight.db")}`;
    const service = await startService({ databaseUrl: url });
    const client = createHttpClient(service.url);
    const load = startLoad({ urls: [service.url] });
    for (let fills = 0; fills < 2; fills++) {
      await load.untilAcknowledged(300);
      await disk.leave(MEGABYTE / 2);
      await load.untilAnswered((since) => (since["503"] ?? 0) >= 100);
      const [alive, projects] = await Promise.all(["/healthz", "/v1/projects"].map((path) => client.get(path)));
      expect([alive!.status, projects!.status]).toEqual([200, 200]);
      const add = (attempt: number) =>
        client.post("/v1/projects", { json: { name: `while full ${fills}.${attempt}` } });
      // A small write may fit where a batch does not, and a checkpoint makes room in the log, until the load has filled it.
      let refused = await add(0);
      for (let attempt = 1; refused.status === 200 && attempt < 1000; attempt++) refused = await add(attempt);
      expect(refused.status).toBe(503);
      expect(refused.text).toBe("The disk that holds the database is full");
      await disk.free();
      await load.untilAcknowledged(300);
      expect((await client.post("/v1/projects", { json: { name: `with space ${fills}` } })).status).toBe(200);
    }
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    expect(Object.keys(load.answers()).sort()).toEqual(["200", "503"]);
    expect(service.log()).toContain("spans cannot be stored");
    expect(service.log()).toContain("The disk that holds the database is full");
    expect(service.log()).toContain("spans are stored again");
    expect(service.log()).not.toContain(" ERROR ");
    expect(await service.stop()).toBe(0);
    expect(await expectNothingLost({ url }, batches)).toBe(load.acknowledged());
  }, 60_000);

  test("kill -9 on a full disk loses nothing, and a start there says what is wrong or works", async () => {
    const url = `sqlite:///${join(disk.path, "killed.db")}`;
    const service = await startService({ databaseUrl: url });
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(300);
    await disk.leave(MEGABYTE / 2);
    await load.untilAnswered((since) => (since["503"] ?? 0) >= 20);
    await service.kill();
    const batches = await load.abandon();
    const full = await runCommand(["verify"], { env: { SERVICE_SQL_DATABASE_URL: url } });
    if (full.exitCode !== 0) expect(full.output.trim().split("\n").at(-1)).toMatch(/^error: .*full/);
    await disk.free();
    await expectNothingLost({ url }, batches);
  }, 60_000);
});
