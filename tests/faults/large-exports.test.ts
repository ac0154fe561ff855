// Many senders of bodies that unpack to hundreds of megabytes, the long prompts of LLM applications: memory stays bounded,
// a sender above the budget gets a time to retry, and nothing acknowledged is lost.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { watchMemory } from "../bench/process-tree.ts";
import { forEachDriver } from "../support/drivers.ts";
import { grpcClient } from "../support/grpc.ts";
import { ordinarySpan } from "../support/hostile-spans.ts";
import { encodeOtlp, type OtlpSpan, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { expectVerified, storedSpans } from "../support/stored.ts";

/** For a machine whose cores are shared. */
const TIMEOUT_MS = 300_000;

const MEGABYTE = 1024 * 1024;
/** Of all processes of the service together. One body that is unpacked, the ones that wait as they were sent, and the service. */
const MOST_MEGABYTES = 600;
const SENDERS = 5;
const UNPACKED_MEGABYTES = 200;
/** google.rpc.Code */
const UNAVAILABLE = 14;

/** A prompt of a megabyte of which a tenth cannot be packed. */
function prompt(): string {
  const filler = "the quick brown fox jumps over the lazy dog and says hello again. ".repeat(900);
  let text = "";
  while (text.length < MEGABYTE) text += randomBytes(4000).toString("base64") + filler;
  return text;
}

const llmSpan = (text: string): OtlpSpan =>
  ordinarySpan({ attributes: otlpAttributes({ "openinference.span.kind": "LLM", "input.value": text }) });
const packed = (spans: readonly OtlpSpan[]) => gzipSync(encodeOtlp(otlpExport(spans)), { level: 1 });
const keyOf = ({ traceId, spanId }: OtlpSpan) => `${traceId}/${spanId}`;

let prompts: OtlpSpan[] = [];
let packedPrompts: Buffer;

/** The same prompts under a span of the sender's own: messages and gzip members may be put one behind the other. */
function bodyOf(own: OtlpSpan): Uint8Array<ArrayBuffer> {
  return Buffer.concat([packed([own]), packedPrompts]);
}

forEachDriver("large exports", (driver) => {
  setDefaultTimeout(TIMEOUT_MS);
  const startService = servicesOfSuite();
  beforeAll(() => {
    if (prompts.length > 0) return;
    prompts = Array.from({ length: UNPACKED_MEGABYTES }, () => llmSpan(prompt()));
    packedPrompts = packed(prompts);
    prompts = prompts.map(({ traceId, spanId }) => ({ traceId: traceId!, spanId: spanId! }));
  });

  /** Each sender delivers its body, retrying for as long as it is asked to. */
  async function deliver(send: (service: RunningService, body: Uint8Array<ArrayBuffer>) => Promise<boolean>) {
    const url = await driver.createDatabase();
    const service = await startService({ databaseUrl: url });
    const memory = watchMemory(service.pid);
    const own = Array.from({ length: SENDERS }, () => ordinarySpan());
    let refused = 0;
    await Promise.all(
      own.map(async (span) => {
        const body = bodyOf(span);
        while (!(await send(service, body))) {
          refused++;
          await Bun.sleep(500);
        }
      }),
    );
    expect(memory.peakRss() / MEGABYTE).toBeLessThan(MOST_MEGABYTES);
    expect(refused).toBeGreaterThan(0);
    expect(service.log()).not.toMatch(/ (?:ERROR|WARNING) /);
    expect(await service.stop()).toBe(0);
    expect((await storedSpans({ url })).sort()).toEqual([...prompts, ...own].map(keyOf).sort());
    await expectVerified({ url });
  }

  test("over HTTP: 503 with Retry-After, bounded memory, nothing lost", () =>
    deliver(async (service, body) => {
      const response = await fetch(`${service.url}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/x-protobuf", "content-encoding": "gzip" },
        body,
      });
      const text = await response.text();
      if (response.status === 200) return true;
      expect([response.status, response.headers.get("retry-after"), text]).toEqual([
        503,
        "1",
        "Server is at capacity and cannot process more requests",
      ]);
      return false;
    }));

  // What differs between the transports ends where a body is admitted, before any database.
  if (driver.name === "postgres") return;

  test("over gRPC: UNAVAILABLE with RetryInfo, bounded memory, nothing lost", () =>
    deliver(async (service, body) => {
      const client = grpcClient(service.grpcPort);
      try {
        const { code, details, trailers } = await client.send(body);
        if (code === 0) return true;
        expect([code, details]).toEqual([UNAVAILABLE, "Server is at capacity and cannot process more requests"]);
        expect(trailers.get("google.rpc.retryinfo-bin")).toHaveLength(1);
        return false;
      } finally {
        client.close();
      }
    }));
});
