// OTLP over HTTP: protobuf and JSON, compressed or not, answered in the encoding of the request after
// the spans are durable.
import { announcedBytes, readBytes } from "../../api/body.ts";
import { type RouteModule, route } from "../../api/route.ts";
import type { ExportReceiver } from "../../ingest/receiver.ts";
import { fail } from "../../kernel/failure.ts";
import { headerText } from "../../kernel/header-text.ts";
import { isUnsampled } from "../../kernel/traceparent.ts";
import type { RefuseMetrics } from "../decode/metrics.ts";
import type { LogsService } from "../logs/logs.service.ts";
import { shownLogs, shownMetrics, shownTraces } from "./otlp-examples.schema.ts";
import { encodeExportResponse, jsonExportResponse } from "./response.ts";

const PROTOBUF = "application/x-protobuf";
const JSON_TYPE = "application/json";

interface OtlpRoutesNeeds {
  readonly receiver: ExportReceiver;
  readonly logs: LogsService;
  /** Bytes of a body as sent. */
  readonly bodyLimit: number;
  readonly refuseMetrics: RefuseMetrics;
}

/** Routes of the OTLP intake. */
export function otlpRoutes({ receiver, logs, bodyLimit, refuseMetrics }: OtlpRoutesNeeds): RouteModule {
  return {
    name: "otlp",
    routes: [
      route({
        method: "POST",
        path: "/v1/traces",
        operationId: "exportTraces",
        summary: "Take spans in the format of OpenTelemetry",
        action: "traces.ingest",
        status: 200,
        storageLocked: true,
        description:
          "Answers when the spans are durable. Spans that cannot be stored are counted in the answer, the others are kept.",
        shown: shownTraces,
        rawBody: [PROTOBUF, JSON_TYPE],
        errors: {
          unsupported: "Another media type or compression than those of OTLP.",
          invalid: "The body cannot be decoded.",
          unavailable: "Too much is waiting, or the database is away; `Retry-After` tells when to come back.",
        },
        handler: async ({ request }) => {
          const reservation = receiver.reserveBytes(announcedBytes(request, bodyLimit));
          try {
            const format = requireFormat(request.headers.get("content-type"));
            const { rejectedSpans, message } = await receiver.receive({
              body: await readBytes(request, bodyLimit, undefined, reservation.take),
              format,
              encoding: request.headers.get("content-encoding"),
              projectOverride: headerText(request.headers.get("x-project-name")),
              isUntraced: isUnsampled(request.headers.get("traceparent")),
            });
            return format === "json"
              ? jsonAnswer(jsonExportResponse(rejectedSpans, message))
              : protobufAnswer(encodeExportResponse(rejectedSpans, message));
          } finally {
            reservation.release();
          }
        },
      }),
      route({
        method: "POST",
        path: "/v1/logs",
        operationId: "exportLogs",
        summary: "Take logs in the format of OpenTelemetry",
        action: "traces.ingest",
        status: 200,
        storageLocked: true,
        description:
          "Messages of model calls are kept for their spans, events of coding agents become traces; the answer counts every other " +
          "record as rejected. Answers when what is kept is durable.",
        shown: shownLogs,
        rawBody: [PROTOBUF, JSON_TYPE],
        errors: {
          unsupported: "Another media type or compression than those of OTLP.",
          invalid: "The body cannot be decoded.",
          unavailable: "Too much is waiting, or the database is away; `Retry-After` tells when to come back.",
        },
        handler: async ({ request }) => {
          const reservation = receiver.reserveBytes(announcedBytes(request, bodyLimit));
          try {
            const format = requireFormat(request.headers.get("content-type"));
            const { rejectedRecords, message } = await logs.receiveLogs({
              body: await readBytes(request, bodyLimit, undefined, reservation.take),
              format,
              encoding: request.headers.get("content-encoding"),
              projectOverride: headerText(request.headers.get("x-project-name")),
            });
            return format === "json"
              ? jsonAnswer(jsonExportResponse(rejectedRecords, message, "rejectedLogRecords"))
              : protobufAnswer(encodeExportResponse(rejectedRecords, message));
          } finally {
            reservation.release();
          }
        },
      }),
      route({
        method: "POST",
        path: "/v1/metrics",
        operationId: "exportMetrics",
        summary: "Reject metrics in the format of OpenTelemetry",
        action: "traces.ingest",
        status: 200,
        description: "Nothing is kept: the answer counts every data point as rejected, so that exporters do not fail.",
        shown: shownMetrics,
        rawBody: [PROTOBUF, JSON_TYPE],
        errors: {
          unsupported: "Another media type or compression than those of OTLP.",
          invalid: "The body cannot be decoded.",
          unavailable: "Too much is waiting; `Retry-After` tells when to come back.",
        },
        handler: async ({ request }) => {
          const reservation = receiver.reserveBytes(announcedBytes(request, bodyLimit));
          try {
            const format = requireFormat(request.headers.get("content-type"));
            const body = await readBytes(request, bodyLimit, undefined, reservation.take);
            const { points, message } = refuseMetrics(body, format, request.headers.get("content-encoding"));
            return format === "json"
              ? jsonAnswer(jsonExportResponse(points, message, "rejectedDataPoints"))
              : protobufAnswer(encodeExportResponse(points, message));
          } finally {
            reservation.release();
          }
        },
      }),
    ],
  };
}

function jsonAnswer(body: string): Response {
  return new Response(body, { headers: { "content-type": JSON_TYPE } });
}

function protobufAnswer(body: Uint8Array<ArrayBuffer>): Response {
  return new Response(body, { headers: { "content-type": PROTOBUF } });
}

/** Parameters of the media type are allowed, e.g. a charset. */
function requireFormat(contentType: string | null): "protobuf" | "json" {
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType === PROTOBUF) return "protobuf";
  if (mediaType === JSON_TYPE) return "json";
  throw fail(
    "otlp.unsupported_type",
    "unsupported",
    `Unsupported content type: ${contentType ?? "None"} (use ${PROTOBUF} or ${JSON_TYPE})`,
  );
}
