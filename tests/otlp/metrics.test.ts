// Metrics are rejected as a whole, in an answer that exporters take for a success.
import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { createLogger, silentLogger } from "../../src/kernel/logger.ts";
import { createMetricsRefusal } from "../../src/otlp/decode/metrics.ts";
import { encodeExportResponse, varint } from "../../src/otlp/transport/response.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { grpcClient, recordingReceiver, startTestGrpc } from "../support/grpc.ts";

const METHOD = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
const MESSAGE = "This service keeps traces, not metrics";

const field = (number: number, ...content: (readonly number[])[]): number[] => {
  const bytes = content.flat();
  return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
};
const name = field(1, [...Buffer.from("tokens")]);
const point = field(1, [0x19, 0, 0, 0, 0, 0, 0, 0, 0]);
const metric = (kind: number, points: number) =>
  field(2, name, field(kind, ...Array.from({ length: points }, () => point), [0x10, 2]));
/** Two resources with 3 + 2 points, one metric of each of two kinds among them. */
const protobuf = Uint8Array.from([
  ...field(1, field(1, []), field(2, field(1, []), metric(7, 2), metric(9, 1))),
  ...field(1, field(2, metric(5, 2))),
]);
const json = {
  resourceMetrics: [
    { scopeMetrics: [{ metrics: [{ name: "tokens", sum: { dataPoints: [{ asInt: "1" }, { asInt: "2" }] } }] }] },
    {
      scopeMetrics: [{ metrics: [{ name: "seconds", histogram: { dataPoints: [{ count: "1" }] } }, { name: "odd" }] }],
    },
  ],
};

describe("the number of data points", () => {
  const refuse = createMetricsRefusal(silentLogger);
  const refused = async (...given: Parameters<typeof refuse>) => refuse(...given);

  test("is counted in both encodings, packed or not", () => {
    expect(refuse(protobuf, "protobuf", null)).toEqual({ points: 5, message: MESSAGE });
    expect(refuse(gzipSync(protobuf), "protobuf", "gzip").points).toBe(5);
    expect(refuse(Buffer.from(JSON.stringify(json)), "json", null).points).toBe(3);
    expect(refuse(new Uint8Array(0), "protobuf", null).points).toBe(1);
  });

  test("of what cannot be read is a failure by name", async () => {
    for (const [body, format] of [
      [protobuf.slice(0, -1), "protobuf"],
      [Buffer.from('{"resourceMetrics":['), "json"],
      [Buffer.from("7"), "json"],
    ] as const)
      expect(await failureOf(refused(body, format, null))).toMatchObject({ code: "otlp.undecodable", kind: "invalid" });
    const deep = Buffer.from("[".repeat(200_000));
    expect(await failureOf(refused(deep, "json", null))).toMatchObject({ kind: "too_large" });
    expect(await failureOf(refused(gzipSync(Buffer.alloc(17 * 1024 * 1024)), "protobuf", "gzip"))).toMatchObject({
      kind: "too_large",
    });
  });

  test("the log says it once", () => {
    const lines: string[] = [];
    const said = createMetricsRefusal(
      createLogger({ level: "info", mode: "default", write: (line) => lines.push(line) }),
    );
    for (let time = 0; time < 3; time++) said(protobuf, "protobuf", null);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("Metrics are sent to this service");
  });
});

forEachDriver("POST /v1/metrics", (driver) => {
  const opened = driver.createDatabase().then((database) => openTestApi(database));
  afterAll(async () => (await opened).close());

  test("answers 200 with all of it rejected, in the encoding of the request", async () => {
    const { server } = await opened;
    const asJson = await send(server, "POST /v1/metrics", { json });
    expect([asJson.status, await asJson.json()]).toEqual([
      200,
      { partialSuccess: { rejectedDataPoints: "3", errorMessage: MESSAGE } },
    ]);
    const headers = { "content-type": "application/x-protobuf" };
    const asProtobuf = await send(server, "POST /v1/metrics", { body: protobuf, headers });
    expect(asProtobuf.status).toBe(200);
    expect(asProtobuf.headers.get("content-type")).toBe("application/x-protobuf");
    expect(new Uint8Array(await asProtobuf.arrayBuffer())).toEqual(encodeExportResponse(5, MESSAGE));
  });

  test("refuses another media type and half a message", async () => {
    const { server } = await opened;
    const text = await send(server, "POST /v1/metrics", { body: "x", headers: { "content-type": "text/plain" } });
    expect(text.status).toBe(415);
    const headers = { "content-type": "application/x-protobuf" };
    expect((await send(server, "POST /v1/metrics", { body: protobuf.slice(0, 9), headers })).status).toBe(422);
  });
});

test("gRPC answers the same, and hands nothing on", async () => {
  const receiver = recordingReceiver();
  const server = await startTestGrpc(receiver);
  const client = grpcClient(server.port, { packing: "gzip" });
  try {
    const { code, body } = await client.send(protobuf, { method: METHOD });
    expect([code, new Uint8Array(body!)]).toEqual([0, encodeExportResponse(5, MESSAGE)]);
    expect((await client.send(protobuf.slice(0, 9), { method: METHOD })).code).toBe(3);
    expect(receiver.requests).toEqual([]);
  } finally {
    client.close();
    await server.stop();
  }
});
