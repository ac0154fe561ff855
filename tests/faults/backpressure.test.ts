// More arrives than may wait: senders get a time to come back, standard exporters do, and nothing is lost.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";
import { forEachDriver } from "../support/drivers.ts";
import { ordinarySpan } from "../support/hostile-spans.ts";
import { createHttpClient } from "../support/http.ts";
import { answerQuestion, providerFor } from "../support/instrumented-program.ts";
import { startLoad } from "../support/load.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { servicesOfSuite } from "../support/server.ts";
import { expectNothingLost, storedSpans } from "../support/stored.ts";

setDefaultTimeout(60_000);

/** The code of success in the results of exporters. */
const EXPORTED = 0;
const PROTOBUF = { "content-type": "application/x-protobuf" };

forEachDriver("backpressure", (driver) => {
  const startService = servicesOfSuite();

  for (const [what, env] of [
    ["bytes", { SERVICE_MAX_INGEST_QUEUE_BYTES: "20000" }],
    ["spans", { SERVICE_MAX_SPANS_QUEUE_SIZE: "50" }],
  ] as const) {
    test(`a queue full of ${what}: 503 with Retry-After, and everything is stored in the end`, async () => {
      const url = await driver.createDatabase();
      const service = await startService({ databaseUrl: url, env });
      const load = startLoad({ urls: [service.url], senders: 12, spansPerRequest: 60 });
      await load.untilAcknowledged(3_000);
      const batches = await load.finish();
      expect(load.complaints).toEqual([]);
      expect(Object.keys(load.answers()).sort()).toEqual(["200", "503"]);
      expect(service.log()).not.toMatch(/ (?:ERROR|WARNING) /);
      expect(await service.stop()).toBe(0);
      expect(await expectNothingLost({ url }, batches)).toBe(load.acknowledged());
    });
  }

  test("the standard exporter tries again by itself and delivers everything", async () => {
    const url = await driver.createDatabase();
    const service = await startService({ databaseUrl: url, env: { SERVICE_MAX_INGEST_QUEUE_BYTES: "1" } });
    const failures: unknown[] = [];
    // Each program exports its three spans at once; all but one find the queue full at first.
    const providers = Array.from({ length: 2 }, (_, number) =>
      providerFor(told(new OTLPTraceExporter({ url: `${service.url}/v1/traces` }), failures), `program ${number}`),
    );
    for (const [number, provider] of providers.entries()) answerQuestion(provider, `session ${number}`);
    for (const provider of providers) await provider.forceFlush();
    for (const provider of providers) await provider.shutdown();
    expect(failures).toEqual([]);
    expect(service.log()).toContain("POST /v1/traces 503");
    expect(await storedSpans({ url })).toHaveLength(6);
    expect(await service.stop()).toBe(0);
  });

  test("bodies of spans that arrive at once take no more than the queue may hold: 503 with Retry-After", async () => {
    const url = await driver.createDatabase();
    const service = await startService({ databaseUrl: url, env: { SERVICE_MAX_INGEST_QUEUE_BYTES: "1000000" } });
    const port = Number(new URL(service.url).port);
    const sendMost = (spanId: string) => {
      const span = {
        name: "a step",
        context: { trace_id: "trace", span_id: spanId },
        span_kind: "CHAIN",
        start_time: "2024-01-01T12:00:00+00:00",
        end_time: "2024-01-01T12:00:01+00:00",
        status_code: "OK",
        attributes: { text: "x".repeat(900_000) },
      };
      const body = Buffer.from(JSON.stringify({ data: [span] }));
      const { promise: answer, resolve } = Promise.withResolvers<string>();
      const socket = connect(port, "127.0.0.1", () => {
        const lines = ["POST /v1/projects/default/spans HTTP/1.1", "host: localhost", "content-type: application/json"];
        socket.write([...lines, `content-length: ${body.length}`, "", ""].join("\r\n"));
        socket.write(body.subarray(0, -10));
      });
      socket.once("data", (bytes: Buffer) => resolve(bytes.toString()));
      socket.on("error", () => {});
      return { answer, sendRest: () => socket.write(body.subarray(-10)), close: () => socket.destroy() };
    };

    // Neither body is whole yet, and both together are too much.
    const senders = [sendMost("first"), sendMost("second")];
    const refused = await Promise.race(senders.map(async (sender) => ({ sender, answer: await sender.answer })));
    expect(refused.answer).toStartWith("HTTP/1.1 503 ");
    expect(refused.answer).toMatch(/\r\nretry-after: 1\r\n/i);
    const other = senders.find((sender) => sender !== refused.sender)!;
    other.sendRest();
    expect(await other.answer).toStartWith("HTTP/1.1 202 ");
    for (const { close } of senders) close();
    expect(await service.stop()).toBe(0);
    expect(await storedSpans({ url })).toHaveLength(1);
  });

  describe("a body beyond SERVICE_MAX_REQUEST_BODY_BYTES", () => {
    const large = encodeOtlp(otlpExport([ordinarySpan({ name: "n".repeat(200_000) })]));
    const small = encodeOtlp(otlpExport([ordinarySpan()]));

    test("is refused with 413, announced or in chunks, and the connection goes on", async () => {
      const url = await driver.createDatabase();
      const env = { SERVICE_MAX_REQUEST_BODY_BYTES: "100000" };
      const service = await startService({ databaseUrl: url, env });
      const client = createHttpClient(service.url);
      for (let round = 0; round < 3; round++) {
        const announced = await client.post("/v1/traces", { headers: PROTOBUF, body: large });
        expect([announced.status, announced.text]).toEqual([413, "The body is larger than 100000 bytes"]);
        const chunked = await fetch(`${service.url}/v1/traces`, {
          method: "POST",
          headers: PROTOBUF,
          body: new Blob([large]).stream(),
        });
        expect([chunked.status, await chunked.text()]).toEqual([413, "The body is larger than 100000 bytes"]);
        expect((await client.post("/v1/traces", { headers: PROTOBUF, body: small })).status).toBe(200);
      }
      expect(await storedSpans({ url })).toHaveLength(1);
      expect(await service.stop()).toBe(0);
    });
  });
});

/** The exporter, with everything that it could not deliver put into `failures`. */
function told(exporter: SpanExporter, failures: unknown[]): SpanExporter {
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        if (result.code !== EXPORTED) failures.push(result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
