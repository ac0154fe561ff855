// The shortest walk through the whole product, by its commands: serve, send a trace, read it back, look after it, stop.
import { describe, expect, test } from "bun:test";
import packageFile from "../../package.json" with { type: "json" };
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { freePort } from "../support/ports.ts";
import { forEachProgram, runCommand, startService } from "../support/server.ts";

const trace = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: "openinference.project.name", value: { stringValue: "smoke" } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: "0af7651916cd43dd8448eb211c80319c",
              spanId: "b7ad6b7169203331",
              name: "first light",
              kind: 1,
              startTimeUnixNano: "1740830400000000000",
              endTimeUnixNano: "1740830401000000000",
              attributes: [{ key: "openinference.span.kind", value: { stringValue: "CHAIN" } }],
            },
          ],
        },
      ],
    },
  ],
};

forEachProgram("smoke", (program) => {
  test("--version prints the version and nothing else", async () => {
    const { exitCode, output } = await runCommand(["--version"], { program });
    expect({ exitCode, output: output.trim() }).toEqual({ exitCode: 0, output: packageFile.version });
  });

  test("a command that does not exist exits 2 with a line that says so", async () => {
    const { exitCode, output } = await runCommand(["conquer"], { program });
    expect(exitCode).toBe(2);
    expect(output).toContain("conquer");
  });

  test("healthcheck fails where nothing listens", async () => {
    const env = { SERVICE_PORT: String(await freePort()) };
    expect((await runCommand(["healthcheck"], { program, env })).exitCode).toBe(1);
  });

  forEachDriver("smoke", (driver) => {
    describe("serve", () => {
      test("takes a trace, gives it back, passes its own checks and stops with 0", async () => {
        const databaseUrl = await driver.createEmptyDatabase();
        const service = await startService({ program, databaseUrl });
        const client = createHttpClient(service.url);
        const env = { SERVICE_SQL_DATABASE_URL: databaseUrl, SERVICE_PORT: String(service.port) };

        const sent = await client.post("/v1/traces", { json: trace });
        expect(sent.status).toBe(200);
        const read = await client.get("/v1/projects/smoke/spans");
        expect(read.json()).toMatchObject({
          data: [{ name: "first light", span_kind: "CHAIN", context: { span_id: "b7ad6b7169203331" } }],
          next_cursor: null,
        });
        // A thread of its own reads spans over REST; a compiled check lets the body of a project through.
        const span = { name: "n", context: { trace_id: "t", span_id: "s" }, span_kind: "CHAIN", status_code: "OK" };
        const times = { start_time: "2024-01-01T12:00:00Z", end_time: "2024-01-01T12:00:01Z" };
        const rest = await client.post("/v1/projects/rest/spans", { json: { data: [{ ...span, ...times }] } });
        expect([rest.status, rest.json()]).toEqual([202, { total_received: 1, total_queued: 1 }]);
        const wrong = await client.post("/v1/projects/rest/spans", { json: { data: [span] } });
        expect([wrong.status, wrong.headers.get("x-violation-count")]).toEqual([422, "2"]);
        expect((await client.post("/v1/projects", { json: { name: "made", description: "by hand" } })).status).toBe(
          200,
        );
        expect((await client.post("/v1/projects", { json: { name: 5 } })).status).toBe(422);
        expect((await client.get("/openapi.json")).status).toBe(200);
        expect((await client.get("/docs")).status).toBe(200);
        const page = await client.get("/projects");
        expect(page.status).toBe(200);
        const script = /<script type="module" src="(assets\/[^"]+)"/.exec(page.text)?.[1];
        expect((await client.get(`/${script}`)).text.length).toBeGreaterThan(100_000);
        expect((await runCommand(["healthcheck"], { program, env })).exitCode).toBe(0);
        expect(await service.stop()).toBe(0);

        const verified = await runCommand(["verify"], { program, env });
        expect({ exitCode: verified.exitCode, output: verified.output }).toMatchObject({ exitCode: 0 });
        const restarted = await startService({ program, databaseUrl });
        const again = await createHttpClient(restarted.url).get("/v1/projects/smoke/spans");
        expect(again.json()).toEqual(read.json());
        expect(await restarted.stop()).toBe(0);
      });
    });
  });

  test("a folder without a database is all it needs", async () => {
    const service = await startService({ program, databaseUrl: "" });
    expect((await createHttpClient(service.url).get("/healthz")).text).toBe("OK");
    expect(service.log()).toContain("spanlight.db");
    expect(await service.stop()).toBe(0);
  });
});
