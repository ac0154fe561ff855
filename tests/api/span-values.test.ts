// One value of a span over REST, on both databases: found by its exact place, and given without having all of it in memory.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { incomingFrom } from "../support/otlp-request.ts";

const MEBIBYTE = 1024 * 1024;
const LONG_CHARACTERS = 64 * MEBIBYTE;
const TEXT = `${'zwölf 💥 \\ " \n'.repeat(60_000)}large value 0 `;

forEachDriver("values of spans", (driver) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
    const shown = {
      "input.value": TEXT,
      "output.value": `\uFEFF${TEXT}`,
      metadata: { 'a"b': { "": [1.0, null, { deep: "large value 0 " }] }, "0": "zero", nothing: null, "a.b": true },
    };
    const spans = [
      { ...incomingFrom({ attributes: otlpAttributes(shown) }), traceKey: "t1", spanKey: "shown" },
      {
        ...incomingFrom({ attributes: otlpAttributes({ "input.value": "q".repeat(LONG_CHARACTERS), short: "s" }) }),
        traceKey: "t2",
        spanKey: "long",
      },
    ];
    for (const span of spans) await ingestBatch(api.stored.ingest, [span]);
  }, 60_000);
  afterAll(() => api.close());

  const open = (span: string, path: readonly (string | number)[]) =>
    send(api.server, `GET /v1/spans/${span}/value?path=${encodeURIComponent(JSON.stringify(path))}`);
  const read = async (path: readonly (string | number)[]) => {
    const response = await open("shown", path);
    return response.status === 200 ? await response.text() : response.status;
  };

  test("is a text as it is, or JSON with the long texts in their places", async () => {
    const input = { value: TEXT };
    const output = { value: `\uFEFF${TEXT}` };
    // A text answer is read without the mark at its beginning.
    expect(await read(["attributes", "input", "value"])).toBe(TEXT);
    expect(Buffer.from(await (await open("shown", ["attributes", "output", "value"])).arrayBuffer())).toEqual(
      Buffer.from(output.value),
    );
    expect(JSON.parse(String(await read(["attributes", "input"])))).toEqual(input);
    expect(JSON.parse(String(await read(["attributes", "output"])))).toEqual(output);
    const metadata = { 'a"b': { "": [1, null, { deep: "large value 0 " }] }, "0": "zero", nothing: null, "a.b": true };
    expect(JSON.parse(String(await read(["attributes", "metadata"])))).toEqual(metadata);
  });

  test.each([
    [["metadata", 'a"b', "", 2, "deep"], "large value 0 "],
    [["metadata", 'a"b', ""], '[1.0,null,{"deep":"large value 0 "}]'],
    [["metadata", "0"], "zero"],
    [["metadata", "nothing"], "null"],
    [["metadata", "a.b"], "true"],
  ])("is found at %j", async (path, text) => {
    expect(String(await read(["attributes", ...path])).replace("[1,", "[1.0,")).toBe(text);
  });

  test.each([
    [["attributes", "nothing"]],
    [["attributes", "input", "value", 0]],
    [["attributes", "input", "value", "length"]],
    [["attributes", "metadata", 0]],
    [["attributes", "metadata", 'a"b', "", 3]],
    [["attributes", "metadata", 'a"b', "", "0"]],
    [["attributes", "metadata", 'a"b', "", 4_294_967_296]],
    [["attributes", "metadata", "a", "b"]],
    [["attributes", "constructor"]],
    [["attributes", "a\u0000b"]],
    [["events", 0]],
    [["status", "code"]],
  ])("is not found at %j", async (path) => {
    expect(await read(path)).toBe(404);
  });

  test("of 64 MiB is given in parts, and one that is not there beside it reads none of them", async () => {
    let most = 0;
    const resident = () => {
      Bun.gc(true);
      return process.memoryUsage.rss();
    };
    const before = resident();
    for (let asked = 0; asked < 5; asked++) {
      expect((await open("long", ["attributes", "nothing"])).status).toBe(404);
      most = Math.max(most, process.memoryUsage.rss());
    }
    expect(most - before).toBeLessThan(LONG_CHARACTERS / 2);
    for (const path of [
      ["attributes", "input", "value"],
      ["attributes", "input"],
    ]) {
      const { body } = await open("long", path);
      let bytes = 0;
      let largest = 0;
      for await (const chunk of body!) {
        bytes += chunk.byteLength;
        largest = Math.max(largest, chunk.byteLength);
        most = Math.max(most, process.memoryUsage.rss());
      }
      expect(bytes).toBe(path.length === 3 ? LONG_CHARACTERS : LONG_CHARACTERS + '{"value":""}'.length);
      expect(largest).toBeLessThan(LONG_CHARACTERS / 16);
    }
    // A process that has run other files before gives memory back late: 4 times were seen there. Joined, it was 12 times.
    expect(most - before).toBeLessThan(6 * LONG_CHARACTERS);
  }, 60_000);
});
