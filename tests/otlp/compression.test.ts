import { describe, expect, test } from "bun:test";
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { inflate } from "../../src/otlp/decode/compression.ts";
import { codeOf } from "../support/failures.ts";

const text = Buffer.from("export ".repeat(1000));
const packed: [string, Uint8Array][] = [
  ["gzip", gzipSync(text)],
  ["GZIP", gzipSync(text)],
  ["deflate", deflateSync(text)],
  ["deflate", deflateRawSync(text)],
  ["zstd", zstdCompressSync(text)],
  [" zstd ", Buffer.concat([zstdCompressSync(text.subarray(0, 3000)), zstdCompressSync(text.subarray(3000))])],
  ["gzip", Buffer.concat([gzipSync(text.subarray(0, 3000)), gzipSync(text.subarray(3000))])],
  ["identity", text],
  ["", text],
];

describe("inflate", () => {
  test.each(packed)("unpacks %p", (encoding, body) => {
    expect(Buffer.from(inflate(body, encoding, 7000)).toString()).toBe(text.toString());
  });

  test("takes a body without encoding as it is, also an empty one with", () => {
    expect(inflate(text, null, 7000)).toBe(text);
    expect(inflate(new Uint8Array(0), "gzip", 7000)).toHaveLength(0);
  });

  test.each(packed)("refuses %p above the limit by name", (encoding, body) => {
    expect(codeOf(() => inflate(body, encoding, 6999))).toBe("otlp.body_too_large too_large");
    expect(() => inflate(body, encoding, 6999)).toThrow("6999 bytes");
  });

  test.each(packed.filter(([encoding]) => encoding !== "" && encoding !== "identity"))(
    "refuses %p when it is cut off or damaged",
    (encoding, body) => {
      for (const end of [1, 5, Math.floor(body.length / 3), body.length - 1]) {
        expect(codeOf(() => inflate(body.subarray(0, end), encoding, 1e6))).toBe("otlp.corrupt_compression invalid");
      }
      expect(codeOf(() => inflate(Buffer.from("certainly nothing packed"), encoding, 1e6))).toBe(
        "otlp.corrupt_compression invalid",
      );
    },
  );

  test.each(["br", "gzip, gzip", "compress"])("does not know %p", (encoding) => {
    expect(codeOf(() => inflate(text, encoding, 1e6))).toBe("otlp.unknown_encoding unsupported");
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(64e6))],
    ["deflate", deflateSync(Buffer.alloc(64e6))],
    ["zstd", zstdCompressSync(Buffer.alloc(64e6))],
  ] as [string, Uint8Array][])("stops a %s bomb at the limit", (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    expect(codeOf(() => inflate(bomb, encoding, 1e6))).toBe("otlp.body_too_large too_large");
    expect(process.memoryUsage().rss - before).toBeLessThan(32e6);
  });

  test("a body of very many empty zstd frames is refused", () => {
    const empty = zstdCompressSync(Buffer.alloc(0));
    const body = Buffer.concat(new Array<Uint8Array>(20_000).fill(empty));
    expect(codeOf(() => inflate(body, "zstd", 1e6))).toBe("otlp.corrupt_compression invalid");
  });
});
