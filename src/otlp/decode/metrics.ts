// Metrics are not kept. The answer reports it with the number of data points, instead of failing with each export.
import { requireFewParts } from "../../api/body.ts";
import { isJsonObject, type Json } from "../../kernel/json.ts";
import type { Logger } from "../../kernel/logger.ts";
import { undecodable } from "../decoded/decoded.ts";
import { inflate } from "./compression.ts";
import { ProtobufReader } from "./protobuf.ts";

/** Bytes of an export once unpacked: it is read on the thread that answers. */
const MOST_BYTES = 16 * 1024 * 1024;

// Tags: field number × 8 + 2, length and bytes.
const RESOURCE_METRICS = 10;
const SCOPE_METRICS = 18;
const METRIC = 18;
const DATA_POINT = 10;
/** gauge, sum, histogram, exponential histogram, summary. */
const KINDS_OF_DATA = new Set([42, 58, 74, 82, 90]);
const NAMES_OF_DATA = ["gauge", "sum", "histogram", "exponentialHistogram", "summary"];

interface MetricsRefusal {
  /** At least 1, so that the answer is never that of a full success. */
  readonly points: number;
  readonly message: string;
}

/** Refuses the metrics of an export. Fails as decoding spans does: with kind `invalid`, `unsupported` or `too_large`. */
export type RefuseMetrics = (body: Uint8Array, format: "protobuf" | "json", encoding: string | null) => MetricsRefusal;

/** Says it in the log the first time. */
export function createMetricsRefusal(log: Logger): RefuseMetrics {
  let isLogged = false;
  return (packed, format, encoding) => {
    const body = inflate(packed, encoding, MOST_BYTES);
    const points = format === "json" ? pointsInJson(body) : pointsInProtobuf(body);
    if (!isLogged)
      log.info(
        "Metrics are sent to this service, which keeps none: they are rejected, further ones without a line here",
      );
    isLogged = true;
    return { points: Math.max(points, 1), message: "This service keeps traces, not metrics" };
  };
}

function pointsInProtobuf(bytes: Uint8Array): number {
  const reader = new ProtobufReader(bytes);
  const metrics = (metric: number) =>
    within(reader, metric, (data) => countOf(reader, data, DATA_POINT), KINDS_OF_DATA);
  const scopes = (scope: number) => within(reader, scope, metrics, new Set([METRIC]));
  const resources = (resource: number) => within(reader, resource, scopes, new Set([SCOPE_METRICS]));
  return within(reader, bytes.length, resources, new Set([RESOURCE_METRICS]));
}

/** The sum over the embedded messages with one of the tags, up to `end`. */
function within(
  reader: ProtobufReader,
  end: number,
  count: (end: number) => number,
  tags: ReadonlySet<number>,
): number {
  let sum = 0;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tags.has(tag)) sum += count(reader.messageEnd());
    else reader.skip(tag);
  }
  reader.finish(end);
  return sum;
}

function countOf(reader: ProtobufReader, end: number, wanted: number): number {
  let count = 0;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === wanted) count += 1;
    reader.skip(tag);
  }
  reader.finish(end);
  return count;
}

function pointsInJson(bytes: Uint8Array): number {
  requireFewParts(bytes);
  let request: Json;
  try {
    request = JSON.parse(Buffer.from(bytes).toString("utf8")) as Json;
  } catch (error) {
    throw undecodable("it is no JSON", error);
  }
  if (!isJsonObject(request)) throw undecodable("it is no object");
  const metrics = objectsAt(objectsAt(objectsAt([request], "resourceMetrics"), "scopeMetrics"), "metrics");
  return NAMES_OF_DATA.flatMap((name) =>
    metrics.map((metric) => {
      const data = metric[name];
      return isJsonObject(data) && Array.isArray(data.dataPoints) ? data.dataPoints.length : 0;
    }),
  ).reduce((sum, points) => sum + points, 0);
}

function objectsAt(objects: readonly Record<string, Json>[], member: string) {
  return objects.flatMap((each) => (Array.isArray(each[member]) ? each[member].filter(isJsonObject) : []));
}
