// A part of the running service is lost: one of its workers, a reader thread, a reader process.
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { childProcesses } from "../support/child-processes.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { expectNothingLost } from "../support/stored.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(30_000);

const REJECTING = join(import.meta.dir, "../support/rejecting-threads.ts");
const PRELOADED = join(import.meta.dir, "../support/breakable-workers.ts");

/** Variables with which SIGUSR2 breaks the workers whose file name contains `worker`. */
const breaking = (worker: string) => ({ BUN_OPTIONS: `--preload=${PRELOADED}`, SPANLIGHT_TEST_BREAKS: worker });

const faultsOf = (service: RunningService) =>
  service
    .log()
    .split("\n")
    .filter((line) => line.includes(" ERROR "));

forEachDriver("lost ingest worker", (driver) => {
  const startService = servicesOfSuite();

  test("the service says so in one line and ends with status 1, so that a supervisor starts it again", async () => {
    const database = { url: await driver.createDatabase() };
    const service = await startService({ databaseUrl: database.url, env: breaking("ingest-worker") });
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(200);
    process.kill(service.pid, "SIGUSR2");
    expect(await service.exited).toBe(1);
    const batches = await load.abandon();
    expect(faultsOf(service)).toHaveLength(1);
    expect(faultsOf(service)[0]).toContain("stopping: the ingest worker ended: TypeError");
    expect(load.complaints).toEqual([]);
    await expectNothingLost(database, batches);
  });
});

forEachDriver("lost decode worker", (driver) => {
  const startService = servicesOfSuite();

  test("is started again: its senders try again, nothing is lost, one line tells of it", async () => {
    const database = { url: await driver.createDatabase() };
    const service = await startService({ databaseUrl: database.url, env: breaking("decode-worker") });
    const load = startLoad({ urls: [service.url] });
    for (let broken = 0; broken < 3; broken++) {
      await load.untilAcknowledged(200);
      process.kill(service.pid, "SIGUSR2");
      // Whether a request was on its way at that moment is chance; that the worker ended is logged.
      await until(() => faultsOf(service).length === broken + 1);
    }
    await load.untilAcknowledged(200);
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    expect(faultsOf(service)).toHaveLength(3);
    expect(faultsOf(service)[0]).toMatch(/the decode worker ended and is started again.*TypeError/);
    expect(await service.stop()).toBe(0);
    expect(await expectNothingLost(database, batches)).toBe(load.acknowledged());
  });
});

forEachDriver("an unhandled rejection", (driver) => {
  const startService = servicesOfSuite();

  test("ends neither the service nor one of its threads; each is logged in one line", async () => {
    const database = { url: await driver.createDatabase() };
    const service = await startService({
      databaseUrl: database.url,
      env: { BUN_OPTIONS: `--preload=${REJECTING}`, SERVICE_LOGGING_LEVEL: "debug" },
    });
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(200);
    // The thread that reads bodies in bulk begins with the first of them, the one that summarises blocks with the first block. A thread
    // that is still loading has nothing yet that keeps it alive, and is not signalled.
    const bulk = await createHttpClient(service.url).post("/v1/projects/p/spans", { json: { data: [] } });
    expect(bulk.status).toBe(202);
    await until(() => service.log().includes("blocks of spans were summarised"), 80_000);
    const workers = ["ingest", "decode", "body", "block"].map((name) => `${name}-worker.ts`);
    const threads = ["the main thread", ...workers];
    const isTold = (thread: string) => service.log().includes(`Nobody waits in ${thread}`);
    await until(async () => {
      process.kill(service.pid, "SIGUSR2");
      await Bun.sleep(50);
      return threads.every(isTold);
    }, 80_000);
    await load.untilAcknowledged(200);
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    expect(faultsOf(service).every((line) => line.includes("without a handler; the service goes on"))).toBe(true);
    expect(await service.stop()).toBe(0);
    await expectNothingLost(database, batches);
  }, 120_000);
});

forEachDriver("lost body worker", (driver) => {
  const startService = servicesOfSuite();

  test("is started again: the next bodies are read, one line tells of it", async () => {
    const service = await startService({ databaseUrl: await driver.createDatabase(), env: breaking("body-worker") });
    const client = createHttpClient(service.url);
    const send = async () => (await client.post("/v1/projects/p/spans", { json: { data: [] } })).status;
    for (let broken = 0; broken < 2; broken++) {
      await until(async () => (await send()) === 202);
      process.kill(service.pid, "SIGUSR2");
      await until(() => faultsOf(service).length === broken + 1);
    }
    await until(async () => (await send()) === 202);
    expect(faultsOf(service)[0]).toMatch(/the body worker ended and is started again.*TypeError/);
    expect(await service.stop()).toBe(0);
  });
});

forEachDriver("lost reader", (driver) => {
  // PostgreSQL has no readers of ours.
  if (driver.name === "postgres") return;
  const startService = servicesOfSuite();

  test("a reader thread is replaced: the next reads are answered", async () => {
    const service = await startService({ databaseUrl: await driver.createDatabase(), env: breaking("reader-worker") });
    const client = createHttpClient(service.url);
    expect((await client.get("/v1/projects")).status).toBe(200);
    process.kill(service.pid, "SIGUSR2");
    for (let answered = 0; answered < 20; ) {
      const { status } = await client.get("/v1/projects");
      expect([200, 503]).toContain(status);
      answered = status === 200 ? answered + 1 : 0;
    }
    expect(await service.stop()).toBe(0);
  });

  test("a reader process that was killed is started again by the next slow read", async () => {
    const service = await startService({ databaseUrl: await driver.createDatabase() });
    const client = createHttpClient(service.url);
    const slowRead = () => client.get("/v1/projects", { query: { name_contains: "x" } });
    for (let killed = 0; killed < 5; killed++) {
      expect((await slowRead()).status).toBe(200);
      const readers = await childProcesses(service.pid);
      expect(readers.length).toBeGreaterThan(0);
      for (const reader of readers) process.kill(reader, "SIGKILL");
      // The one that runs into the kill is asked to come again; it does not hang.
      expect([200, 503]).toContain((await slowRead()).status);
    }
    expect((await slowRead()).status).toBe(200);
    expect(service.log()).not.toContain(" ERROR ");
    expect(await service.stop()).toBe(0);
  });
});
