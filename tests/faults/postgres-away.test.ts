// PostgreSQL goes away under ingest load and comes back: senders are asked to try again, nothing acknowledged is lost, and the
// service recovers by itself.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { grpcClient } from "../support/grpc.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { freePort } from "../support/ports.ts";
import { createDatabaseIn, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { ADMIN_SECRET, SECRET } from "../support/sign-in.ts";
import { expectNothingLost } from "../support/stored.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";

setDefaultTimeout(30_000);

/** Exports are held for 8 s. */
const HELD_FOR_MS = 1500;
/** From the stop to the next answer, so that nothing can have been held for longer; a loaded machine takes its time to start a database. */
const SHORT_STOP_MS = 7500;
const SHORT_STOPS = 5;

forEachDriver("PostgreSQL away", (driver) => {
  if (driver.name === "sqlite") return;
  const startService = servicesOfSuite();
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres({ durable: true });
  });
  afterAll(async () => {
    await cluster.dispose();
  });

  for (const how of ["fast", "immediate"] as const) {
    test(`${how} stop under load for longer than exports are held: 503 with Retry-After until it is back, then recovery without loss`, async () => {
      const { url } = await createDatabaseIn(cluster.url);
      const service = await startService({ databaseUrl: url });
      const client = createHttpClient(service.url);
      const load = startLoad({ urls: [service.url] });
      for (let outage = 0; outage < 2; outage++) {
        await load.untilAcknowledged(300);
        await cluster.stop(how);
        await load.untilAnswered((since) => (since["503"] ?? 0) >= 6);
        const [ready, alive, read] = await Promise.all(
          ["/readyz", "/healthz", "/v1/projects"].map((path) => client.get(path)),
        );
        expect([ready!.status, alive!.status, read!.status]).toEqual([503, 200, 503]);
        expect(read!.headers.get("retry-after")).toMatch(/^\d+$/);
        await cluster.start();
        await load.untilAcknowledged(300);
        expect((await client.get("/readyz")).status).toBe(200);
        expect((await client.get("/v1/projects")).status).toBe(200);
      }
      const batches = await load.finish();
      expect(load.complaints).toEqual([]);
      expect(Object.keys(load.answers()).sort()).toEqual(["200", "503"]);
      // Told when it went and when it came, not with every request.
      expect(service.log().match(/spans cannot be stored/g)?.length).toBeLessThanOrEqual(4);
      expect(service.log()).toContain("spans are stored again");
      expect(service.log()).not.toContain(" ERROR ");
      expect(await service.stop()).toBe(0);
      expect(await expectNothingLost({ url }, batches)).toBe(load.acknowledged());
    }, 60_000);
  }

  test("a stop that is shorter than exports are held: each is answered with 200", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const service = await startService({ databaseUrl: url });
    const load = startLoad({ urls: [service.url] });
    let [away, refused] = [Infinity, 0];
    for (let stop = 0; away > SHORT_STOP_MS && stop < SHORT_STOPS; stop++) {
      await load.untilAcknowledged(300);
      const before = load.answers()["503"] ?? 0;
      const began = performance.now();
      await cluster.stop("fast");
      await Bun.sleep(HELD_FOR_MS);
      await cluster.start();
      // The senders that were held, and some more.
      await load.untilAcknowledged(300);
      away = performance.now() - began;
      refused = (load.answers()["503"] ?? 0) - before;
    }
    expect(away).toBeLessThan(SHORT_STOP_MS);
    expect(refused).toBe(0);
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    expect(await service.stop()).toBe(0);
    expect(await expectNothingLost({ url }, batches)).toBe(load.acknowledged());
  }, 120_000);

  test("whoever stores something with a key is not refused for a short stop: exports by either transport, and a route", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const env = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: SECRET, SERVICE_ADMIN_SECRET: ADMIN_SECRET };
    const service = await startService({ databaseUrl: url, env });
    const admin = createHttpClient(service.url, { authorization: `Bearer ${ADMIN_SECRET}` });
    const made = await admin.post("/v1/system/api_keys", { json: { data: { name: "exporter" } } });
    // A key that was never used: who it belongs to is not known without the database.
    const authorization = `Bearer ${made.json<{ data: { key: string } }>().data.key}`;
    const client = createHttpClient(service.url, { authorization });
    const body = encodeOtlp(otlpExport([{ traceId: "a".repeat(32), spanId: "b".repeat(16), name: "held" }]));
    const grpc = grpcClient(service.grpcPort);
    let answered: (number | undefined)[] = [];
    // Like above: a stop that took longer than exports are held shows nothing.
    for (let stop = 0, away = Infinity; away > SHORT_STOP_MS && stop < SHORT_STOPS; stop++) {
      const began = performance.now();
      await cluster.stop("immediate");
      const called = grpc.send(body, { metadata: { authorization } });
      const answers = Promise.all([
        client.post("/v1/traces", { body, headers: { "content-type": "application/x-protobuf" } }),
        client.post("/v1/projects", { json: { name: `held ${stop}` } }),
      ]);
      const read = await client.get("/v1/projects");
      expect(read.status).toBe(503);
      await Bun.sleep(HELD_FOR_MS);
      await cluster.start();
      answered = [...(await answers).map(({ status }) => status), (await called).code];
      away = performance.now() - began;
    }
    expect(answered).toEqual([200, 200, 0]);
    grpc.close();
    expect(await service.stop()).toBe(0);
  }, 120_000);

  test("SIGTERM while it is away still ends the service", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const service = await startService({ databaseUrl: url });
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(100);
    await cluster.stop("immediate");
    await load.untilAnswered((since) => (since["503"] ?? 0) >= 3);
    await service.stop();
    const batches = await load.abandon();
    await cluster.start();
    await expectNothingLost({ url }, batches);
  }, 60_000);

  test("silence instead of answers: /readyz reports it, and SIGTERM still ends the service", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const proxy = await startTcpProxy({ host: "127.0.0.1", port: cluster.port });
    const proxied = new URL(url);
    proxied.port = String(proxy.port);
    const service = await startService({ databaseUrl: proxied.href });
    const client = createHttpClient(service.url);
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(100);
    proxy.fallSilent();
    const [ready, alive] = await Promise.all(["/readyz", "/healthz"].map((path) => client.get(path)));
    expect([ready!.status, alive!.status]).toEqual([503, 200]);
    await service.stop();
    const batches = await load.abandon();
    proxy.close();
    await expectNothingLost({ url }, batches);
  }, 60_000);

  test("a start while it is away is refused in one line", async () => {
    const nobody = `postgresql://spanlight@127.0.0.1:${await freePort()}/spanlight`;
    const { exitCode, output } = await runCommand(["serve"], { env: { SERVICE_SQL_DATABASE_URL: nobody } });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^error: The database is not available: .*\n$/);
  });
});
