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
const FULL = "The disk that holds the database is full: nothing is added";

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
      // A small write fits where a batch does not: into what the log has left, or into the reserve.
      const added = await client.post("/v1/projects", { json: { name: `while full ${fills}` } });
      if (added.status !== 200) {
        expect([added.status, added.text]).toEqual([503, "The disk that holds the database is full"]);
      }
      const ready = await client.get("/readyz");
      expect([ready.status, ready.json()]).toEqual([200, { note: FULL }]);
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

  test("a start on it is ready for reading and deleting, and says that nothing is added", async () => {
    const url = `sqlite:///${join(disk.path, "started.db")}`;
    const before = await startService({ databaseUrl: url });
    const load = startLoad({ urls: [before.url] });
    await load.untilAcknowledged(2_000);
    await load.finish();
    expect(await before.stop()).toBe(0);
    // The log went with the stop: nothing is left of the space that the file had.
    await disk.leave(0);
    const service = await startService({ databaseUrl: url });
    const client = createHttpClient(service.url);
    const ready = await client.get("/readyz");
    expect([ready.status, ready.json()]).toEqual([200, { note: FULL }]);
    const listed = await client.get("/v1/projects/default/spans?limit=1");
    expect(listed.json<{ data: unknown[] }>().data).toHaveLength(1);
    const more = startLoad({ urls: [service.url] });
    await more.untilAnswered((since) => (since["503"] ?? 0) >= 20);
    expect(more.acknowledged()).toBe(0);
    const found = (await client.get("/v1/projects/default/traces?limit=100")).json<{ data: { trace_id: string }[] }>();
    expect(found.data.length).toBeGreaterThan(0);
    for (const { trace_id } of found.data) {
      const deleted = await client.delete(`/v1/traces/${trace_id}`);
      expect(deleted.status, deleted.text).toBe(204);
    }
    await disk.free();
    await more.untilAcknowledged(300);
    await more.finish();
    expect((await client.get("/readyz")).text).toBe("{}");
    expect(service.log()).not.toContain(" ERROR ");
    expect(await service.stop()).toBe(0);
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
