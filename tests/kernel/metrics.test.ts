import { describe, expect, test } from "bun:test";
import { createMetrics } from "../../src/kernel/metrics.ts";

describe("metrics", () => {
  test("a counter without labels is there from the start and grows", () => {
    const metrics = createMetrics();
    const spans = metrics.counter("ingest_spans_total", "Spans stored");
    expect(metrics.text()).toBe(
      "# HELP ingest_spans_total Spans stored\n# TYPE ingest_spans_total counter\ningest_spans_total 0\n",
    );
    spans.add(3);
    spans.add(0.5);
    expect(metrics.text()).toContain("\ningest_spans_total 3.5\n");
  });

  test("a counter with labels keeps one number for each combination, in the declared order of labels", () => {
    const metrics = createMetrics();
    const refusals = metrics.counter("refusals_total", "Refused requests", ["transport", "reason"]);
    refusals.add(1, { transport: "http", reason: "too_large" });
    refusals.add(2, { reason: "too_large", transport: "http" });
    refusals.add(4, { transport: "grpc", reason: "busy" });
    expect(metrics.text().split("\n").slice(2, -1)).toEqual([
      'refusals_total{transport="http",reason="too_large"} 3',
      'refusals_total{transport="grpc",reason="busy"} 4',
    ]);
  });

  test("a counter never shrinks", () => {
    const counter = createMetrics().counter("a_total", "A");
    expect(() => counter.add(-1)).toThrow("a_total cannot grow by -1");
    expect(() => counter.add(Number.NaN)).toThrow();
  });

  test("a gauge has its last value, a measured one is asked for each text", () => {
    const metrics = createMetrics();
    const gauge = metrics.gauge("pending_bytes", "Waiting", ["queue"]);
    gauge.set(7, { queue: "ingest" });
    gauge.set(5, { queue: "ingest" });
    let size = 1;
    metrics.measuredGauge("database_bytes", "Size", () => size++);
    expect(metrics.text()).toContain('pending_bytes{queue="ingest"} 5\n');
    expect(metrics.text()).toContain("# TYPE database_bytes gauge\ndatabase_bytes 2\n");
  });

  test("a histogram counts everything up to each bound, the bound included", () => {
    const metrics = createMetrics();
    const seconds = metrics.histogram("commit_seconds", "Time of a commit", [0.01, 0.1, 1], ["database"]);
    for (const value of [0.001, 0.01, 0.05, 2]) seconds.observe(value, { database: "sqlite" });
    expect(metrics.text().split("\n").slice(1, -1)).toEqual([
      "# TYPE commit_seconds histogram",
      'commit_seconds_bucket{database="sqlite",le="0.01"} 2',
      'commit_seconds_bucket{database="sqlite",le="0.1"} 3',
      'commit_seconds_bucket{database="sqlite",le="1"} 3',
      'commit_seconds_bucket{database="sqlite",le="+Inf"} 4',
      'commit_seconds_sum{database="sqlite"} 2.061',
      'commit_seconds_count{database="sqlite"} 4',
    ]);
  });

  test("texts cannot break out of their line or their quotes", () => {
    const metrics = createMetrics();
    metrics.counter("a_total", "One\nline \\ only", ["name"]).add(1, { name: 'x"} 1\n\\' });
    expect(metrics.text()).toBe(
      '# HELP a_total One\\nline \\\\ only\n# TYPE a_total counter\na_total{name="x\\"} 1\\n\\\\"} 1\n',
    );
  });

  test("special numbers are written as Prometheus reads them", () => {
    const metrics = createMetrics();
    const gauge = metrics.gauge("a", "A", ["n"]);
    for (const value of [Infinity, -Infinity, Number.NaN, 1e21]) gauge.set(value, { n: String(value) });
    const values = metrics.text().trim().split("\n").slice(2);
    expect(values.map((line) => line.split(" ")[1])).toEqual(["+Inf", "-Inf", "NaN", "1e+21"]);
  });

  test("wrong declarations are refused by name", () => {
    const metrics = createMetrics();
    metrics.counter("a_total", "A");
    expect(() => metrics.gauge("a_total", "A again")).toThrow("a_total is declared twice");
    expect(() => metrics.counter("a-b", "A")).toThrow('"a-b" is not the name of a metric');
    expect(() => metrics.counter("b_total", "B", ["__name"])).toThrow('b_total cannot have a label "__name"');
    expect(() => metrics.histogram("c", "C", [1], ["le"])).toThrow('c cannot have a label "le"');
    expect(() => metrics.histogram("d", "D", [1, 1])).toThrow("The bounds of d do not grow");
  });
});
