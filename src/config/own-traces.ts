// Whether the service sends traces of its own, and where to. Names and defaults of the batches are those of OpenTelemetry.
import type { Environment } from "./environment.ts";
import {
  accepted,
  integer,
  positiveInteger,
  type Row,
  refused,
  type Setting,
  setting,
  type Values,
} from "./setting.ts";

/** `http://` or `https://` and a host. */
function collectorUrl(row: Row<string | null>): Setting<string | null> {
  return setting(row, "url", (value) => {
    const parsed = URL.parse(value);
    return parsed !== null && /^https?:$/.test(parsed.protocol)
      ? accepted(value)
      : refused(`The environment variable \`${row.name}\` must be a valid URL.`, "Begin it with http:// or https://.");
  });
}

const OTHER_SETTINGS =
  "What else the exporters of OpenTelemetry read is read too: `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_EXPORTER_OTLP_COMPRESSION`, `OTEL_EXPORTER_OTLP_CERTIFICATE`.";

export const ownTracesSettings = {
  httpEndpoint: collectorUrl({
    name: "SERVICE_SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_HTTP_ENDPOINT",
    default: null,
    meaning: `Where traces of the service itself are sent by OTLP over HTTP ([metrics.md](metrics.md#traces-of-the-service-itself)); without a path to \`/v1/traces\`. ${OTHER_SETTINGS}`,
  }),
  grpcEndpoint: collectorUrl({
    name: "SERVICE_SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_GRPC_ENDPOINT",
    default: null,
    meaning: "The same by OTLP over gRPC. With both, they are sent to both.",
  }),
  batchDelayMilliseconds: integer({
    name: "OTEL_BSP_SCHEDULE_DELAY",
    default: 5000,
    unit: "milliseconds",
    check: positiveInteger,
    meaning: "How long spans of the service itself are gathered before they are sent.",
  }),
  exportMilliseconds: integer({
    name: "OTEL_BSP_EXPORT_TIMEOUT",
    default: 30_000,
    unit: "milliseconds",
    check: positiveInteger,
    meaning: "How long sending a batch of them may take.",
  }),
  maxQueuedSpans: integer({
    name: "OTEL_BSP_MAX_QUEUE_SIZE",
    default: 2048,
    unit: "spans",
    check: positiveInteger,
    meaning: "How many of them may wait; further ones are dropped and counted.",
  }),
  maxBatchSpans: integer({
    name: "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    default: 512,
    unit: "spans",
    check: positiveInteger,
    meaning: "How many of them one request holds, at most as many as may wait.",
  }),
} as const;

export type OwnTracesConfig = Values<typeof ownTracesSettings>;

export function readOwnTraces(environment: Environment): OwnTracesConfig {
  const config = environment.readAll(ownTracesSettings);
  const { httpEndpoint } = config;
  return { ...config, httpEndpoint: httpEndpoint === null ? null : withTracesPath(httpEndpoint) };
}

function withTracesPath(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === "/") url.pathname = "/v1/traces";
  return url.href;
}
