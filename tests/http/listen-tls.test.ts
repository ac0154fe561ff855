// TLS of the HTTP port with real certificates: who is served, and who is turned away before a request is read.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials, status } from "@grpc/grpc-js";
import { listen } from "../../src/http/listen.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { grpcClient } from "../support/grpc.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { ADMIN_EMAIL, ADMIN_PASSWORD, SECRET } from "../support/sign-in.ts";

setDefaultTimeout(30_000);

const server = selfSignedCertificate();
const client = selfSignedCertificate();
const stranger = selfSignedCertificate();
const expired = selfSignedCertificate(undefined, -2);

type Shown = { readonly certificate: string; readonly key: string } | null;

/** The status of one request to a server with that identity, or the code of its failure. */
async function request(
  identity: typeof server,
  clientAuthorities: string | null,
  shown: Shown,
): Promise<number | string> {
  const listener = listen({
    host: "127.0.0.1",
    port: 0,
    tls: { certificate: identity.certificate, key: identity.key, clientAuthorities },
    fetch: async () => new Response("reached"),
  });
  try {
    const answer = await fetch(`https://localhost:${listener.port}/`, {
      tls: { ca: identity.certificate, ...(shown === null ? {} : { cert: shown.certificate, key: shown.key }) },
    });
    return answer.status;
  } catch (error) {
    return String((error as { code?: string }).code);
  } finally {
    await listener.stop(100);
  }
}

describe("the HTTP port with TLS", () => {
  test("serves clients that trust the certificate", async () => {
    expect(await request(server, null, null)).toBe(200);
  });

  test("is refused by clients once the certificate has expired", async () => {
    expect(await request(expired, null, null)).toBe("CERT_HAS_EXPIRED");
  });

  test("refuses plain text", async () => {
    const listener = listen({
      host: "127.0.0.1",
      port: 0,
      tls: { certificate: server.certificate, key: server.key, clientAuthorities: null },
      fetch: async () => new Response("reached"),
    });
    await expect(fetch(`http://127.0.0.1:${listener.port}/`)).rejects.toThrow();
    await listener.stop(100);
  });
});

describe("with client verification", () => {
  test("a certificate of the authority is let in", async () => {
    expect(await request(server, client.certificate, client)).toBe(200);
  });

  test.each([
    ["none", null],
    ["one of another authority", stranger],
  ] as const)("%s is turned away", async (_what, shown) => {
    expect(await request(server, client.certificate, shown)).not.toBe(200);
  });

  test("an expired one is turned away", async () => {
    expect(await request(server, expired.certificate, expired)).not.toBe(200);
  });
});

describe("the service with an encrypted key", () => {
  const PASSWORD = "swordfish-for-tests";
  const startService = servicesOfSuite();
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "spanlight-tls-"));
    const encrypted = server.privateKey.export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: PASSWORD,
    });
    await Bun.write(join(folder, "cert.pem"), server.certificate);
    await Bun.write(join(folder, "key.pem"), encrypted.toString());
    await Bun.write(join(folder, "password"), `${PASSWORD}\n`);
    env = {
      SERVICE_TLS_ENABLED: "true",
      SERVICE_TLS_CERT_FILE: join(folder, "cert.pem"),
      SERVICE_TLS_KEY_FILE: join(folder, "key.pem"),
      SERVICE_WORKING_DIR: folder,
    };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("serves HTTP and gRPC with it, and the health check finds it", async () => {
    const databaseUrl = `sqlite:///${join(folder, "tls.db")}`;
    const withPassword = { ...env, SERVICE_TLS_KEY_FILE_PASSWORD_FILE: join(folder, "password") };
    const service = await startService({ databaseUrl, env: withPassword });
    const answer = await fetch(`https://localhost:${service.port}/healthz`, { tls: { ca: server.certificate } });
    expect([answer.status, await answer.text()]).toEqual([200, "OK"]);
    const caller = grpcClient(service.grpcPort, {
      host: "localhost",
      credentials: credentials.createSsl(Buffer.from(server.certificate)),
    });
    const body = encodeOtlp(otlpExport([{ traceId: "1".repeat(32), spanId: "2".repeat(16), name: "step" }]));
    expect((await caller.send(body)).code).toBe(status.OK);
    caller.close();
    const health = await runCommand(["healthcheck", "--port", String(service.port)], {
      env: { ...withPassword, SERVICE_SQL_DATABASE_URL: databaseUrl },
    });
    expect([health.exitCode, health.output]).toEqual([0, "ready\n"]);
    expect(service.log()).not.toContain(PASSWORD);
  });

  test("signs people in with cookies that never travel without it, and tells browsers to come by https only", async () => {
    const service = await startService({
      databaseUrl: `sqlite:///${join(folder, "cookies.db")}`,
      env: {
        ...env,
        SERVICE_TLS_KEY_FILE_PASSWORD: PASSWORD,
        SERVICE_ENABLE_AUTH: "true",
        SERVICE_SECRET: SECRET,
        SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: ADMIN_PASSWORD,
      },
    });
    const signedIn = await fetch(`${service.url}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", host: "spans.example.org" },
      body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
      tls: { rejectUnauthorized: false },
    });
    expect([signedIn.status, signedIn.headers.getSetCookie().length]).toEqual([204, 2]);
    for (const cookie of signedIn.headers.getSetCookie()) expect(cookie).toEndWith("; Secure");
    expect(signedIn.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  test("that asks clients for a certificate is still found by its own health check and doctor", async () => {
    await Bun.write(join(folder, "authority.pem"), server.certificate);
    const databaseUrl = `sqlite:///${join(folder, "mutual.db")}`;
    const mutual = {
      ...env,
      SERVICE_TLS_KEY_FILE_PASSWORD: PASSWORD,
      SERVICE_TLS_VERIFY_CLIENT: "true",
      SERVICE_TLS_CA_FILE: join(folder, "authority.pem"),
      SERVICE_SQL_DATABASE_URL: databaseUrl,
    };
    const { port, grpcPort } = await startService({ databaseUrl, env: mutual, clientCertificate: server });
    const asked = { ...mutual, SERVICE_PORT: String(port), SERVICE_GRPC_PORT: String(grpcPort) };
    expect((await runCommand(["healthcheck"], { env: asked })).output).toBe("ready\n");
    const { exitCode, output } = await runCommand(["doctor"], { env: asked });
    expect([exitCode, output]).toEqual([0, expect.stringContaining(`https://127.0.0.1:${port} answers`)]);
    await expect(fetch(`https://localhost:${port}/healthz`, { tls: { ca: server.certificate } })).rejects.toThrow();
  });

  test("does not start with a wrong password, and does not tell it", async () => {
    const { exitCode, output } = await runCommand(["serve"], {
      env: { ...env, SERVICE_TLS_KEY_FILE_PASSWORD: "wrong-swordfish" },
    });
    expect(exitCode).toBe(1);
    expect(output).toStartWith("SERVICE_TLS_KEY_FILE_PASSWORD: Failed to decrypt private key: ");
    expect(output).not.toContain("wrong-swordfish");
  });
});
