// A message that came before its span outlives the process, and reaches the span at whichever server that arrives; large ones and turns of
// coding agents go through the service as it runs.
import { expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { grpcClient } from "../support/grpc.ts";
import { otlpAttributes, otlpExport, otlpValue } from "../support/otlp-encode.ts";
import { logsBody, otlpLogs, recordedLogs } from "../support/otlp-logs.ts";
import { plainSpan, wireBody } from "../support/otlp-request.ts";
import { startService } from "../support/server.ts";
import { expectVerified } from "../support/stored.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const headers = { "content-type": "application/x-protobuf" };
const LOGS_METHOD = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";

function message(content: string) {
  const { traceId, spanId } = plainSpan;
  const record = {
    traceId: traceId!,
    spanId: spanId!,
    timeUnixNano: "1700000000000000000",
    eventName: "gen_ai.user.message",
    body: otlpValue({ content }),
    attributes: otlpAttributes({ "gen_ai.system": "openai" }),
  };
  return logsBody(otlpLogs([record]), "protobuf");
}

forEachDriver("messages before their span", (driver) => {
  const sendMessage = async (url: string, content: string) => {
    const answer = await fetch(`${url}/v1/logs`, { method: "POST", headers, body: message(content) });
    expect([answer.status, (await answer.bytes()).byteLength]).toEqual([200, 0]);
  };
  const sendSpan = async (url: string) => {
    const body = wireBody(otlpExport([plainSpan]), "protobuf") as Uint8Array<ArrayBuffer>;
    expect((await fetch(`${url}/v1/traces`, { method: "POST", headers, body })).status).toBe(200);
  };
  const contents = async (url: string): Promise<unknown[]> => {
    const answer = await fetch(`${url}/v1/projects/default/spans`);
    if (answer.status === 404) return [];
    const { data } = (await answer.json()) as { data: { attributes: Record<string, unknown> }[] };
    return data.flatMap(({ attributes }) =>
      Object.entries(attributes).flatMap(([key, value]) => (key.endsWith("message.content") ? [value] : [])),
    );
  };

  test("are there once it comes, after a kill -9 between the two, also of 5 MB", async () => {
    const databaseUrl = await driver.createDatabase();
    const long = `${"å".repeat(2.5 * 1024 * 1024)}!`;
    const first = await startService({ databaseUrl });
    await sendMessage(first.url, long);
    await first.kill();
    const second = await startService({ databaseUrl });
    await sendSpan(second.url);
    await until(async () => (await contents(second.url)).length > 0);
    expect((await contents(second.url))[0] === long).toBe(true);
    // Sent again, because the answer was lost.
    await sendMessage(second.url, long);
    expect((await contents(second.url)).length).toBe(1);
    expect(await second.stop()).toBe(0);
    await expectVerified({ url: databaseUrl });
  });

  test("come over gRPC, and so do turns of coding agents", async () => {
    const databaseUrl = await driver.createDatabase();
    const service = await startService({ databaseUrl });
    const client = grpcClient(service.grpcPort, { packing: "gzip" });
    try {
      await sendSpan(service.url);
      expect(await client.send(message("Hello"), { method: LOGS_METHOD })).toMatchObject({ code: 0 });
      expect(await contents(service.url)).toEqual(["Hello"]);
      for (const agent of ["claude-code", "codex", "gemini-cli"]) {
        for (const logs of await recordedLogs(agent)) {
          const { code, body } = await client.send(logsBody(logs, "protobuf"), { method: LOGS_METHOD });
          expect([code, body?.byteLength]).toEqual([0, 0]);
        }
      }
      expect((await client.send(Uint8Array.from([10, 200]), { method: LOGS_METHOD })).code).toBe(3);
    } finally {
      client.close();
      await service.stop();
    }
    await expectVerified({ url: databaseUrl });
  });

  if (driver.name === "postgres") {
    test("reach it at another server, which both find", async () => {
      const databaseUrl = await driver.createDatabase();
      const [one, other] = [await startService({ databaseUrl }), await startService({ databaseUrl })];
      await sendMessage(one.url, "early");
      await sendSpan(other.url);
      await until(async () => (await contents(one.url)).length > 0);
      // Both at once: the span is changed by one after the other.
      await Promise.all([sendMessage(one.url, "second"), sendMessage(other.url, "third")]);
      expect((await contents(other.url)).sort()).toEqual(["early", "second", "third"]);
      await Promise.all([one.stop(), other.stop()]);
      await expectVerified({ url: databaseUrl });
    });
  }
});
