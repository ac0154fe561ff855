// OTLP over gRPC: one unary method for spans, one for logs, and one that rejects metrics. Requests are judged on their metadata before a byte of the body is
// read, and answered after their spans are durable.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceDefinition,
  setLogger,
} from "@grpc/grpc-js";
import { requireAllowed } from "../../access/policy.ts";
import type { Principal } from "../../access/principal.ts";
import type { TlsIdentity } from "../../config/tls.ts";
import type { ExportReceiver, ExportRequest } from "../../ingest/receiver.ts";
import type { ByteReservation } from "../../kernel/byte-budget.ts";
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import type { Logger } from "../../kernel/logger.ts";
import { isUnsampled } from "../../kernel/traceparent.ts";
import { createMetricsRefusal } from "../decode/metrics.ts";
import type { LogsService } from "../logs/logs.service.ts";
import { encodingOf, keepMessagesPacked } from "./grpc-encoding.ts";
import { collectMessages } from "./grpc-messages.ts";
import { statusOfFailure } from "./grpc-status.ts";
import { encodeExportResponse } from "./response.ts";

const LOGS_PATH = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
const METRICS_PATH = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
const EXPORT_PATH = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
/** Milliseconds that running calls get when the server stops. */
const DRAIN_MS = 5000;
/** Calls that one connection may run at once; further ones wait at the client. */
const CALLS_PER_CONNECTION = 256;

export interface AnsweredExport {
  readonly signal: "traces" | "logs" | "metrics";
  readonly code: number;
  readonly milliseconds: number;
  /** The metadata of this name, as it was sent. */
  readonly traceparent: string | null;
}

export interface GrpcServerOptions {
  /** As SERVICE_HOST; `::` takes IPv4 and IPv6. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly tls: TlsIdentity | null;
  readonly receiver: ExportReceiver;
  readonly logs: LogsService;
  /** Who asks, from the first `authorization` value of the call's metadata. */
  readonly resolvePrincipal: (authorization: string | null) => Principal | Promise<Principal>;
  /** The refusal (kind `locked`) while the database is fuller than the operator allows, else null. */
  readonly storageLock: () => Failure | null;
  /** Bytes of a message at most, as sent; the receiver bounds what it unpacks. */
  readonly maxMessageBytes: number;
  readonly log: Logger;
  /** Called for every answer: the signal that was exported, the code of gRPC, and what the call took. */
  readonly onAnswer?: (answered: AnsweredExport) => void;
  readonly drainMs?: number;
}

export interface GrpcServer {
  readonly port: number;
  /** Takes no new call, lets running ones finish for five seconds, then cuts the rest. */
  stop(): Promise<void>;
}

/** Listens for exports. Fails with `otlp.grpc_port_taken` (conflict) or `otlp.grpc_not_listening` (unavailable). */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const log = options.log.named("grpc");
  const reservations: MessageReservations = new WeakMap();
  // The library prints these by itself; our failures and statuses already report them.
  setLogger({ error: (text) => log.debug(String(text)) });
  const server = new Server({
    "grpc.max_receive_message_length": options.maxMessageBytes,
    "grpc.max_concurrent_streams": CALLS_PER_CONNECTION,
    interceptors: [judgeBeforeReading(options, reservations, log)],
  });
  server.addService(traceService, { export: exportHandler(exportSpans(options.receiver), reservations, log) });
  server.addService(logsService, { export: exportHandler(exportLogs(options.logs), reservations, log) });
  server.addService(metricsService, { export: metricsHandler(reservations, log) });
  const port = await listen(server, options);
  return { port, stop: () => stop(server, options.drainMs ?? DRAIN_MS) };
}

// Messages stay bytes: the receiver decodes them, in another thread.
const bytes = (message: Buffer): Buffer => message;
const unaryExport = (path: string): ServiceDefinition => ({
  export: {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
});
const traceService = unaryExport(EXPORT_PATH);
const logsService = unaryExport(LOGS_PATH);
const metricsService = unaryExport(METRICS_PATH);

/** The names of the method of a signal. */
export function exportMethodOf(signal: AnsweredExport["signal"]): {
  readonly service: string;
  readonly method: string;
} {
  const path = { traces: EXPORT_PATH, logs: LOGS_PATH, metrics: METRICS_PATH }[signal];
  const [, service = "", method = ""] = path.split("/");
  return { service, method };
}

const SIGNALS: Readonly<Record<string, AnsweredExport["signal"]>> = {
  [EXPORT_PATH]: "traces",
  [LOGS_PATH]: "logs",
  [METRICS_PATH]: "metrics",
};

/** The reservation of each message that has arrived and is not stored yet. */
type MessageReservations = WeakMap<Uint8Array, ByteReservation>;

/** Runs for every call: caller, storage lock, capacity, in this order; a refused call is answered without its body. */
function judgeBeforeReading(
  options: GrpcServerOptions,
  reservations: MessageReservations,
  log: Logger,
): ServerInterceptor {
  return ({ path }, call) => {
    keepMessagesPacked(call);
    let reading: ByteReservation | null = null;
    const began = performance.now();
    let traceparent: string | null = null;
    const answered = (code: number) => {
      const signal = SIGNALS[path];
      if (signal === undefined) return;
      options.onAnswer?.({ signal, code, milliseconds: performance.now() - began, traceparent });
    };
    const refuseCall = (error: unknown) => {
      const status = refuse(error, log);
      answered(status.code);
      call.sendStatus(status);
    };
    return new ServerInterceptingCall(call, {
      sendStatus(status, next) {
        answered(status.code ?? 0);
        next(status);
      },
      start(next) {
        next({
          async onReceiveMetadata(metadata, read) {
            traceparent = metadata.get("traceparent")[0]?.toString() ?? null;
            try {
              const authorization = metadata.get("authorization")[0];
              requireAllowed(await options.resolvePrincipal(authorization?.toString() ?? null), "traces.ingest");
              const lock = options.storageLock();
              if (lock !== null) throw lock;
              const reservation = options.receiver.reserveBytes(0);
              reading = reservation;
              collectMessages(call, options.maxMessageBytes, reservation, refuseCall);
            } catch (error) {
              refuseCall(error);
              return;
            }
            read(metadata);
          },
          onReceiveMessage(message, handOn) {
            if (reading !== null) reservations.set(message, reading);
            reading = null;
            handOn(message);
          },
          onCancel() {
            reading?.release();
          },
        });
      },
    });
  };
}

interface Answered {
  readonly rejected: number;
  readonly message: string;
}

type Receive = (request: ExportRequest) => Promise<Answered>;

const exportSpans =
  ({ receive }: ExportReceiver): Receive =>
  async (request) => {
    const { rejectedSpans: rejected, message } = await receive(request);
    return { rejected, message };
  };

const exportLogs =
  ({ receiveLogs }: LogsService): Receive =>
  async (request) => {
    const { rejectedRecords: rejected, message } = await receiveLogs(request);
    return { rejected, message };
  };

function exportHandler(
  receive: Receive,
  reservations: MessageReservations,
  log: Logger,
): handleUnaryCall<Buffer, Buffer> {
  return async (call, answer) => {
    // The client may be gone: what arrived whole is stored, and the answer of a closed call is dropped.
    try {
      const { rejected, message } = await receive({
        body: call.request,
        format: "protobuf",
        encoding: encodingOf(call.request),
        projectOverride: null,
        isUntraced: isUnsampled(call.metadata.get("traceparent")[0]?.toString()),
      });
      answer(null, Buffer.from(encodeExportResponse(rejected, message)));
    } catch (error) {
      answer(refuse(error, log));
    } finally {
      reservations.get(call.request)?.release();
    }
  };
}

function metricsHandler(reservations: MessageReservations, log: Logger): handleUnaryCall<Buffer, Buffer> {
  const refuseMetrics = createMetricsRefusal(log);
  return (call, answer) => {
    try {
      const { points, message } = refuseMetrics(call.request, "protobuf", encodingOf(call.request));
      answer(null, Buffer.from(encodeExportResponse(points, message)));
    } catch (error) {
      answer(refuse(error, log));
    } finally {
      reservations.get(call.request)?.release();
    }
  };
}

function refuse(error: unknown, log: Logger) {
  const requestId = crypto.randomUUID();
  if (!(error instanceof Failure) || error.kind === "internal") {
    log.error(error instanceof Error ? (error.stack ?? error.message) : messageOf(error), { request_id: requestId });
  }
  return statusOfFailure(error, requestId);
}

async function listen(server: Server, { host, port, tls }: GrpcServerOptions): Promise<number> {
  const name = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  try {
    // One address: the library would be content with the second one of a name when the first is taken.
    const address = isIP(host) !== 0 ? host : (await lookup(host)).address;
    const credentials = credentialsOf(tls);
    return await new Promise<number>((resolve, reject) => {
      server.bindAsync(`${address.includes(":") ? `[${address}]` : address}:${port}`, credentials, (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
  } catch (cause) {
    server.forceShutdown();
    if (messageOf(cause).includes("EADDRINUSE")) {
      throw fail("otlp.grpc_port_taken", "conflict", `The gRPC port ${name} is taken: set SERVICE_GRPC_PORT`, {
        cause,
      });
    }
    throw fail("otlp.grpc_not_listening", "unavailable", `Cannot listen for gRPC on ${name}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function credentialsOf(tls: TlsIdentity | null): ServerCredentials {
  if (tls === null) return ServerCredentials.createInsecure();
  const authorities = tls.clientAuthorities === null ? null : Buffer.from(tls.clientAuthorities);
  const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) };
  return ServerCredentials.createSsl(authorities, [pair], authorities !== null);
}

async function stop(server: Server, drainMs: number): Promise<void> {
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, drainMs);
  server.tryShutdown(() => resolve());
  await drained;
  clearTimeout(timer);
  server.forceShutdown();
}
