// What the port for Prometheus answers, read as Prometheus reads it.
import { expect } from "bun:test";
import { grpcClient } from "./grpc.ts";
import { encodeOtlp, otlpExport } from "./otlp-encode.ts";
import { plainSpan } from "./otlp-request.ts";
import { freePort } from "./ports.ts";
import type { RunningService, servicesOfSuite } from "./server.ts";

interface Sample {
  /** As it stands in the text, with `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  /** The declared metrics with their types, in their order. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
  /** Of the sample with exactly these labels; undefined without one. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

export function readScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    const [, keyword, name = "", type = ""] = /^# (TYPE|HELP) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === "TYPE") {
      if (types.has(name)) throw new Error(`${name} is declared twice`);
      types.set(name, type);
    }
    if (line === "" || line.startsWith("#")) continue;
    const sample = SAMPLE.exec(line);
    if (sample === null) throw new Error(`This is no line of the format: ${line}`);
    const labels = Object.fromEntries(
      Array.from((sample[2] ?? "").matchAll(LABEL), ([, label, value]) => [label, value]),
    );
    samples.push({ name: sample[1]!, labels, value: sample[3] === "+Inf" ? Infinity : Number(sample[3]) });
  }
  return {
    types,
    samples,
    value: (name, labels = {}) =>
      samples.find((sample) => sample.name === name && Bun.deepEquals(sample.labels, labels))?.value,
  };
}

/** Of each metric, the labels of its samples; without `le` of histograms. */
export function labelsOf({ types, samples }: Scrape): Map<string, string[]> {
  return new Map(
    Array.from(types, ([metric, type]) => {
      const names = type === "histogram" ? [`${metric}_bucket`, `${metric}_sum`, `${metric}_count`] : [metric];
      const own = samples.filter(({ name }) => names.includes(name)).flatMap(({ labels }) => Object.keys(labels));
      return [metric, [...new Set(own)].filter((label) => label !== "le").sort()] as const;
    }),
  );
}

/** What only services on the other database say. */
export const FOREIGN_METRICS = {
  sqlite: "spanlight_database_connections",
  postgres: "spanlight_database_log_bytes",
} as const;

/** With these there is every metric of a service. */
export const everyMetric = {
  SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: "1",
  // Nothing listens there.
  SERVICE_SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_HTTP_ENDPOINT: "http://127.0.0.1:9",
} as const;

/** A service whose metrics are asked for at `port`. */
export async function startMeasured(start: ReturnType<typeof servicesOfSuite>, databaseUrl: string, env = {}) {
  const port = await freePort();
  const prometheus = { SERVICE_ENABLE_PROMETHEUS: "true", SERVICE_PROMETHEUS_PORT: String(port) };
  return { port, service: await start({ databaseUrl, env: { ...prometheus, ...env } }) };
}

/** One span over gRPC, which is taken. */
export async function sendPlainSpan({ grpcPort }: Pick<RunningService, "grpcPort">): Promise<void> {
  const client = grpcClient(grpcPort);
  expect((await client.send(encodeOtlp(otlpExport([plainSpan])))).code).toBe(0);
  client.close();
}
