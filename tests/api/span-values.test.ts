// One value of a span over REST, on both databases: found by its exact place, and given without having all of it in memory.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { incomingFrom } from "../support/otlp-request.ts";
import { openForSuite } from "../support/suite.ts";

const TEXT = `${'zwölf 💥 \\ " \n'.repeat(60_000)}large value 0 `;

forEachDriver("values of spans", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const shown = {
      "input.value": TEXT,
      "output.value": `\uFEFF${TEXT}`,
      metadata: { 'a"b': { "": [1.0, null, { deep: "large value 0 " }] }, "0": "zero", nothing: null, "a.b": true },
    };
    const span = { ...incomingFrom({ attributes: otlpAttributes(shown) }), traceKey: "t1", spanKey: "shown" };
    await ingestBatch(api.stored.ingest, [span]);
  });

  const open = (path: readonly (string | number)[]) =>
    send(api.server, `GET /v1/spans/shown/value?path=${encodeURIComponent(JSON.stringify(path))}`);
  const read = async (path: readonly (string | number)[]) => {
    const response = await open(path);
    return response.status === 200 ? await response.text() : response.status;
  };

  test("is a text as it is, or JSON with the long texts in their places", async () => {
    const input = { value: TEXT };
    const output = { value: `\uFEFF${TEXT}` };
    // A text answer is read without the mark at its beginning.
    expect(await read(["attributes", "input", "value"])).toBe(TEXT);
    expect(Buffer.from(await (await open(["attributes", "output", "value"])).arrayBuffer())).toEqual(
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
});
