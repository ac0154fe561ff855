// JSON bodies of many megabytes, valid and hostile: each gets its answer, and meanwhile every other request gets its own as if
// nothing happened.

import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import type { HttpClient } from "../support/http.ts";
import { residentMegabytes } from "../support/process-memory.ts";
import { openService } from "../support/server.ts";
import { storedSpans } from "../support/stored.ts";
import { openForSuite } from "../support/suite.ts";

setDefaultTimeout(120_000);

const MEGABYTE = 1024 * 1024;
const SIZE = 20 * MEGABYTE;
/** Health is asked for that often, in milliseconds, and by at most so many requests that wait for their answers at once. */
const PROBE_INTERVAL_MS = 10;
const MOST_ASKING = 50;
/** Of a body that is answered sooner nothing can be learnt. */
const LEAST_PROBES = 10;
const MOST_MEGABYTES = 1_500;
const JSON_TYPE = { "content-type": "application/json" };

const spanOf = (number: number, more: object = {}) => ({
  name: "a step",
  context: { trace_id: `trace ${number >> 4}`, span_id: `span ${number}` },
  span_kind: "CHAIN",
  start_time: "2024-01-01T12:00:00.123456+00:00",
  end_time: "2024-01-01T12:00:01+00:00",
  status_code: "OK",
  ...more,
});

const filled = (before: string, unit: string, after: string, size: number) =>
  before + unit.repeat(Math.floor((size - before.length - after.length) / unit.length)) + after;

/** Values of one kind, as the largest part of a body. */
const values: Readonly<Record<string, (before: string, after: string, size: number) => string>> = {
  "numbers like 1.0": (before, after, size) => filled(`${before}[`, "1.0,", `1]${after}`, size),
  "different numbers": (before, after, size) =>
    `${before}[${Array.from({ length: size / 10 }, (_, number) => `${number}.0`).join(",")}]${after}`,
  "a million keys": (before, after, size) =>
    `${before}{${Array.from({ length: size / 20 }, (_, number) => `"key ${number}":1`).join(",")}}${after}`,
  "short texts": (before, after, size) => filled(`${before}[`, '"a",', `"a"]${after}`, size),
  "one long text": (before, after, size) => filled(`${before}"`, "x", `"${after}`, size),
  depth: (before, after, size) =>
    `${before}${"[".repeat(size / 10)}${"]".repeat(size / 10)}${" ".repeat(size / 2)}${after}`,
  "a syntax error at the end": (before, _after, size) => filled(`${before}[`, "1.0,", "!", size),
  "lists that never end": (before, _after, size) => filled(before, "[1,", "", Math.min(size, 3_000_000)),
};

/** Asks for the health of the service while `work` goes on, and expects answers in the meantime: a service whose main thread reads the
 *  body answers what was asked while it reads only afterwards. What counts is the order of the answers, not how long any takes. */
async function expectAnswersDuring(url: string, work: () => Promise<unknown>): Promise<void> {
  const probes: { readonly asked: number; answered: number; status: number | string }[] = [];
  const asking = new Set<Promise<void>>();
  async function probe(): Promise<void> {
    const entry = { asked: performance.now(), answered: Infinity, status: "unanswered" as number | string };
    probes.push(entry);
    entry.status = await fetch(`${url}/healthz`).then(
      async (response) => {
        await response.text();
        return response.status;
      },
      (error: unknown) => String(error),
    );
    entry.answered = performance.now();
  }
  const began = performance.now();
  let ended = Infinity;
  const finished = work().finally(() => {
    ended = performance.now();
  });
  while (ended === Infinity) {
    if (asking.size < MOST_ASKING) {
      const asked = probe().finally(() => asking.delete(asked));
      asking.add(asked);
    }
    await Promise.race([finished, Bun.sleep(PROBE_INTERVAL_MS)]);
  }
  await Promise.all([finished, ...asking]);
  expect(probes.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  const early = probes.filter(({ asked }) => asked - began < (ended - began) / 2);
  if (early.length < LEAST_PROBES) return;
  const meanwhile = early.filter(({ answered }) => answered < ended);
  expect(meanwhile.length, `of ${early.length} probes`).toBeGreaterThan(early.length / 2);
}

forEachDriver("large bodies", (driver) => {
  const suite = openForSuite(async () => openService(await driver.createDatabase()));
  beforeAll(async () => {
    // Whatever is loaded by the first request of a kind is there.
    await suite.client.post("/graphql", {
      headers: JSON_TYPE,
      body: '{"query":"{ projects { edges { node { name } } } }"}',
    });
    await suite.client.post("/v1/projects/first/spans", { headers: JSON_TYPE, body: '{"data":[]}' });
  });

  /** Answers with the status. */
  async function send(path: string, body: string | (() => ReadableStream)): Promise<number> {
    const sent = typeof body === "string" ? new TextEncoder().encode(body) : body();
    return (await suite.client.post(path, { headers: JSON_TYPE, body: sent as Uint8Array<ArrayBuffer> })).status;
  }

  /** The same, while the service is probed. */
  async function sendWhileProbing(path: string, body: string): Promise<number> {
    let status = 0;
    const bytes = new TextEncoder().encode(body);
    await expectAnswersDuring(suite.service.url, async () => {
      ({ status } = await suite.client.post(path, { headers: JSON_TYPE, body: bytes }));
    });
    return status;
  }

  describe("spans", () => {
    const path = "/v1/projects/large/spans";
    const before = `{"data":[${JSON.stringify(spanOf(1_000_000)).slice(0, -1)},"attributes":{"value":`;
    test("20 MB of spans are stored", async () => {
      const attributes = { input: { value: "hello ".repeat(150) }, score: 1.5 };
      const spans = Array.from({ length: SIZE / 1_250 }, (_, number) => spanOf(number, { attributes }));
      expect(await sendWhileProbing(path, JSON.stringify({ data: spans }))).toBe(202);
      expect((await storedSpans(suite)).length).toBeGreaterThanOrEqual(spans.length);
      // All of them a second time: nothing is stored, and each is named.
      const body = new TextEncoder().encode(JSON.stringify({ data: spans }));
      const again = await suite.client.post(path, { headers: JSON_TYPE, body });
      expect(again.status).toBe(400);
      expect(again.json<{ duplicate_spans: unknown[] }>().duplicate_spans).toHaveLength(spans.length);
    });

    for (const [name, bodyWith] of Object.entries(values)) {
      test(`20 MB of ${name}`, async () => {
        const body = bodyWith(before, "}}]}", SIZE);
        // Stored, refused as too deep, as a second of its id or as no JSON: what counts is that nobody waits for it.
        expect([202, 400, 422]).toContain(await sendWhileProbing(path, body));
      });
    }

    test("4 MB of wrong entries are answered in a few lines", async () => {
      const body = new TextEncoder().encode(filled('{"data":[', "{},", "{}]}", 4 * MEGABYTE));
      let answer: Awaited<ReturnType<HttpClient["post"]>> | undefined;
      await expectAnswersDuring(suite.service.url, async () => {
        answer = await suite.client.post(path, { headers: JSON_TYPE, body });
      });
      expect([answer!.status, answer!.text.length < 20_000]).toEqual([422, true]);
      expect(Number(answer!.headers.get("x-violation-count"))).toBeGreaterThan(8_000_000);
    });
  });

  describe("GraphQL", () => {
    const before = '{"query":"query ($a: Int) { __typename }","variables":{"value":';
    test("20 MB are refused before they are sent", async () => {
      const answer = await suite.client.post("/graphql", {
        headers: JSON_TYPE,
        body: filled(before, " ", "1}}", SIZE),
      });
      expect([answer.status, answer.text]).toEqual([413, "The body is larger than 1048576 bytes"]);
    });

    test("a stream that does not end is refused while it is read", async () => {
      let sent = 0;
      const endless = () =>
        new ReadableStream({
          pull(controller) {
            sent += 65_536;
            if (sent > SIZE) controller.close();
            else controller.enqueue(new Uint8Array(65_536).fill(32));
          },
        });
      expect(await send("/graphql", endless)).toBe(413);
    });

    for (const [name, bodyWith] of Object.entries(values)) {
      test(`a megabyte of ${name}`, async () => {
        const body = bodyWith(before, "}}", MEGABYTE);
        expect(body.length).toBeLessThanOrEqual(MEGABYTE);
        // The main thread may read it: the bound of its size is what keeps that short.
        expect([200, 400, 413]).toContain(await send("/graphql", body));
      });
    }
  });

  test("memory stayed bounded, and the service stops in order", async () => {
    expect((await residentMegabytes(suite.service.pid)).most).toBeLessThan(MOST_MEGABYTES);
    expect(suite.service.log()).not.toMatch(/ (?:ERROR|WARNING) /);
    expect(await suite.service.stop()).toBe(0);
  });
});
