// The gRPC server from its socket: real exporters and odd clients in front, a made-up receiver behind.
import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:http2";
import { status } from "@grpc/grpc-js";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import type { ExportRequest } from "../../src/ingest/receiver.ts";
import { createByteBudget } from "../../src/kernel/byte-budget.ts";
import { fail } from "../../src/kernel/failure.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { inflate } from "../../src/otlp/decode/compression.ts";
import { decodeExport } from "../../src/otlp/decode/export.ts";
import type { GrpcServer } from "../../src/otlp/transport/grpc.ts";
import { encodeExportResponse } from "../../src/otlp/transport/response.ts";
import {
  type ClientOptions,
  EXPORT_METHOD,
  type GrpcTestClient,
  grpcClient,
  type Packing,
  recordingReceiver,
  startTestGrpc,
} from "../support/grpc.ts";
import { answerQuestion, providerFor } from "../support/instrumented-program.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { signedIn } from "../support/principals.ts";
import { until } from "../support/until.ts";

const servers: GrpcServer[] = [];
const clients: GrpcTestClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(...given: Parameters<typeof startTestGrpc>): Promise<GrpcServer> {
  const server = await startTestGrpc(...given);
  servers.push(server);
  return server;
}

function connectTo(server: GrpcServer, options: ClientOptions = {}): GrpcTestClient {
  const client = grpcClient(server.port, options);
  clients.push(client);
  return client;
}

const MEBIBYTE = 1024 * 1024;
const oneSpan = encodeOtlp(otlpExport([{ traceId: "1".repeat(32), spanId: "2".repeat(16), name: "step" }]));

/** An export of one span with a text of that many bytes. */
function exportOf(bytes: number): Uint8Array {
  return encodeOtlp(otlpExport([{ traceId: "1".repeat(32), spanId: "2".repeat(16), name: "x".repeat(bytes) }]));
}

describe("the exporter of OpenTelemetry", () => {
  type Compression = NonNullable<NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>["compression"]>;
  for (const compression of ["none", "gzip"] as Compression[]) {
    test(`delivers its spans with compression ${compression}`, async () => {
      const receiver = recordingReceiver();
      const { port } = await start(receiver);
      const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${port}`, compression });
      const provider = providerFor(exporter, "over gRPC");
      answerQuestion(provider, "session");
      await provider.forceFlush();
      await provider.shutdown();
      const spans = receiver.requests.flatMap(
        (request) => decodeExport({ ...request, defaultProject: "default", limitBytes: MEBIBYTE }).spans,
      );
      expect(spans.map((span) => span.name).sort()).toEqual(["answer question", "ask model", "look up weather"]);
      expect(new Set(spans.map((span) => span.projectName))).toEqual(new Set(["over gRPC"]));
    });
  }
});

describe("Export", () => {
  for (const packing of ["none", "gzip", "deflate"] as Packing[]) {
    test(`hands on what was sent with packing ${packing}`, async () => {
      const receiver = recordingReceiver();
      const client = connectTo(await start(receiver), { packing });
      const body = exportOf(100_000);
      expect(await client.send(body)).toMatchObject({ code: status.OK, body: Buffer.alloc(0) });
      const [request] = receiver.requests;
      expect(request).toMatchObject({ format: "protobuf", projectOverride: null });
      expect(inflate(request!.body, request!.encoding, MEBIBYTE)).toEqual(Buffer.from(body));
    });
  }

  test("takes a message that its sender left unpacked, although packing was announced", async () => {
    const receiver = recordingReceiver();
    const { port } = await start(receiver);
    expect(await sendFrame(port, { encoding: "gzip", packed: false, message: oneSpan })).toBe(status.OK);
    expect(receiver.requests).toMatchObject([{ encoding: null, body: Buffer.from(oneSpan) }]);
  });

  test("refuses a compression that was not announced", async () => {
    const { port } = await start(recordingReceiver());
    expect(await sendFrame(port, { encoding: "snappy", packed: true, message: oneSpan })).toBe(status.UNIMPLEMENTED);
  });

  test("takes an empty request", async () => {
    const client = connectTo(await start(recordingReceiver()));
    expect(await client.send(new Uint8Array(0))).toMatchObject({ code: status.OK });
  });

  test("answers a partial success with count and reason", async () => {
    const answer = { rejectedSpans: 300, message: "A span has no trace id — 300 times" };
    const client = connectTo(await start(recordingReceiver({ receive: async () => answer })));
    expect(await client.send(oneSpan)).toMatchObject({
      code: status.OK,
      body: Buffer.from(encodeExportResponse(answer.rejectedSpans, answer.message)),
    });
  });

  test("answers only when the receiver has stored the spans", async () => {
    const stored = Promise.withResolvers<{ rejectedSpans: number; message: string }>();
    const received = Promise.withResolvers<void>();
    const receive = () => {
      received.resolve();
      return stored.promise;
    };
    const client = connectTo(await start(recordingReceiver({ receive })));
    let answered = false;
    const call = client.send(oneSpan).then((outcome) => {
      answered = true;
      return outcome;
    });
    await received.promise;
    // A whole other call goes through meanwhile.
    expect(await client.send(oneSpan, { method: "/other.Service/Method" })).toMatchObject({
      code: status.UNIMPLEMENTED,
    });
    expect(answered).toBe(false);
    stored.resolve({ rejectedSpans: 0, message: "" });
    expect(await call).toMatchObject({ code: status.OK });
  });

  test("serves a hundred calls at once, each once", async () => {
    const receiver = recordingReceiver();
    const server = await start(receiver);
    const [first, second] = [connectTo(server), connectTo(server, { packing: "gzip" })];
    const bodies = Array.from({ length: 100 }, (_, number) => exportOf(10_000 + number));
    const outcomes = await Promise.all(bodies.map((body, number) => (number % 2 === 0 ? first : second).send(body)));
    expect(outcomes.filter(({ code }) => code !== status.OK)).toEqual([]);
    const sizes = receiver.requests.map(({ body, encoding }) => inflate(body, encoding, MEBIBYTE).length);
    expect(sizes.sort((a, b) => a - b)).toEqual(bodies.map((body) => body.length));
  });

  test("does not let x-project-name choose the project", async () => {
    const receiver = recordingReceiver();
    const client = connectTo(await start(receiver));
    await client.send(oneSpan, { metadata: { "x-project-name": "elsewhere" } });
    expect(receiver.requests).toMatchObject([{ projectOverride: null }]);
  });

  test("hands logs on to what takes them, and answers what it dropped", async () => {
    const requests: ExportRequest[] = [];
    const receiveLogs = async (request: ExportRequest) => {
      requests.push(request);
      return { rejectedRecords: 2, message: "neither" };
    };
    const client = connectTo(await start(recordingReceiver(), { logs: { receiveLogs } }));
    const method = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
    expect(await client.send(oneSpan, { method })).toMatchObject({
      code: status.OK,
      body: Buffer.from(encodeExportResponse(2, "neither")),
    });
    expect(requests).toMatchObject([{ format: "protobuf", projectOverride: null }]);
  });

  test("answers other methods with UNIMPLEMENTED", async () => {
    const client = connectTo(await start(recordingReceiver()));
    for (const method of [
      "/opentelemetry.proto.collector.trace.v1.TraceService/Import",
      "/opentelemetry.proto.collector.logs.v1.LogsService/Import",
      "/grpc.health.v1.Health/Check",
    ]) {
      expect(await client.send(oneSpan, { method })).toMatchObject({ code: status.UNIMPLEMENTED });
    }
  });
});

describe("limits", () => {
  test("a message above the limit is RESOURCE_EXHAUSTED and never received", async () => {
    const receiver = recordingReceiver();
    const client = connectTo(await start(receiver, { maxMessageBytes: 50_000 }));
    expect(await client.send(exportOf(60_000))).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(await client.send(exportOf(40_000))).toMatchObject({ code: status.OK });
    expect(receiver.requests).toHaveLength(1);
  });

  test("messages above the byte budget are refused while they arrive, and their bytes are released", async () => {
    const { open } = createByteBudget(1_500_000, () =>
      fail("ingest.full", "unavailable", "Server is at capacity", { retryAfterSeconds: 1 }),
    );
    const stored = Promise.withResolvers<void>();
    const receiver = recordingReceiver({
      reserveBytes: open,
      async receive() {
        await stored.promise;
        return { rejectedSpans: 0, message: "" };
      },
    });
    const client = connectTo(await start(receiver, { maxMessageBytes: 2 * MEBIBYTE }));
    const first = client.send(exportOf(MEBIBYTE));
    await until(() => receiver.requests.length === 1);
    const second = await client.send(exportOf(MEBIBYTE));
    expect(second).toMatchObject({ code: status.UNAVAILABLE, details: "Server is at capacity" });
    expect(second.trailers.get("google.rpc.retryinfo-bin")).toHaveLength(1);
    expect(await client.send(oneSpan, { onStart: (cancel) => cancel() })).toMatchObject({ code: status.CANCELLED });
    stored.resolve();
    expect(await first).toMatchObject({ code: status.OK });
    expect(await client.send(exportOf(MEBIBYTE))).toMatchObject({ code: status.OK });
    // Nothing is held any more.
    open(1_500_000).take(1);
    open(1_499_999);
  });

  test("many bombs at once stay as small as they were sent until the receiver unpacks them, one after the other", async () => {
    const limit = MEBIBYTE;
    const receiver = recordingReceiver({
      receive: async ({ body, encoding }) => {
        inflate(body, encoding, limit);
        return { rejectedSpans: 0, message: "" };
      },
    });
    const server = await start(receiver, { maxMessageBytes: limit });
    const bomb = exportOf(16 * MEBIBYTE);
    const gzip = connectTo(server, { packing: "gzip" });
    const deflate = connectTo(server, { packing: "deflate" });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? gzip : deflate).send(bomb)),
    );
    expect(outcomes).toMatchObject(outcomes.map(() => ({ code: status.RESOURCE_EXHAUSTED })));
    expect(outcomes[0]?.details).toContain(String(limit));
    expect(receiver.requests.filter(({ body }) => body.length > 100_000)).toEqual([]);
    expect(receiver.requests).toHaveLength(10);
  });
});

describe("refusals", () => {
  const undecodable = () => fail("otlp.undecodable", "invalid", "The body is no export request: it ends early");

  test("tell the kind of the failure and its text", async () => {
    const client = connectTo(await start(recordingReceiver({ receive: async () => Promise.reject(undecodable()) })));
    expect(await client.send(oneSpan)).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: "The body is no export request: it ends early",
    });
  });

  test("of unknown causes tell nothing, and the log has the cause under the request's id", async () => {
    const lines: string[] = [];
    const log = createLogger({ level: "info", mode: "default", write: (line) => lines.push(line) });
    const receive = async () => Promise.reject(new TypeError("password of somebody"));
    const client = connectTo(await start(recordingReceiver({ receive }), { log }));
    const outcome = await client.send(oneSpan);
    expect(outcome).toMatchObject({ code: status.INTERNAL, details: "Internal server error" });
    expect(lines.filter((line) => line.includes("password of somebody"))).toHaveLength(1);
    expect(lines.join()).toContain(`request_id=${outcome.trailers.get("x-request-id")[0]}`);
  });

  test("for want of capacity come before the body, with the time after which to try again", async () => {
    const reserveBytes = () => {
      throw fail("ingest.full", "unavailable", "Server is at capacity", { retryAfterSeconds: 3 });
    };
    const receiver = recordingReceiver({ reserveBytes });
    const { port } = await start(receiver);
    const outcome = await connectTo({ port, stop: async () => {} }).send(oneSpan);
    expect(outcome).toMatchObject({ code: status.UNAVAILABLE, details: "Server is at capacity" });
    expect(outcome.trailers.get("grpc-status-details-bin")).toHaveLength(1);
    expect(await sendFrame(port, { message: null })).toBe(status.UNAVAILABLE);
    expect(receiver.requests).toEqual([]);
  });

  test("under a storage lock tell exporters not to try again", async () => {
    const storageLock = () => fail("storage.locked", "locked", "Database operations are disabled");
    const client = connectTo(await start(recordingReceiver(), { storageLock }));
    const outcome = await client.send(oneSpan);
    expect(outcome).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: "Database operations are disabled" });
    expect(outcome.trailers.get("grpc-status-details-bin")).toEqual([]);
  });
});

describe("authentication", () => {
  test("decides by the first authorization value, before capacity is asked for", async () => {
    const seen: (string | null)[] = [];
    let asked = 0;
    const receiver = recordingReceiver({
      reserveBytes() {
        asked++;
        return { announce() {}, take() {}, release() {} };
      },
    });
    const server = await start(receiver, {
      resolvePrincipal: async (authorization) => {
        seen.push(authorization);
        if (authorization === "Bearer viewer") return signedIn(1, "VIEWER");
        return authorization === "Bearer member" ? signedIn(2, "MEMBER") : { kind: "anonymous" };
      },
    });
    const client = connectTo(server);
    expect(await client.send(oneSpan)).toMatchObject({ code: status.UNAUTHENTICATED, details: "" });
    expect(await client.send(oneSpan, { metadata: { authorization: "Bearer viewer" } })).toMatchObject({
      code: status.PERMISSION_DENIED,
      details: "",
    });
    expect(asked).toBe(0);
    expect(await client.send(oneSpan, { metadata: { authorization: "Bearer member" } })).toMatchObject({
      code: status.OK,
    });
    expect({ seen, asked }).toEqual({ seen: [null, "Bearer viewer", "Bearer member"], asked: 1 });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("a call that its client abandons", () => {
  test("is stored nevertheless, and the server goes on", async () => {
    const received = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    let stored = 0;
    const receive = async () => {
      received.resolve();
      await gone.promise;
      stored += 1;
      return { rejectedSpans: 1, message: "for an answer with a body" };
    };
    const server = await start(recordingReceiver({ receive }));
    const leaving = grpcClient(server.port);
    const outcome = await leaving.send(oneSpan, { onStart: (cancel) => void received.promise.then(cancel) });
    expect(outcome.code).toBe(status.CANCELLED);
    leaving.close();
    gone.resolve();
    expect(await connectTo(server).send(oneSpan)).toMatchObject({ code: status.OK });
    expect(stored).toBe(2);
  });

  test("in the middle of its body leaves nothing behind", async () => {
    const receiver = recordingReceiver();
    const server = await start(receiver);
    const session = connect(`http://127.0.0.1:${server.port}`);
    const stream = session.request({ ...GRPC_HEADERS, ":path": EXPORT_METHOD });
    stream.on("error", () => {});
    stream.write(frameOf(oneSpan, false).subarray(0, 20));
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    stream.once("close", resolve);
    stream.close(8);
    await closed;
    session.destroy();
    expect(await connectTo(server).send(oneSpan)).toMatchObject({ code: status.OK });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("listening", () => {
  test("on :: answers over IPv4 and IPv6", async () => {
    const server = await start(recordingReceiver(), { host: "::" });
    for (const host of ["127.0.0.1", "[::1]"]) {
      expect(await connectTo(server, { host }).send(oneSpan)).toMatchObject({ code: status.OK });
    }
  });

  test("takes the name of a host", async () => {
    const server = await start(recordingReceiver(), { host: "localhost" });
    expect(await connectTo(server, { host: "localhost" }).send(oneSpan)).toMatchObject({ code: status.OK });
  });

  test("fails with one clear failure when the port is taken", async () => {
    const { port } = await start(recordingReceiver());
    await expect(startTestGrpc(recordingReceiver(), { port })).rejects.toMatchObject({
      code: "otlp.grpc_port_taken",
      message: `The gRPC port 127.0.0.1:${port} is taken: set SERVICE_GRPC_PORT`,
    });
  });

  test("fails naming an address that is not this machine's", async () => {
    await expect(startTestGrpc(recordingReceiver(), { host: "192.0.2.1" })).rejects.toMatchObject({
      code: "otlp.grpc_not_listening",
      message: expect.stringContaining("192.0.2.1:0"),
    });
  });
});

describe("stop", () => {
  test("lets running calls finish and takes no new ones", async () => {
    const received = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const receive = async () => {
      received.resolve();
      await stored.promise;
      return { rejectedSpans: 0, message: "" };
    };
    const server = await startTestGrpc(recordingReceiver({ receive }));
    const running = connectTo(server).send(oneSpan);
    await received.promise;
    const stopped = server.stop();
    expect(await connectTo(server).send(oneSpan)).toMatchObject({ code: status.UNAVAILABLE });
    stored.resolve();
    expect(await running).toMatchObject({ code: status.OK });
    await stopped;
  });

  test("cuts calls that do not end in time", async () => {
    const received = Promise.withResolvers<void>();
    const receive = () => {
      received.resolve();
      return new Promise<never>(() => {});
    };
    const server = await startTestGrpc(recordingReceiver({ receive }), { drainMs: 50 });
    const running = connectTo(server).send(oneSpan);
    await received.promise;
    await server.stop();
    expect((await running).code).not.toBe(status.OK);
  });

  test("does not wait for clients that are connected and send nothing", async () => {
    const server = await startTestGrpc(recordingReceiver(), { drainMs: 60_000 });
    const client = connectTo(server);
    await client.send(oneSpan);
    await server.stop();
    expect(await client.send(oneSpan)).toMatchObject({ code: status.UNAVAILABLE });
  });
});

const GRPC_HEADERS = { ":method": "POST", "content-type": "application/grpc", te: "trailers" } as const;

function frameOf(message: Uint8Array, packed: boolean): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(packed ? 1 : 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Sends one frame by hand and resolves with the status; without a message the stream stays open at the client's end. */
async function sendFrame(
  port: number,
  sent: { readonly encoding?: string; readonly packed?: boolean; readonly message: Uint8Array | null },
): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  session.on("error", reject);
  const stream = session.request({
    ...GRPC_HEADERS,
    ":path": EXPORT_METHOD,
    ...(sent.encoding === undefined ? {} : { "grpc-encoding": sent.encoding }),
  });
  const read = (headers: Readonly<Record<string, unknown>>) => {
    if (headers["grpc-status"] !== undefined) resolve(Number(headers["grpc-status"]));
  };
  stream.on("response", read).on("trailers", read).on("error", reject).resume();
  if (sent.message !== null) stream.end(frameOf(sent.message, sent.packed ?? false));
  return promise.finally(() => session.destroy());
}
