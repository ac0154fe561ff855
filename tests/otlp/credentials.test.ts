// Exports with authentication on, as exporters meet it: HTTP and gRPC of a running service, every kind of credential, and a
// second server over the same database.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { status } from "@grpc/grpc-js";
import { forEachDriver } from "../support/drivers.ts";
import { type GrpcTestClient, grpcClient } from "../support/grpc.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { ACCESS, ADMIN_EMAIL, ADMIN_PASSWORD, ADMIN_SECRET, cookiesOf, SECRET } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const env = {
  SERVICE_ENABLE_AUTH: "true",
  SERVICE_SECRET: SECRET,
  SERVICE_ADMIN_SECRET: ADMIN_SECRET,
  SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: ADMIN_PASSWORD,
  SERVICE_DISABLE_RATE_LIMIT: "true",
};
const body = encodeOtlp(otlpExport([{ traceId: "1".repeat(32), spanId: "2".repeat(16), name: "step" }]));

forEachDriver("exports with credentials", (driver) => {
  const startService = servicesOfSuite();
  let service: RunningService;
  let grpc: GrpcTestClient;
  let databaseUrl: string;
  const bearer: Record<string, string | null> = {
    nobody: null,
    "a bad token": "nonsense",
    "a token of another secret": "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJBcGlLZXk6MSJ9.AAAA",
    "the admin secret": ADMIN_SECRET,
    "almost the admin secret": `${ADMIN_SECRET.slice(0, -1)}x`,
  };

  const ask = (url: string, method: string, path: string, token: string | null, json?: unknown) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  async function login(email: string, password: string): Promise<string> {
    const answer = await ask(service.url, "POST", "/auth/login", null, { email, password });
    expect(answer.status).toBe(204);
    return cookiesOf(answer)[ACCESS]!;
  }
  async function makeKey(kind: "user" | "system", token: string): Promise<{ id: string; key: string }> {
    const answer = await ask(service.url, "POST", `/v1/${kind}/api_keys`, token, { data: { name: "exporter" } });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { data: { id: string; key: string } }).data;
  }
  const overHttp = async (token: string | null, url = service.url) =>
    (
      await fetch(`${url}/v1/traces`, {
        method: "POST",
        headers: {
          "content-type": "application/x-protobuf",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body,
      })
    ).status;
  const overGrpc = async (token: string | null, client = grpc) => {
    const metadata = token === null ? {} : { authorization: `Bearer ${token}` };
    return (await client.send(body, { metadata })).code;
  };

  beforeAll(async () => {
    databaseUrl = await driver.createDatabase();
    service = await startService({ databaseUrl, env });
    grpc = grpcClient(service.grpcPort);
    const admin = await login(ADMIN_EMAIL, ADMIN_PASSWORD);
    bearer["an administrator"] = admin;
    bearer["a system key"] = (await makeKey("system", admin)).key;
    for (const role of ["MEMBER", "VIEWER"]) {
      const user = {
        auth_method: "LOCAL",
        email: `${role}@example.com`,
        username: role,
        role,
        password: "long-enough",
      };
      expect((await ask(service.url, "POST", "/v1/users", admin, { user, send_welcome_email: false })).status).toBe(
        201,
      );
      const token = await login(user.email, user.password);
      bearer[`a ${role}`] = token;
      bearer[`the key of a ${role}`] = (await makeKey("user", token)).key;
    }
  });
  afterAll(() => grpc.close());

  const refused = [401, status.UNAUTHENTICATED];
  const forbidden = [403, status.PERMISSION_DENIED];
  const stored = [200, status.OK];
  const expected: readonly (readonly [string, number[]])[] = [
    ["nobody", refused],
    ["a bad token", refused],
    ["a token of another secret", refused],
    ["almost the admin secret", refused],
    ["a VIEWER", forbidden],
    ["the key of a VIEWER", forbidden],
    ["a MEMBER", stored],
    ["the key of a MEMBER", stored],
    ["a system key", stored],
    ["an administrator", stored],
    ["the admin secret", stored],
  ];
  test.each(expected)("%s", async (caller, answers) => {
    const token = bearer[caller]!;
    expect([await overHttp(token), await overGrpc(token)]).toEqual(answers);
  });

  test("a key that is deleted is refused by both at once", async () => {
    const admin = bearer["an administrator"]!;
    const { id, key } = await makeKey("system", admin);
    expect([await overHttp(key), await overGrpc(key)]).toEqual(stored);
    expect((await ask(service.url, "DELETE", `/v1/system/api_keys/${id}`, admin)).status).toBe(204);
    expect([await overHttp(key), await overGrpc(key)]).toEqual(refused);
  });

  test("the log names no credential", () => {
    for (const token of Object.values(bearer)) if (token !== null) expect(service.log()).not.toContain(token);
    expect(service.log()).toContain("the admin secret was used");
  });

  if (driver.name === "sqlite") return;

  describe("on a second server", () => {
    test("a new key works at once, and a deleted one is refused within two seconds", async () => {
      const other = await startService({ databaseUrl, env });
      const otherGrpc = grpcClient(other.grpcPort);
      const admin = bearer["an administrator"]!;
      const { id, key } = await makeKey("user", admin);
      expect([await overHttp(key, other.url), await overGrpc(key, otherGrpc)]).toEqual(stored);
      expect((await ask(service.url, "DELETE", `/v1/user/api_keys/${id}`, admin)).status).toBe(204);
      await until(async () => (await overHttp(key, other.url)) === 401, 2000);
      expect(await overGrpc(key, otherGrpc)).toBe(status.UNAUTHENTICATED);
      otherGrpc.close();
    });
  });
});
