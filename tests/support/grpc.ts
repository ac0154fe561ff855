// The gRPC server over a receiver that a test makes up, and a bare client that sends any bytes to any method.
import {
  type ChannelCredentials,
  Client,
  credentials as clientCredentials,
  Metadata,
  type ServiceError,
} from "@grpc/grpc-js";
import { openPrincipal } from "../../src/access/principal.ts";
import type { ExportReceiver, ExportRequest } from "../../src/ingest/receiver.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { type GrpcServer, type GrpcServerOptions, startGrpcServer } from "../../src/otlp/transport/grpc.ts";

export const EXPORT_METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
export type Packing = "none" | "deflate" | "gzip";
const PACKINGS: readonly Packing[] = ["none", "deflate", "gzip"];

export interface RecordingReceiver extends ExportReceiver {
  readonly requests: ExportRequest[];
}

/** Accepts everything by default, and keeps what it received. */
export function recordingReceiver(given: Partial<ExportReceiver> = {}): RecordingReceiver {
  const requests: ExportRequest[] = [];
  return {
    requests,
    requireCapacity: () => {},
    decodeLogs:
      given.decodeLogs ??
      (async () => ({ spans: [], wanted: [], messages: [], rejections: { count: 0, message: "" } })),
    storeSpans: async () => ({ rejections: [] }),
    reserveBytes: given.reserveBytes ?? (() => ({ announce() {}, take() {}, release() {} })),
    receive(request) {
      requests.push(request);
      return given.receive?.(request) ?? Promise.resolve({ rejectedSpans: 0, message: "" });
    },
  };
}

/** A server on a free port of 127.0.0.1 that lets everybody in. */
export function startTestGrpc(receiver: ExportReceiver, given: Partial<GrpcServerOptions> = {}): Promise<GrpcServer> {
  return startGrpcServer({
    host: "127.0.0.1",
    port: 0,
    tls: null,
    receiver,
    logs: { receiveLogs: async () => ({ rejectedRecords: 0, message: "" }) },
    resolvePrincipal: () => openPrincipal,
    storageLock: () => null,
    maxMessageBytes: 4 * 1024 * 1024,
    log: silentLogger,
    ...given,
  });
}

export interface ClientOptions {
  readonly host?: string;
  readonly packing?: Packing;
  readonly credentials?: ChannelCredentials;
}

export interface CallOptions {
  readonly method?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly onStart?: (cancel: () => void) => void;
}

export interface CallOutcome {
  /** Of google.rpc.Code; 0 for success. */
  readonly code: number;
  readonly details: string;
  /** Of the answer; null without one. */
  readonly body: Buffer | null;
  readonly trailers: Metadata;
}

export interface GrpcTestClient {
  send(body: Uint8Array, options?: CallOptions): Promise<CallOutcome>;
  close(): void;
}

export function grpcClient(port: number, options: ClientOptions = {}): GrpcTestClient {
  const address = `${options.host ?? "127.0.0.1"}:${port}`;
  const client = new Client(address, options.credentials ?? clientCredentials.createInsecure(), {
    "grpc.default_compression_algorithm": PACKINGS.indexOf(options.packing ?? "none"),
    "grpc.max_send_message_length": -1,
    // Clients to the same port would share one connection.
    "grpc.use_local_subchannel_pool": 1,
  });
  return {
    close: () => client.close(),
    send(body, { method = EXPORT_METHOD, metadata = {}, onStart } = {}) {
      const { promise, resolve } = Promise.withResolvers<CallOutcome>();
      const sent = new Metadata();
      for (const [key, value] of Object.entries(metadata)) sent.set(key, value);
      const same = (bytes: Buffer) => bytes;
      const call = client.makeUnaryRequest(
        method,
        same,
        same,
        Buffer.from(body),
        sent,
        (error: ServiceError | null, answer?: Buffer) =>
          resolve({
            code: error?.code ?? 0,
            details: error?.details ?? "",
            body: answer ?? null,
            trailers: error?.metadata ?? new Metadata(),
          }),
      );
      onStart?.(() => call.cancel());
      return promise;
    },
  };
}
