import { describe, expect, test } from "bun:test";
import { credentials, status } from "@grpc/grpc-js";
import { selfSignedCertificate } from "../support/certificate.ts";
import { type ClientOptions, grpcClient, recordingReceiver, startTestGrpc } from "../support/grpc.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";

const server = selfSignedCertificate();
const client = selfSignedCertificate();
const stranger = selfSignedCertificate();
const body = encodeOtlp(otlpExport([{ traceId: "1".repeat(32), spanId: "2".repeat(16), name: "step" }]));

/** The status of one call to a server with that client authority. */
async function call(clientAuthorities: string | null, options: ClientOptions): Promise<number> {
  const running = await startTestGrpc(recordingReceiver(), {
    tls: { certificate: server.certificate, key: server.key, clientAuthorities },
  });
  const caller = grpcClient(running.port, { host: "localhost", ...options });
  try {
    return (await caller.send(body)).code;
  } finally {
    caller.close();
    await running.stop();
  }
}

function showing(shown: { readonly key: string; readonly certificate: string } | null) {
  const [key, chain] = shown === null ? [null, null] : [Buffer.from(shown.key), Buffer.from(shown.certificate)];
  return { credentials: credentials.createSsl(Buffer.from(server.certificate), key, chain) };
}

describe("TLS", () => {
  test("serves clients that trust the certificate", async () => {
    expect(await call(null, showing(null))).toBe(status.OK);
  });

  test("refuses plain text", async () => {
    expect(await call(null, {})).toBe(status.UNAVAILABLE);
  });
});

describe("client certificates", () => {
  test("of the configured authority are let in", async () => {
    expect(await call(client.certificate, showing(client))).toBe(status.OK);
  });

  test("of another authority are not", async () => {
    expect(await call(client.certificate, showing(stranger))).toBe(status.UNAVAILABLE);
  });

  test("may not be missing", async () => {
    expect(await call(client.certificate, showing(null))).toBe(status.UNAVAILABLE);
  });
});
