import { describe, expect, test } from "bun:test";
import { status } from "@grpc/grpc-js";
import { type FailureKind, fail } from "../../src/kernel/failure.ts";
import { statusOfFailure } from "../../src/otlp/transport/grpc-status.ts";

interface Field {
  readonly field: number;
  readonly value: number | Buffer;
}

/** Fields of a protobuf message, as the wire has them. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let position = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[position++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (position < bytes.length) {
    const tag = varint();
    if ((tag & 7) === 0) fields.push({ field: tag >> 3, value: varint() });
    else {
      expect(tag & 7).toBe(2);
      const length = varint();
      fields.push({ field: tag >> 3, value: bytes.subarray(position, position + length) });
      position += length;
    }
  }
  return fields;
}

function trailer(error: unknown, name: string): Buffer | null {
  const value = statusOfFailure(error, "r-1").metadata.get(name)[0];
  return value === undefined ? null : Buffer.from(value);
}

const unavailable = (retryAfterSeconds?: number) =>
  fail("ingest.full", "unavailable", "Server is at capacity", retryAfterSeconds ? { retryAfterSeconds } : {});

describe("statusOfFailure", () => {
  const kinds: readonly (readonly [FailureKind, status])[] = [
    ["malformed", status.INVALID_ARGUMENT],
    ["invalid", status.INVALID_ARGUMENT],
    ["unauthenticated", status.UNAUTHENTICATED],
    ["forbidden", status.PERMISSION_DENIED],
    ["too_large", status.RESOURCE_EXHAUSTED],
    ["locked", status.RESOURCE_EXHAUSTED],
    ["unsupported", status.UNIMPLEMENTED],
    ["unavailable", status.UNAVAILABLE],
    ["internal", status.INTERNAL],
  ];
  for (const [kind, code] of kinds) {
    test(`answers ${kind} with ${status[code]}`, () => {
      expect(statusOfFailure(fail("some.code", kind, "Something about it"), "r-1").code).toBe(code);
    });
  }

  test("says of unknown and internal failures only that they happened", () => {
    for (const error of [new Error("secret"), fail("a.b", "internal", "secret"), "secret", null]) {
      expect(statusOfFailure(error, "r-1")).toMatchObject({ code: status.INTERNAL, details: "Internal server error" });
    }
  });

  test("carries the request id", () => {
    expect(statusOfFailure(unavailable(), "r-1").metadata.get("x-request-id")).toEqual(["r-1"]);
  });

  test("cuts long texts and replaces what no trailer can carry", () => {
    const { details } = statusOfFailure(fail("a.b", "invalid", `\ud800${"x".repeat(5000)}`), "r-1");
    expect(details).toBe(`\ufffd${"x".repeat(999)}`);
    expect(() => encodeURI(details)).not.toThrow();
  });
});

describe("RetryInfo", () => {
  test("comes with `unavailable`, in google.rpc.Status with code and text", () => {
    const [code, message, detail] = fieldsOf(trailer(unavailable(7.25), "grpc-status-details-bin")!);
    expect(code).toEqual({ field: 1, value: status.UNAVAILABLE });
    expect(message).toEqual({ field: 2, value: Buffer.from("Server is at capacity") });
    const [type, packed] = fieldsOf(detail!.value as Buffer);
    expect(type).toEqual({ field: 1, value: Buffer.from("type.googleapis.com/google.rpc.RetryInfo") });
    const [delay] = fieldsOf(packed!.value as Buffer);
    expect(delay?.field).toBe(1);
    expect(fieldsOf(delay!.value as Buffer)).toEqual([
      { field: 1, value: 7 },
      { field: 2, value: 250_000_000 },
    ]);
  });

  test("is a second, too, when the failure names no time", () => {
    const [delay] = fieldsOf(trailer(unavailable(), "google.rpc.retryinfo-bin")!);
    expect(fieldsOf(delay!.value as Buffer)[0]).toEqual({ field: 1, value: 1 });
  });

  test("stands alone as well, where the Python exporter looks for it", () => {
    const [, , detail] = fieldsOf(trailer(unavailable(3), "grpc-status-details-bin")!);
    const [, packed] = fieldsOf(detail!.value as Buffer);
    expect(trailer(unavailable(3), "google.rpc.retryinfo-bin")).toEqual(packed!.value as Buffer);
  });

  test("is never sent with a storage lock, an undecodable body or an internal failure", () => {
    for (const kind of ["locked", "invalid", "too_large", "internal", "forbidden"] as const) {
      const failure = fail("some.code", kind, "No", { retryAfterSeconds: 1 });
      expect(trailer(failure, "grpc-status-details-bin")).toBeNull();
      expect(trailer(failure, "google.rpc.retryinfo-bin")).toBeNull();
    }
  });
});
