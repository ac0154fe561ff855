// The official TypeScript client with an API key, and mail, against the service as it runs: also what the compiled program loads
// only when it is needed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createClient } from "@arizeai/phoenix-client";
import { getSpans, logSpans } from "@arizeai/phoenix-client/spans";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startMailServer, type TestMailServer } from "../support/mail-server.ts";
import { forEachProgram, type RunningService, servicesOfSuite } from "../support/server.ts";
import { ACCESS, ADMIN_EMAIL, ADMIN_PASSWORD, cookiesOf, SECRET } from "../support/sign-in.ts";

forEachProgram("phoenix-client with credentials", (program) => {
  forEachDriver("phoenix-client with credentials", (driver) => {
    const startService = servicesOfSuite();
    let service: RunningService;
    let mail: TestMailServer;
    let token: string;
    beforeAll(async () => {
      mail = await startMailServer();
      service = await startService({
        program,
        databaseUrl: await driver.createDatabase(),
        env: {
          ...mail.variables,
          SERVICE_ENABLE_AUTH: "true",
          SERVICE_SECRET: SECRET,
          SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: ADMIN_PASSWORD,
        },
      });
      const answer = await fetch(`${service.url}/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
      });
      token = cookiesOf(answer)[ACCESS]!;
    });
    afterAll(() => mail.close());

    const spans = (headers: Record<string, string>) => {
      const client = createClient({ options: { baseUrl: service.url, headers } });
      return {
        send: () =>
          logSpans({
            client,
            project: { project: "default" },
            spans: [
              {
                name: "turn",
                span_kind: "CHAIN",
                context: { trace_id: "1".repeat(32), span_id: "2".repeat(16) },
                start_time: new Date(0).toISOString(),
                end_time: new Date(1000).toISOString(),
                status_code: "OK",
              },
            ],
          }),
        read: () => getSpans({ client, project: { project: "default" } }),
      };
    };

    test("an API key sends and reads spans; without one both are refused by what the server says", async () => {
      const made = await createHttpClient(service.url, { authorization: `Bearer ${token}` }).post(
        "/v1/system/api_keys",
        {
          json: { data: { name: "exporter" } },
        },
      );
      const { key } = made.json<{ data: { key: string } }>().data;
      const keyed = spans({ Authorization: `Bearer ${key}` });
      await keyed.send();
      expect((await keyed.read()).spans.map(({ name }) => name)).toEqual(["turn"]);
      for (const headers of [{}, { Authorization: `Bearer ${key}x` }] as Record<string, string>[]) {
        expect(await spans(headers).read().then(String, String)).toContain("401");
        expect(await spans(headers).send().then(String, String)).not.toBe("[object Object]");
      }
      expect((await keyed.read()).spans.length).toBe(1);
    });

    test("a new account gets its welcome", async () => {
      const user = {
        auth_method: "LOCAL",
        email: "ann@example.com",
        username: "Ann",
        role: "MEMBER",
        password: "abcd",
      };
      const client = createHttpClient(service.url, { authorization: `Bearer ${token}` });
      expect((await client.post("/v1/users", { json: { user } })).status).toBe(201);
      expect(mail.mails.map(({ to }) => to)).toEqual([["ann@example.com"]]);
    });
  });
});
