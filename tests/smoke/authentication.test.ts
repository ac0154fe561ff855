// Authentication switched on as docs/authentication.md tells it, on the running service: from the documented password to an export
// with a system key, and the way back in by the command line.
import { describe, expect, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { grpcClient } from "../support/grpc.ts";
import { createHttpClient, type HttpAnswer, type RequestOptions } from "../support/http.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { forEachProgram, runCommand, startService } from "../support/server.ts";
import { until } from "../support/until.ts";

const env = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: "a-secret-of-the-smoke-test-0123456789" };
const exported = encodeOtlp(otlpExport([{ traceId: "1".repeat(32), spanId: "2".repeat(16), name: "step" }]));
const UNAUTHENTICATED = 16;

const cookieHeader = (answer: HttpAnswer) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

forEachProgram("authentication", (program) => {
  test("without a secret the service does not start, and says why", async () => {
    const { exitCode, output } = await runCommand(["serve"], { program, env: { SERVICE_ENABLE_AUTH: "true" } });
    expect(exitCode).toBe(1);
    expect(output).toContain("`SERVICE_SECRET` must be set when auth is enabled with `SERVICE_ENABLE_AUTH`");
  });

  forEachDriver("authentication", (driver) => {
    describe("from the first start on", () => {
      test("the documented way leads to exports with a system key", async () => {
        const databaseUrl = await driver.createEmptyDatabase();
        const service = await startService({ program, databaseUrl, env });
        const client = createHttpClient(service.url);
        const grpc = grpcClient(service.grpcPort);
        const login = (password: string) =>
          client.post("/auth/login", { json: { email: "admin@localhost", password } });
        const sendTrace = (headers: Record<string, string> = {}) =>
          client.post("/v1/traces", {
            body: exported,
            headers: { "content-type": "application/x-protobuf", ...headers },
          });
        expect(service.log()).toMatch(/Authentication: +Enabled/);

        expect((await client.get("/healthz")).text).toBe("OK");
        expect((await client.get("/v1/projects")).status).toBe(401);
        expect((await client.post("/graphql", { json: { query: "{ projectCount }" } })).status).toBe(401);
        expect((await sendTrace()).status).toBe(401);
        expect((await grpc.send(exported)).code).toBe(UNAUTHENTICATED);

        let cookie = cookieHeader(await login("admin"));
        const asAdmin = (method: string, path: string, options: RequestOptions = {}) =>
          client.send(method, path, { ...options, headers: { cookie } });
        const refused = await asAdmin("GET", "/v1/projects");
        expect([refused.status, refused.text]).toEqual([403, "Password reset required"]);
        const query =
          'mutation { patchViewer(input: {currentPassword: "admin", newPassword: "Correct-Horse-42"}) { user { id } } }';
        const changed = await asAdmin("POST", "/graphql", { json: { query } });
        expect(changed.text).not.toContain("errors");
        expect((await asAdmin("GET", "/v1/user")).status).toBe(401);
        expect((await login("admin")).status).toBe(401);

        cookie = cookieHeader(await login("Correct-Horse-42"));
        const made = await asAdmin("POST", "/v1/system/api_keys", { json: { data: { name: "exporters" } } });
        expect(made.status).toBe(201);
        const { key } = made.json<{ data: { key: string } }>().data;
        const authorization = `Bearer ${key}`;
        expect((await sendTrace({ authorization })).status).toBe(200);
        expect((await grpc.send(exported, { metadata: { authorization } })).code).toBe(0);
        const spans = await asAdmin("GET", "/v1/projects/default/spans");
        expect(spans.json()).toMatchObject({ data: [{ name: "step" }] });

        const graphql = async (mutation: string) =>
          (await asAdmin("POST", "/graphql", { json: { query: `mutation { ${mutation} { user { id } } }` } })).text;
        const user = 'email: "ann@example.com", username: "ann", role: MEMBER, password: "abcd"';
        const { createUser } = (
          JSON.parse(await graphql(`createUser(input: {${user}})`)) as {
            data: { createUser: { user: { id: string } } };
          }
        ).data;
        // A refusal of the database, which crosses the threads of the service.
        expect(await graphql(`patchUser(input: {userId: "${createUser.user.id}", newUsername: "admin"})`)).toContain(
          '"message":"Username already exists"',
        );

        const database = { SERVICE_SQL_DATABASE_URL: databaseUrl };
        const reset = await runCommand(["users", "reset-password", "--email", "admin@localhost"], {
          program,
          env: database,
        });
        await until(async () => (await asAdmin("GET", "/v1/user")).status === 401);
        const password = /: (\S+)\s*$/.exec(reset.output)![1]!;
        const signedIn = await login(password);
        expect(signedIn.status).toBe(204);
        cookie = cookieHeader(signedIn);
        // What was printed on a terminal opens nothing but its own change.
        for (const [method, path, json] of [
          ["GET", "/v1/projects"],
          ["POST", "/v1/projects", { name: "made" }],
          ["POST", "/graphql", { query: "{ projectCount }" }],
        ] as const) {
          const answer = await asAdmin(method, path, { json });
          expect([method, path, answer.status, answer.text]).toEqual([method, path, 403, "Password reset required"]);
        }
        const change = `mutation { patchViewer(input: {currentPassword: ${JSON.stringify(password)}, newPassword: "Better-Horse-43"}) { user { id } } }`;
        expect((await asAdmin("POST", "/graphql", { json: { query: change } })).text).not.toContain("errors");
        cookie = cookieHeader(await login("Better-Horse-43"));
        expect((await asAdmin("GET", "/v1/projects")).status).toBe(200);
        const told = service.log();
        for (const secret of [env.SERVICE_SECRET, "Correct-Horse-42", "Better-Horse-43", password, key])
          expect(told).not.toContain(secret);
        grpc.close();
        expect(await service.stop()).toBe(0);

        const restarted = await startService({ program, databaseUrl, env });
        const again = createHttpClient(restarted.url);
        expect((await again.get("/v1/projects", { headers: { authorization } })).status).toBe(200);
        expect(await restarted.stop()).toBe(0);
      });
    });
  });
});
