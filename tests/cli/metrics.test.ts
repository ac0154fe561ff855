// The figures for Prometheus on their own port, of a service that is a process of its own.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { freePort } from "../support/ports.ts";
import {
  everyMetric,
  FOREIGN_METRICS,
  labelsOf,
  readScrape,
  type Scrape,
  sendPlainSpan,
  startMeasured,
} from "../support/scrape.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { until } from "../support/until.ts";

async function scrape(port: number): Promise<Scrape> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return readScrape(await answer.text());
}

/** Labels by the name of the metric, as docs/metrics.md lists them: names in the first column, labels in the second. */
async function documentedMetrics(): Promise<Map<string, string[]>> {
  const text = await Bun.file("docs/metrics.md").text();
  const quoted = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!);
  const rows = text.split("\n").filter((line) => /^\| `(spanlight|process)_/.test(line));
  return new Map(
    rows.flatMap((row) => {
      const [, names = "", labels = ""] = row.split("|");
      // In brackets are values.
      return quoted(names).map((name) => [name, quoted(labels.replace(/\(.*?\)/g, "")).sort()] as const);
    }),
  );
}

/** The jobs of the table in docs/metrics.md. */
async function documentedJobs(): Promise<string[]> {
  const text = await Bun.file("docs/metrics.md").text();
  const [, table = ""] = /\| task \| runs \|\n(.*?)\n\n/s.exec(text) ?? [];
  return table.split("\n").flatMap((row) => Array.from(row.split("|")[1]!.matchAll(/`([^`]+)`/g), ([, name]) => name!));
}

test("docs/metrics.md says of every job when it runs", async () => {
  const documented = await documentedJobs();
  const sources = [...new Bun.Glob("src/{jobs,modules,otlp,server}/**/*.ts").scanSync()].map((file) =>
    readFileSync(file, "utf8"),
  );
  // A name stands in an object with `changes`, or is the first argument of what makes such an object.
  const named = sources.flatMap((text) =>
    Array.from(
      text.matchAll(
        /\bname: "([a-z-]+)",(?:\s*\/\/[^\n]*)?\s*changes: (?:true|false),\s*(?:\/\/[^\n]*\s*)*everyMilliseconds|ensuringJob\("([a-z-]+)"/g,
      ),
      ([, plain, ensured]) => plain ?? ensured!,
    ),
  );
  expect([...documented].sort()).toEqual([...new Set([...named, "kept-annotations", "kept-messages"])].sort());
});

forEachDriver("metrics", (driver) => {
  const startService = servicesOfSuite();

  test("count what was answered and stored, and name no path that was asked for", async () => {
    const { port, service } = await startMeasured(startService, await driver.createEmptyDatabase());
    const fresh = await scrape(port);
    expect(fresh.value("spanlight_ingest_spans_stored_total")).toBe(0);
    expect(fresh.value("spanlight_database_up")).toBe(1);

    const load = startLoad({ urls: [service.url], senders: 2, spansPerRequest: 20, sharedTraces: 5, repeatEvery: 3 });
    await load.untilAcknowledged(200);
    const batches = await load.finish();
    const client = createHttpClient(service.url);
    expect((await client.get("/v1/projects/a%20secret")).status).toBe(404);
    expect((await client.get("/v1/projects/another")).status).toBe(404);
    expect((await client.get("/nowhere/at-all")).status).toBe(404);

    const values = await scrape(port);
    const stored = values.value("spanlight_ingest_spans_stored_total")!;
    expect(stored).toBeGreaterThanOrEqual(200);
    expect(values.value("spanlight_ingest_spans_duplicate_total")).toBeGreaterThan(0);
    expect(values.value("spanlight_ingest_spans_rejected_total")).toBe(0);
    const exports = values.value("spanlight_http_requests_total", {
      method: "POST",
      route: "/v1/traces",
      status: "200",
    })!;
    expect(exports).toBeGreaterThanOrEqual(batches.length);
    expect(values.value("spanlight_http_request_seconds_count", { kind: "export" })).toBe(exports);
    expect(
      values.value("spanlight_http_requests_total", {
        method: "GET",
        route: "/v1/projects/{project_identifier}",
        status: "404",
      }),
    ).toBe(2);
    expect(values.value("spanlight_http_requests_total", { method: "GET", route: "none", status: "404" })).toBe(1);
    expect(values.samples.filter(({ labels }) => /secret|nowhere/.test(Object.values(labels).join(" ")))).toEqual([]);
    expect(values.value("spanlight_ingest_commit_seconds_count")).toBeGreaterThan(0);
    expect(values.value("spanlight_ingest_waiting_spans")).toBe(0);
    expect(values.value("spanlight_ingest_waiting_bytes")).toBe(0);
    expect(values.value("spanlight_database_bytes")).toBeGreaterThan(0);
    expect(values.value("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(values.types.has("spanlight_database_log_bytes")).toBe(driver.name === "sqlite");
    expect(values.types.has("spanlight_database_connections")).toBe(driver.name === "postgres");
    // Sums of traces are settled behind the load.
    await until(async () => (await scrape(port)).value("spanlight_backlog_traces") === 0);
    expect(await service.stop()).toBe(0);
  });

  test("are those that docs/metrics.md lists, with their labels", async () => {
    const { port, service } = await startMeasured(startService, await driver.createEmptyDatabase(), everyMetric);
    await createHttpClient(service.url).get("/v1/projects");
    await sendPlainSpan(service);
    const documented = await documentedMetrics();
    documented.delete(FOREIGN_METRICS[driver.name]);
    // No provider was called: tests/providers/guarded-fetch.test.ts has the labels.
    for (const name of documented.keys()) if (name.startsWith("spanlight_provider_")) documented.set(name, []);
    await until(async () => labelsOf(await scrape(port)).get("spanlight_job_seconds")?.length === 1);
    const found = labelsOf(await scrape(port));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(documented));
    expect(await service.stop()).toBe(0);
  });

  test("count runs of jobs and refused sign-ins", async () => {
    const { port, service } = await startMeasured(startService, await driver.createEmptyDatabase(), {
      SERVICE_ENABLE_AUTH: "true",
      SERVICE_SECRET: "a-secret-of-32-characters-and-1-digit",
    });
    const refused = async (by: string) => (await scrape(port)).value("spanlight_sign_ins_refused_total", { by });
    expect(await refused("password")).toBe(0);
    const signIn = () =>
      fetch(`${service.url}/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "nobody@example.org", password: "wrong" }),
      });
    expect((await signIn()).status).toBe(401);
    expect(await refused("password")).toBe(1);
    expect(await refused("rate")).toBe(0);
    await until(async () => (await signIn()).status === 429);
    const { locked, rate } = { locked: await refused("locked"), rate: await refused("rate") };
    expect(locked! + rate!).toBe(1);
    const beganAt = Date.now() / 1000 - 60;
    for (const task of ["kept-annotations", "kept-messages", "left-uploads", "retention", "blocks"]) {
      await until(async () => (await scrape(port)).value("spanlight_job_seconds_count", { task }) !== undefined);
      const values = await scrape(port);
      expect(values.value("spanlight_job_failures_total", { task })).toBe(0);
      expect(values.value("spanlight_job_last_run_timestamp_seconds", { task })).toBeGreaterThan(beganAt);
    }
    expect(await service.stop()).toBe(0);
  });

  test("are not offered unless they are asked for, and a taken port is named with its setting", async () => {
    const service = await startService({ databaseUrl: await driver.createEmptyDatabase() });
    const { exitCode, output } = await runCommand(["serve"], {
      env: {
        SERVICE_SQL_DATABASE_URL: await driver.createEmptyDatabase(),
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
