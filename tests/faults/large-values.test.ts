// A value of 64 MiB over REST, from a real server: it is given in parts, and a value that is not there reads none of them.
import { expect, setDefaultTimeout, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { incomingFrom } from "../support/otlp-request.ts";
import { residentMegabytes } from "../support/process-memory.ts";
import { servicesOfSuite } from "../support/server.ts";

setDefaultTimeout(120_000);

const LONG_MEGABYTES = 64;
const LONG_CHARACTERS = LONG_MEGABYTES * 1024 * 1024;

forEachDriver("a value of 64 MiB", (driver) => {
  const startService = servicesOfSuite();

  test("is given in parts, and one that is not there beside it reads none of them", async () => {
    const databaseUrl = await driver.createDatabase();
    const api = await openTestApi(databaseUrl);
    const attributes = otlpAttributes({ "input.value": "q".repeat(LONG_CHARACTERS), short: "s" });
    await ingestBatch(api.stored.ingest, [{ ...incomingFrom({ attributes }), traceKey: "t", spanKey: "long" }]);
    await api.close();
    const service = await startService({ databaseUrl });
    const open = (...path: readonly (string | number)[]) =>
      fetch(`${service.url}/v1/spans/long/value?path=${encodeURIComponent(JSON.stringify(path))}`);

    expect(await (await open("attributes", "short")).text()).toBe("s");
    const before = (await residentMegabytes(service.pid)).now;
    const grown = async () => (await residentMegabytes(service.pid)).most - before;
    for (let asked = 0; asked < 5; asked++) expect((await open("attributes", "nothing")).status).toBe(404);
    expect(await grown()).toBeLessThan(LONG_MEGABYTES / 2);

    for (const [path, around] of [
      [["input", "value"], ""],
      [["input"], '{"value":""}'],
    ] as const) {
      const { body } = await open("attributes", ...path);
      let bytes = 0;
      for await (const chunk of body!) bytes += chunk.byteLength;
      expect(bytes).toBe(LONG_CHARACTERS + around.length);
    }
    expect(await grown()).toBeLessThan(4 * LONG_MEGABYTES);
  });
});
