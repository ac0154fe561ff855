// The figures for Prometheus on their own port, of a service that is a process of its own.
import { expect, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { freePort } from "../support/ports.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { until } from "../support/until.ts";

/** Values by name and labels, as they stand in the text. */
function valuesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

async function scrape(port: number): Promise<Map<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return valuesOf(await answer.text());
}

forEachDriver("metrics", (driver) => {
  const startService = servicesOfSuite();

  test("count what was answered and stored, and name no path that was asked for", async () => {
    const port = await freePort();
    const service = await startService({
      databaseUrl: await driver.createDatabase(),
      env: { SERVICE_ENABLE_PROMETHEUS: "true", SERVICE_PROMETHEUS_PORT: String(port) },
    });
    const fresh = await scrape(port);
    expect(fresh.get("spanlight_ingest_spans_stored_total")).toBe(0);
    expect(fresh.get("spanlight_database_up")).toBe(1);

    const load = startLoad({ urls: [service.url], senders: 2, spansPerRequest: 20, sharedTraces: 5, repeatEvery: 3 });
    await load.untilAcknowledged(200);
    const batches = await load.finish();
    const client = createHttpClient(service.url);
    expect((await client.get("/v1/projects/a%20secret")).status).toBe(404);
    expect((await client.get("/v1/projects/another")).status).toBe(404);
    expect((await client.get("/nowhere/at-all")).status).toBe(404);

    const values = await scrape(port);
    const stored = values.get("spanlight_ingest_spans_stored_total")!;
    expect(stored).toBeGreaterThanOrEqual(200);
    expect(values.get("spanlight_ingest_spans_duplicate_total")).toBeGreaterThan(0);
    expect(values.get("spanlight_ingest_spans_rejected_total")).toBe(0);
    const exports = values.get('spanlight_http_requests_total{method="POST",route="/v1/traces",status="200"}')!;
    expect(exports).toBeGreaterThanOrEqual(batches.length);
    expect(values.get('spanlight_http_request_seconds_count{kind="export"}')).toBe(exports);
    expect(
      values.get('spanlight_http_requests_total{method="GET",route="/v1/projects/{project_identifier}",status="404"}'),
    ).toBe(2);
    expect(values.get('spanlight_http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
    expect([...values.keys()].filter((name) => name.includes("secret") || name.includes("nowhere"))).toEqual([]);
    expect(values.get("spanlight_ingest_commit_seconds_count")).toBeGreaterThan(0);
    expect(values.get("spanlight_ingest_waiting_spans")).toBe(0);
    expect(values.get("spanlight_ingest_waiting_bytes")).toBe(0);
    expect(values.get("spanlight_database_bytes")).toBeGreaterThan(0);
    expect(values.get("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(values.has("spanlight_database_log_bytes")).toBe(driver.name === "sqlite");
    expect(values.has('spanlight_database_connections{pool="interactive",state="busy"}')).toBe(
      driver.name === "postgres",
    );
    // Sums of traces are settled behind the load.
    await until(async () => (await scrape(port)).get("spanlight_backlog_traces") === 0);
    expect(await service.stop()).toBe(0);
  });

  test("are not offered unless they are asked for, and a taken port is named with its setting", async () => {
    const service = await startService({ databaseUrl: await driver.createDatabase() });
    const { exitCode, output } = await runCommand(["serve"], {
      env: {
        SERVICE_SQL_DATABASE_URL: await driver.createDatabase(),
        SERVICE_PORT: String(await freePort()),
        SERVICE_GRPC_PORT: String(await freePort()),
        SERVICE_ENABLE_PROMETHEUS: "true",
        SERVICE_PROMETHEUS_PORT: String(service.port),
      },
    });
    expect(exitCode).toBe(1);
    expect(output).toContain("stop the other program or set SERVICE_PROMETHEUS_PORT");
  });
});
