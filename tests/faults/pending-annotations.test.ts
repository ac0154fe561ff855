// An annotation that came before its span outlives the process, and reaches the span at whichever server that arrives.
import { expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { otlpExport } from "../support/otlp-encode.ts";
import { plainSpan, wireBody } from "../support/otlp-request.ts";
import { startService } from "../support/server.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const SPAN_ID = "00000000000000aa";
const said = { span_id: SPAN_ID, name: "early", annotator_kind: "CODE", result: { score: 0.5 } };

forEachDriver("annotations before their span", (driver) => {
  const annotate = async (url: string) => {
    const body = JSON.stringify({ data: [said] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/v1/span_annotations`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toEqual([200, { data: [] }]);
  };
  const sendSpan = async (url: string) => {
    const body = wireBody(otlpExport([{ ...plainSpan, spanId: SPAN_ID }]), "protobuf") as Uint8Array<ArrayBuffer>;
    const headers = { "content-type": "application/x-protobuf" };
    const answer = await fetch(`${url}/v1/traces`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
  };
  const scores = async (url: string): Promise<number[]> => {
    const answer = await fetch(`${url}/v1/projects/default/span_annotations?span_ids=${SPAN_ID}`);
    if (answer.status === 404) return [];
    const { data } = (await answer.json()) as { data: { result: { score: number } }[] };
    return data.map(({ result }) => result.score);
  };

  test("are there once it comes, after a kill -9 between the two", async () => {
    const databaseUrl = await driver.createDatabase();
    const first = await startService({ databaseUrl });
    await annotate(first.url);
    await first.kill();
    const second = await startService({ databaseUrl });
    await sendSpan(second.url);
    await until(async () => (await scores(second.url)).length > 0);
    expect(await scores(second.url)).toEqual([0.5]);
    expect(await second.stop()).toBe(0);
  });

  if (driver.name === "postgres") {
    test("reach it at another server", async () => {
      const databaseUrl = await driver.createDatabase();
      const [one, other] = [await startService({ databaseUrl }), await startService({ databaseUrl })];
      await annotate(one.url);
      await sendSpan(other.url);
      await until(async () => (await scores(one.url)).length > 0);
      await Promise.all([one.stop(), other.stop()]);
    });
  }
});
