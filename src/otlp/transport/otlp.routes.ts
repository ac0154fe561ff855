// OTLP over HTTP: protobuf and JSON, compressed or not, answered in the encoding of the request after
// the spans are durable.
import { announcedBytes, readBytes } from "../../api/body.ts";
import { type RouteModule, route } from "../../api/route.ts";
import type { ExportReceiver, ExportRequest } from "../../ingest/receiver.ts";
import { fail } from "../../kernel/failure.ts";
import { headerText } from "../../kernel/header-text.ts";
import { isUnsampled } from "../../kernel/traceparent.ts";
import type { RefuseMetrics } from "../decode/metrics.ts";
import type { LogsService } from "../logs/logs.service.ts";
import { shownLogs, shownMetrics, shownTraces } from "./otlp-examples.schema.ts";
import { encodeExportResponse, jsonExportResponse, type RejectedMember } from "./response.ts";

const PROTOBUF = "application/x-protobuf";
const JSON_TYPE = "application/json";

interface OtlpRoutesNeeds {
  readonly receiver: ExportReceiver;
  readonly logs: LogsService;
  /** Bytes of a body as sent. */
  readonly bodyLimit: number;
  readonly refuseMetrics: RefuseMetrics;
}

/** What the three signals do not share. */
interface Signal
  extends Pick<Parameters<typeof route>[0], "operationId" | "summary" | "description" | "shown" | "storageLocked"> {
  readonly path: `/v1/${"traces" | "logs" | "metrics"}`;
  /** The member of the answer in JSON that counts what was rejected. */
  readonly member: RejectedMember;
  readonly unavailable: string;
  readonly receive: (request: ExportRequest) => Promise<Rejection> | Rejection;
}

interface Rejection {
  readonly rejected: number;
  /** Why, for the sender; empty when nothing was rejected. */
  readonly message: string;
}

const DATABASE_AWAY = "Too much is waiting, or the database is away; `Retry-After` tells when to come back.";

/** Routes of the OTLP intake. */
export function otlpRoutes({ receiver, logs, bodyLimit, refuseMetrics }: OtlpRoutesNeeds): RouteModule {
  const exportRoute = ({ member, unavailable, receive, ...signal }: Signal) =>
    route({
      ...signal,
      method: "POST",
      action: "traces.ingest",
      status: 200,
      rawBody: [PROTOBUF, JSON_TYPE],
      errors: {
        unsupported: "Another media type or compression than those of OTLP.",
        invalid: "The body cannot be decoded.",
        unavailable,
      },
      handler: async ({ request }) => {
        const reservation = receiver.reserveBytes(announcedBytes(request, bodyLimit));
        try {
          const format = requireFormat(request.headers.get("content-type"));
          const { rejected, message } = await receive({
            body: await readBytes(request, bodyLimit, undefined, reservation.take),
            format,
            encoding: request.headers.get("content-encoding"),
            projectOverride: headerText(request.headers.get("x-project-name")),
            isUntraced: isUnsampled(request.headers.get("traceparent")),
          });
          return format === "json"
            ? new Response(jsonExportResponse(rejected, message, member), { headers: { "content-type": JSON_TYPE } })
            : new Response(encodeExportResponse(rejected, message), { headers: { "content-type": PROTOBUF } });
        } finally {
          reservation.release();
        }
      },
    });
  return {
    name: "otlp",
    routes: [
      exportRoute({
        path: "/v1/traces",
        operationId: "exportTraces",
        summary: "Take spans in the format of OpenTelemetry",
        storageLocked: true,
        description:
          "Answers when the spans are durable. Spans that cannot be stored are counted in the answer, the others are kept.",
        shown: shownTraces,
        unavailable: DATABASE_AWAY,
        member: "rejectedSpans",
        receive: async (request) => {
          const { rejectedSpans, message } = await receiver.receive(request);
          return { rejected: rejectedSpans, message };
        },
      }),
      exportRoute({
        path: "/v1/logs",
        operationId: "exportLogs",
        summary: "Take logs in the format of OpenTelemetry",
        storageLocked: true,
        description:
          "Messages of model calls are kept for their spans, events of coding agents become traces; the answer counts every other " +
          "record as rejected. Answers when what is kept is durable.",
        shown: shownLogs,
        unavailable: DATABASE_AWAY,
        member: "rejectedLogRecords",
        receive: async (request) => {
          const { rejectedRecords, message } = await logs.receiveLogs(request);
          return { rejected: rejectedRecords, message };
        },
      }),
      exportRoute({
        path: "/v1/metrics",
        operationId: "exportMetrics",
        summary: "Reject metrics in the format of OpenTelemetry",
        description: "Nothing is kept: the answer counts every data point as rejected, so that exporters do not fail.",
        shown: shownMetrics,
        unavailable: "Too much is waiting; `Retry-After` tells when to come back.",
        member: "rejectedDataPoints",
        receive: ({ body, format, encoding }) => {
          const { points, message } = refuseMetrics(body, format, encoding);
          return { rejected: points, message };
        },
      }),
    ],
  };
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
