// Uploads that may not go on: too many at a time, too slow, a storage that fills up meanwhile, and files that do not fit.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { openTestApi, send, type TestApi } from "../../support/api.ts";
import { BOUNDARY, datasetsOf, formOf, sendForm } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { until } from "../../support/until.ts";

const MEGABYTE = 1024 * 1024;
const PARQUET = { type: "application/vnd.apache.parquet", encoding: "gzip" };
const zeros = (bytes: number) => formOf({ name: "zeros" }, { ...PARQUET, content: gzipSync(Buffer.alloc(bytes)) });
const lines = (count: number) =>
  formOf({ name: "lines", "input_keys[]": ["q"] }, { type: "text/csv", content: `q\n${"1\n".repeat(count)}` });

/** A body that goes on when the test says so. */
function heldBody(whole: Uint8Array<ArrayBuffer>, first: number) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    body: readable,
    taken: writer.write(whole.slice(0, first)),
    async goOn() {
      await writer.write(whole.slice(first));
      await writer.close();
    },
  };
}

forEachDriver("uploads that may not go on", (driver) => {
  let api: TestApi;
  let isLocked = false;
  const { ask } = datasetsOf(() => api);
  const open = async (variables: Readonly<Record<string, string>>) => {
    api = await openTestApi(await driver.createDatabase(), { variables, isStorageLocked: () => isLocked });
  };
  const answerOf = async (body: Uint8Array<ArrayBuffer> | ReadableStream) => {
    const response = await sendForm(api, body);
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") };
  };

  describe("with a bound of one", () => {
    beforeAll(() => open({ SERVICE_MAX_UPLOADS_AT_ONCE: "1", SERVICE_MAX_UPLOAD_SPOOL_BYTES: String(MEGABYTE) }));
    afterAll(() => api.close());

    test("a second upload is refused, to be retried, until the first one has ended", async () => {
      const held = heldBody(lines(10), 20);
      const first = answerOf(held.body);
      await held.taken;
      expect(await answerOf(lines(10))).toEqual({
        status: 503,
        text: expect.stringContaining("SERVICE_MAX_UPLOADS_AT_ONCE"),
        retryAfter: "5",
      });
      await held.goOn();
      expect((await first).status).toBe(200);
      // Refused, but no longer for those that are under way.
      expect((await answerOf(lines(10))).status).toBe(409);
    });

    test.each(["POST /v1/datasets/upload?sync=true", "POST /graphql"])("a page of another site: %s", async (line) => {
      const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}`, "sec-fetch-site": "cross-site" };
      const response = await send(api.server, line, { headers, body: lines(10) });
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("may change nothing")]);
    });

    test("a storage that is locked meanwhile takes no more of it", async () => {
      const held = heldBody(
        formOf({ name: "locked", "input_keys[]": ["q"] }, { type: "text/csv", content: "q\n1\n" }),
        20,
      );
      const answer = answerOf(held.body);
      await held.taken;
      isLocked = true;
      void held.goOn().catch(() => {});
      expect((await answer).status).toBe(507);
      isLocked = false;
      expect((await ask("GET /v1/datasets?name=locked")).data).toEqual([]);
    });

    test("a file that needs more than the spool is refused, as often as it is sent", async () => {
      for (let turn = 0; turn < 3; turn++) {
        const { status, text } = await answerOf(zeros(MEGABYTE + 1));
        expect({ status, text }).toEqual({
          status: 413,
          text: expect.stringContaining("SERVICE_MAX_UPLOAD_SPOOL_BYTES"),
        });
      }
      // What the refused ones had is given back.
      expect((await answerOf(zeros(MEGABYTE))).text).toContain("no Parquet");
    });
  });

  describe("with several at a time", () => {
    beforeAll(() => open({ SERVICE_MAX_UPLOAD_SPOOL_BYTES: String(MEGABYTE), SERVICE_MAX_UPLOAD_SECONDS: "4" }));
    afterAll(() => api.close());

    test("a file that does not fit beside others is refused, to be retried", async () => {
      const whole = formOf({ name: "zeros" }, { type: PARQUET.type, content: Buffer.alloc(0.55 * MEGABYTE) });
      const held = heldBody(whole, MEGABYTE / 2);
      const first = answerOf(held.body);
      // Its bytes may still be on their way.
      await until(async () => (await answerOf(zeros(0.75 * MEGABYTE))).text.includes("SERVICE_MAX_UPLOAD_SPOOL_BYTES"));
      const { status, retryAfter } = await answerOf(zeros(0.75 * MEGABYTE));
      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: "30" });
      // What they had is given back, and a smaller one fits beside the first.
      await until(async () => (await answerOf(zeros(0.4 * MEGABYTE))).text.includes("no Parquet"));
      await held.goOn();
      expect((await first).text).toContain("no Parquet");
    });

    test("one that trickles is ended at its deadline", async () => {
      const whole = lines(10_000);
      let at = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            await Bun.sleep(50);
            controller.enqueue(whole.slice(at, ++at));
          },
        },
        { highWaterMark: 0 },
      );
      const { status, text } = await answerOf(body);
      expect({ status, text }).toEqual({ status: 408, text: expect.stringContaining("SERVICE_MAX_UPLOAD_SECONDS") });
    });
  });

  describe("without free space", () => {
    beforeAll(() => open({ SERVICE_DATABASE_MINIMUM_FREE_BYTES: String(2 ** 52) }));
    afterAll(() => api.close());

    test("no file is kept", async () => {
      expect((await answerOf(zeros(1000))).status).toBe(507);
      expect((await answerOf(lines(10))).status).toBe(200);
    });
  });
});
