// Programs with an API key, as the guide tells to give it to them: the official client and the standard exporters read it from
// their environment, unmodified.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { type RunningService, runCommand, servicesOfSuite } from "../support/server.ts";
import { ADMIN_SECRET, SECRET } from "../support/sign-in.ts";

setDefaultTimeout(60_000);

/** Exports three spans in the way that is named and reads them back with the client. */
const PROGRAM = `
import { createClient } from "@arizeai/phoenix-client";
import { getSpans } from "@arizeai/phoenix-client/spans";
import { register } from "@arizeai/phoenix-otel";
import { OTLPTraceExporter as GrpcExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { answerQuestion, providerFor } from "${new URL("../support/instrumented-program.ts", import.meta.url).pathname}";
const [way, url, grpcUrl] = process.argv.slice(1);
const provider =
  way === "phoenix-otel" ? register({ projectName: way, url, batch: false, global: false })
  : way === "http" ? providerFor(new ProtobufExporter({ url: url + "/v1/traces" }), way)
  : providerFor(new GrpcExporter({ url: grpcUrl }), way);
answerQuestion(provider, "session");
await provider.forceFlush();
const { spans } = await getSpans({ client: createClient({ options: { baseUrl: url } }), project: { project: way } });
console.log(spans.length);
process.exit(0);
`;

forEachDriver("programs with an API key", (driver) => {
  const startService = servicesOfSuite();
  let service: RunningService;
  let key = "";
  beforeAll(async () => {
    service = await startService({
      databaseUrl: await driver.createDatabase(),
      env: { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: SECRET, SERVICE_ADMIN_SECRET: ADMIN_SECRET },
    });
    const answer = await fetch(`${service.url}/v1/system/api_keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_SECRET}`, "content-type": "application/json" },
      body: JSON.stringify({ data: { name: "programs" } }),
    });
    key = ((await answer.json()) as { data: { key: string } }).data.key;
  });

  async function run(way: string, env: Readonly<Record<string, string>>): Promise<string> {
    const command = [process.execPath, "-e", PROGRAM, way, service.url, `http://127.0.0.1:${service.grpcPort}`];
    const child = Bun.spawn(command, {
      cwd: new URL("../..", import.meta.url).pathname,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, problems] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return (await child.exited) === 0 ? output.trim() : problems;
  }
  const headers = () => ({ OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${key}` });

  test("the client and its tracing read PHOENIX_API_KEY", async () => {
    expect(await run("phoenix-otel", { PHOENIX_API_KEY: key })).toBe("3");
  });

  test.each(["http", "grpc"])("an exporter over %s reads OTEL_EXPORTER_OTLP_HEADERS", async (way) => {
    expect(await run(way, { ...headers(), PHOENIX_API_KEY: key })).toBe("3");
  });

  test.each(["SERVICE_API_KEY", "PHOENIX_API_KEY"])("spanlight demo reads %s", async (variable) => {
    const demo = (words: readonly string[], env: Record<string, string>) =>
      runCommand(["demo", "--url", service.url, ...words], { env });
    const refused = await demo([], { [variable]: "" });
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toContain("Give an API key that may do this in SERVICE_API_KEY");
    expect(await demo([], { [variable]: key })).toMatchObject({ exitCode: 0 });
    expect(await demo(["--remove"], { [variable]: ADMIN_SECRET })).toMatchObject({ exitCode: 0 });
  });

  test("without one they are refused", async () => {
    expect(await run("phoenix-otel", {})).toContain("401");
  });
});
