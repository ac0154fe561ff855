// Bodies that are no export request, or not what their headers say: each gets a defined answer at once, nothing of it is
// stored, memory stays bounded and the service goes on.

import { expect, setDefaultTimeout, test } from "bun:test";
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { forEachDriver } from "../support/drivers.ts";
import { ordinarySpan } from "../support/hostile-spans.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { residentMegabytes } from "../support/process-memory.ts";
import { openService } from "../support/server.ts";
import { expectVerified, storedSpans } from "../support/stored.ts";
import { openForSuite } from "../support/suite.ts";

setDefaultTimeout(60_000);

const MEGABYTE = 1024 * 1024;
const PROTOBUF = { "content-type": "application/x-protobuf" };
const JSON_TYPE = { "content-type": "application/json" };
const packed = (encoding: string) => ({ ...PROTOBUF, "content-encoding": encoding });
/** One body of the default limit unpacked, the decoder's and the service's own needs; not one for each bomb. */
const MOST_MEGABYTES = 1_200;
/** More than SERVICE_MAX_DECOMPRESSED_BODY_BYTES of its default. */
const BOMB_BYTES = 300 * MEGABYTE;

const good = encodeOtlp(otlpExport([ordinarySpan()]));

/** A message of nothing but empty messages: a hundred bytes of memory for two of its own. */
function emptyMessages(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes).map((_, position) => (position % 2 === 0 ? 0x0a : 0));
}

interface HostileBody {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: () => Uint8Array | string;
  readonly status: number;
}

const hostileBodies: readonly HostileBody[] = [
  { name: "protobuf without its end", headers: PROTOBUF, body: () => good.subarray(0, -3), status: 422 },
  { name: "random bytes as protobuf", headers: PROTOBUF, body: () => new Uint8Array(65_536).fill(0xa7), status: 422 },
  { name: "an endless number", headers: PROTOBUF, body: () => new Uint8Array(MEGABYTE).fill(0xff), status: 422 },
  { name: "30 MB of empty messages", headers: PROTOBUF, body: () => emptyMessages(30 * MEGABYTE), status: 413 },
  { name: "JSON as protobuf", headers: PROTOBUF, body: () => '{"resourceSpans":[]}', status: 422 },
  { name: "protobuf as JSON", headers: JSON_TYPE, body: () => good, status: 422 },
  { name: "JSON without its end", headers: JSON_TYPE, body: () => '{"resourceSpans":[', status: 422 },
  { name: "JSON that is a list", headers: JSON_TYPE, body: () => "[]", status: 422 },
  { name: "JSON that is null", headers: JSON_TYPE, body: () => "null", status: 422 },
  { name: "JSON lists 5,000,000 deep", headers: JSON_TYPE, body: () => "[".repeat(5_000_000), status: 413 },
  { name: "JSON objects 500,000 deep", headers: JSON_TYPE, body: () => '{"a":'.repeat(500_000), status: 422 },
  { name: "JSON fields of wrong types", headers: JSON_TYPE, body: () => '{"resourceSpans":{"a":1}}', status: 422 },
  { name: "no content type", headers: {}, body: () => good, status: 415 },
  { name: "a content type of others", headers: { "content-type": "text/plain" }, body: () => good, status: 415 },
  { name: "an unknown encoding", headers: packed("br"), body: () => good, status: 415 },
  { name: "two encodings", headers: packed("gzip, gzip"), body: () => gzipSync(gzipSync(good)), status: 415 },
  { name: "gzip that is none", headers: packed("gzip"), body: () => good, status: 422 },
  { name: "gzip without its end", headers: packed("gzip"), body: () => gzipSync(good).subarray(0, -5), status: 422 },
  { name: "gzip with a wrong checksum", headers: packed("gzip"), body: () => damaged(gzipSync(good), -8), status: 422 },
  { name: "deflate that is none", headers: packed("deflate"), body: () => new Uint8Array(99).fill(7), status: 422 },
  { name: "zstd that is none", headers: packed("zstd"), body: () => good, status: 422 },
  { name: "a gzip bomb", headers: packed("gzip"), body: () => bombs().gzip, status: 413 },
  { name: "a deflate bomb", headers: packed("deflate"), body: () => bombs().deflate, status: 413 },
  { name: "a bomb of raw deflate", headers: packed("deflate"), body: () => bombs().raw, status: 413 },
  { name: "a zstd bomb", headers: packed("zstd"), body: () => bombs().zstd, status: 413 },
  { name: "a body beyond the limit", headers: PROTOBUF, body: () => new Uint8Array(65 * MEGABYTE), status: 413 },
  {
    name: "a project name of 5,000 bytes",
    headers: { ...PROTOBUF, "x-project-name": "p".repeat(5_000) },
    body: () => good,
    status: 422,
  },
  // Refused by the runtime before our code sees it.
  {
    name: "a header of 100,000 bytes",
    headers: { ...PROTOBUF, "x-project-name": "p".repeat(100_000) },
    body: () => good,
    status: 431,
  },
];

const harmlessBodies: readonly HostileBody[] = [
  { name: "nothing, as protobuf", headers: PROTOBUF, body: () => "", status: 200 },
  { name: "nothing, as JSON", headers: JSON_TYPE, body: () => "", status: 200 },
  { name: "nothing, as gzip", headers: packed("gzip"), body: () => "", status: 200 },
  { name: "an object without fields", headers: JSON_TYPE, body: () => "{}", status: 200 },
];

function damaged(bytes: Uint8Array, position: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[copy.length + position]! ^= 0xff;
  return copy;
}

let made: Record<"gzip" | "deflate" | "raw" | "zstd", Uint8Array> | null = null;

function bombs() {
  const zeros = Buffer.alloc(BOMB_BYTES);
  made ??= {
    gzip: gzipSync(zeros, { level: 1 }),
    deflate: deflateSync(zeros, { level: 1 }),
    raw: deflateRawSync(zeros, { level: 1 }),
    zstd: zstdCompressSync(zeros),
  };
  return made;
}

forEachDriver("hostile bodies", (driver) => {
  const suite = openForSuite(async () => openService(await driver.createDatabase()));
  const send = ({ headers, body }: HostileBody) =>
    suite.client.post("/v1/traces", { headers, body: body() as Uint8Array<ArrayBuffer> | string });

  for (const hostile of [...hostileBodies, ...harmlessBodies]) {
    test(`${hostile.name}: ${hostile.status}`, async () => {
      const answer = await send(hostile);
      expect(answer.status, answer.text.slice(0, 300)).toBe(hostile.status);
      if (![200, 431].includes(hostile.status)) {
        // One line that says what is wrong, without anything of our insides.
        expect(answer.headers.get("content-type")).toStartWith("text/plain");
        expect(answer.text).toMatch(/^[^\n]{10,300}$/);
        expect(answer.text).not.toMatch(/\.ts\b|node_modules/);
      }
    });
  }

  test("a chunked body beyond the limit: 413 before it has been sent", async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent++;
        if (sent > 1_000) controller.close();
        else controller.enqueue(new Uint8Array(MEGABYTE));
      },
    });
    const response = await fetch(`${suite.service.url}/v1/traces`, { method: "POST", headers: PROTOBUF, body });
    expect(response.status).toBe(413);
    await response.text();
    expect(sent).toBeLessThan(1_000);
  });

  test("a sender that goes away in the middle of its body is forgotten", async () => {
    for (let gone = 0; gone < 20; gone++) {
      const socket = await Bun.connect({ hostname: "127.0.0.1", port: suite.service.port, socket: { data() {} } });
      socket.write(
        "POST /v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-protobuf\r\ncontent-length: 1000000\r\n\r\nhalf",
      );
      socket.terminate();
    }
    expect((await suite.client.get("/readyz")).status).toBe(200);
  });

  test("many bombs at once take the memory of one", async () => {
    const bomb = hostileBodies.find(({ name }) => name === "a gzip bomb")!;
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(bomb)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([413]));
    expect((await residentMegabytes(suite.service.pid)).most).toBeLessThan(MOST_MEGABYTES);
  });

  test("nothing of all that is stored, was a fault, or keeps a good request from being stored", async () => {
    expect(await storedSpans(suite)).toEqual([]);
    const answer = await send({ name: "good", headers: packed("gzip"), body: () => gzipSync(good), status: 200 });
    expect(answer.status).toBe(200);
    expect(await storedSpans(suite)).toHaveLength(1);
    expect(suite.service.log()).not.toMatch(/ (?:ERROR|WARNING) /);
    expect(await suite.service.stop()).toBe(0);
    await expectVerified(suite);
  });
});
