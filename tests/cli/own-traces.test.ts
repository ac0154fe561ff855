// Traces of the service itself, sent to a second service over both protocols, to itself, and to each other.
import { expect, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { grpcClient } from "../support/grpc.ts";
import { createHttpClient } from "../support/http.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { plainSpan } from "../support/otlp-request.ts";
import { freePort } from "../support/ports.ts";
import { readScrape } from "../support/scrape.ts";
import { forEachProgram, type RunningService, type ServiceOptions, servicesOfSuite } from "../support/server.ts";
import { until } from "../support/until.ts";

const HTTP = "SERVICE_SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_HTTP_ENDPOINT";
const GRPC = "SERVICE_SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_GRPC_ENDPOINT";
/** Milliseconds between two batches. */
const DELAY = 100;
const SOON = { OTEL_BSP_SCHEDULE_DELAY: String(DELAY) };
const EXPORT = "opentelemetry.proto.collector.trace.v1.TraceService/Export";

type Doors = Pick<ServiceOptions, "port" | "grpcPort">;

interface StoredSpan {
  readonly name: string;
  readonly status_code: string;
  readonly parent_id: string | null;
  readonly context: { readonly trace_id: string };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The spans that a collector has of services; none before the first. */
async function ownSpans(collector: RunningService): Promise<StoredSpan[]> {
  const answer = await fetch(`${collector.url}/v1/projects/spanlight/spans?limit=1000`);
  if (answer.status === 404) return [];
  const { data } = (await answer.json()) as { readonly data: StoredSpan[] };
  return data;
}

async function untilSpan(collector: RunningService, name: string): Promise<StoredSpan> {
  const found: StoredSpan[] = [];
  await until(async () => {
    found.push(...(await ownSpans(collector)).filter((span) => span.name === name));
    return found.length > 0;
  });
  return found[0]!;
}

/** Figures of a service for Prometheus. */
async function sentSpans(port: number, protocol: string): Promise<number> {
  const scraped = readScrape(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  return scraped.value("spanlight_own_spans_sent_total", { protocol }) ?? 0;
}

async function exportOverHttp(service: RunningService, traceparent?: string): Promise<number> {
  const answer = await fetch(`${service.url}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf", ...(traceparent === undefined ? {} : { traceparent }) },
    body: encodeOtlp(otlpExport([plainSpan])),
  });
  return answer.status;
}

async function freeDoors() {
  return { port: await freePort(), grpcPort: await freePort() };
}

forEachDriver("traces of the service itself", (driver) => {
  const startService = servicesOfSuite();
  const start = async (env: Record<string, string>, doors: Doors = {}) =>
    startService({ ...doors, databaseUrl: await driver.createEmptyDatabase(), env: { ...SOON, ...env } });

  for (const protocol of ["http", "grpc"] as const) {
    test(`are stored by a second service over ${protocol}`, async () => {
      const collector = await startService({ databaseUrl: await driver.createEmptyDatabase() });
      const service = await start(
        protocol === "http" ? { [HTTP]: collector.url } : { [GRPC]: `http://127.0.0.1:${collector.grpcPort}` },
      );
      expect(await exportOverHttp(service)).toBe(200);
      const client = grpcClient(service.grpcPort);
      const { code } = await client.send(encodeOtlp(otlpExport([{ ...plainSpan, spanId: "1123456789abcdef" }])));
      expect(code).toBe(0);
      client.close();
      await createHttpClient(service.url).get("/v1/projects/a%20secret");

      const request = await untilSpan(collector, "POST /v1/traces");
      expect(request).toMatchObject({
        status_code: "UNSET",
        parent_id: null,
        attributes: {
          "http.request.method": "POST",
          "http.route": "/v1/traces",
          "http.response.status_code": 200,
        },
      });
      const call = await untilSpan(collector, EXPORT);
      expect(call.attributes).toMatchObject({
        "rpc.system": "grpc",
        "rpc.method": "Export",
        "rpc.grpc.status_code": 0,
      });
      const commit = await untilSpan(collector, "commit");
      expect(commit.attributes).toMatchObject({
        "db.system.name": driver.name === "sqlite" ? "sqlite" : "postgresql",
        "spanlight.commit.spans": 1,
      });
      const missing = await untilSpan(collector, "GET /v1/projects/{project_identifier}");
      expect(missing.attributes["http.response.status_code"]).toBe(404);
      const all = await ownSpans(collector);
      expect(JSON.stringify(all)).not.toContain("secret");
      expect(all.filter(({ name }) => name.includes("readyz"))).toEqual([]);
      expect(await service.stop()).toBe(0);
      expect(await collector.stop()).toBe(0);
    });
  }

  test("belong to the trace of the caller, and are none where the caller does not record", async () => {
    const collector = await startService({ databaseUrl: await driver.createEmptyDatabase() });
    const service = await start({ [HTTP]: `${collector.url}/v1/traces` });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const unrecorded = "5bf92f3577b34da6a3ce929d0e0e4736";
    expect(await exportOverHttp(service, `00-${unrecorded}-00f067aa0ba902b7-00`)).toBe(200);
    expect(await exportOverHttp(service, `00-${traceId}-00f067aa0ba902b7-01`)).toBe(200);
    const request = await untilSpan(collector, "POST /v1/traces");
    expect(request.context.trace_id).toBe(traceId);
    expect(request.parent_id).toBe("00f067aa0ba902b7");
    // What is left is sent before it ends.
    expect(await service.stop()).toBe(0);
    const names = (await ownSpans(collector)).map(({ name }) => name);
    expect(names.filter((name) => name === "POST /v1/traces").length).toBe(1);
    expect(names.filter((name) => name === "commit").length).toBe(1);
    expect(await collector.stop()).toBe(0);
  });

  for (const protocol of ["http", "grpc"] as const) {
    test(`end where services are collectors of themselves and of each other, over ${protocol}`, async () => {
      const ports = [await freePort(), await freePort(), await freePort()];
      const doors = [await freeDoors(), await freeDoors(), await freeDoors()];
      // The first is its own collector; the other two are each other's.
      const collectors = [0, 2, 1];
      const services = await Promise.all(
        ports.map((port, position) => {
          const collector = doors[collectors[position]!]!;
          return start(
            {
              SERVICE_ENABLE_PROMETHEUS: "true",
              SERVICE_PROMETHEUS_PORT: String(port),
              ...(protocol === "http"
                ? { [HTTP]: `http://127.0.0.1:${collector.port}` }
                : { [GRPC]: `http://127.0.0.1:${collector.grpcPort}` }),
            },
            doors[position],
          );
        }),
      );
      for (const service of services) expect(await exportOverHttp(service)).toBe(200);
      const sent = () => Promise.all(ports.map((port) => sentSpans(port, protocol)));
      // One for the request, one for its commit.
      await until(async () => (await sent()).every((spans) => spans >= 2));
      // A slow machine may still send the span of a job. Services that speak of what they send never fall silent for several batches.
      let before: number[] = [];
      await until(async () => {
        before = await sent();
        await Bun.sleep(10 * DELAY + 2000);
        return Bun.deepEquals(await sent(), before);
      });
      expect(before.every((spans) => spans < 10)).toBe(true);
      expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0, 0]);
    });
  }

  test("are dropped and counted while the collector is away, and sent again when it is back", async () => {
    const port = await freePort();
    const door = await freePort();
    const service = await start({
      [HTTP]: `http://127.0.0.1:${door}`,
      OTEL_BSP_MAX_QUEUE_SIZE: "5",
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "5",
      OTEL_EXPORTER_OTLP_TIMEOUT: "500",
      SERVICE_ENABLE_PROMETHEUS: "true",
      SERVICE_PROMETHEUS_PORT: String(port),
    });
    const client = createHttpClient(service.url);
    const dropped = async (reason: string) => {
      const scraped = readScrape(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
      return scraped.value("spanlight_own_spans_dropped_total", { protocol: "http", reason }) ?? 0;
    };
    await until(async () => {
      await Promise.all(Array.from({ length: 20 }, () => client.get("/v1/projects")));
      return (await dropped("queue")) > 0 && (await dropped("collector")) > 0;
    });
    expect(service.log()).toContain("the collector takes no traces of this service");
    const collector = await startService({ port: door, databaseUrl: await driver.createEmptyDatabase() });
    await until(async () => {
      await client.get("/v1/projects");
      return (await sentSpans(port, "http")) > 0;
    });
    expect(service.log()).toContain("the collector takes traces of this service again");
    expect(await service.stop()).toBe(0);
    expect(await collector.stop()).toBe(0);
  });
});

forEachProgram("traces of the service itself", (program) => {
  const startService = servicesOfSuite();

  test("are sent over both protocols at once", async () => {
    const collector = await startService({ databaseUrl: "sqlite:///:memory:" });
    const service = await startService({
      program,
      databaseUrl: "sqlite:///:memory:",
      env: { ...SOON, [HTTP]: collector.url, [GRPC]: `http://127.0.0.1:${collector.grpcPort}` },
    });
    await createHttpClient(service.url).get("/v1/projects");
    // The ids are the same: what came first is stored, the other is known by then.
    await untilSpan(collector, "GET /v1/projects");
    expect(await service.stop()).toBe(0);
    expect(service.log()).not.toContain("takes no traces");
    expect((await ownSpans(collector)).filter(({ name }) => name === "GET /v1/projects").length).toBe(1);
    expect(await collector.stop()).toBe(0);
  });
});
