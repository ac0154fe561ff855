// Spans that are valid and hostile, through every way in: their neighbours are stored, what was accepted can be listed and
// deleted, the service stays up and its sums right.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import {
  hostileJsonSpans,
  hostileRestSpans,
  hostileSpans,
  ordinarySpan,
  restBody,
  restSpan,
} from "../support/hostile-spans.ts";
import { createHttpClient, type HttpClient } from "../support/http.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { residentMegabytes } from "../support/process-memory.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { expectVerified, storedSpans } from "../support/stored.ts";

setDefaultTimeout(60_000);

/** Generous: it reads and lists spans of 20 MB, several to a page. */
const MOST_MEGABYTES = 1_500;

interface Answer {
  readonly status: number;
  readonly rejected: number;
}

/** The answer to a sender; `rejected` as the OTLP answer counts it. */
async function send(
  client: HttpClient,
  format: "protobuf" | "json",
  spans: Parameters<typeof otlpExport>[0],
): Promise<Answer> {
  const request = otlpExport(spans);
  const answer = await client.post("/v1/traces", {
    headers: { "content-type": format === "json" ? "application/json" : "application/x-protobuf" },
    body: format === "json" ? JSON.stringify(request) : encodeOtlp(request),
  });
  if (answer.status !== 200 || format === "protobuf") {
    // Field 1 of field 1 of the protobuf answer; counts here are below 128.
    return { status: answer.status, rejected: answer.text.length === 0 ? 0 : answer.text.charCodeAt(3) };
  }
  const { partialSuccess } = answer.json<{ partialSuccess?: { rejectedSpans: string } }>();
  return { status: 200, rejected: Number(partialSuccess?.rejectedSpans ?? 0) };
}

forEachDriver("hostile spans", (driver) => {
  const startService = servicesOfSuite();

  for (const format of ["protobuf", "json", "rest"] as const) {
    describe(`as ${format}`, () => {
      const sent = new Set<string>();
      let url: string;
      let service: RunningService;
      let client: HttpClient;
      beforeAll(async () => {
        url = await driver.createDatabase();
        service = await startService({ databaseUrl: url });
        client = createHttpClient(service.url);
      });
      afterAll(async () => {
        expect(service.log()).not.toContain(" ERROR ");
        expect((await residentMegabytes(service.pid)).most).toBeLessThan(MOST_MEGABYTES);
        expect(await service.stop()).toBe(0);
        await expectVerified({ url });
      });

      if (format === "rest") {
        for (const { name, spans, refused } of hostileRestSpans) {
          test(`${name}: ${refused ? "refused as a whole" : "stored"}`, async () => {
            const data = [restSpan(), ...spans, restSpan()];
            const headers = { "content-type": "application/json" };
            const answer = await client.post("/v1/projects/hostile/spans", { headers, body: restBody(data) });
            if (refused === undefined) {
              expect(answer.status, answer.text.slice(0, 1000)).toBe(202);
              for (const { context } of data) sent.add(`${context.trace_id}/${context.span_id}`);
            } else expect(answer.status, answer.text.slice(0, 1000)).toBe(refused);
          });
        }
      } else {
        for (const { name, spans, rejected = 0 } of format === "json"
          ? [...hostileSpans, ...hostileJsonSpans]
          : hostileSpans) {
          test(`${name}: ${rejected === 0 ? "stored" : "counted as rejected"}, its neighbours kept`, async () => {
            const all = [ordinarySpan(), ...spans, ordinarySpan()];
            expect(await send(client, format, all)).toEqual({ status: 200, rejected });
            const accepted = rejected === 0 ? all : [all.at(0)!, all.at(-1)!];
            for (const { traceId, spanId } of accepted) sent.add(`${traceId}/${spanId}`);
          });
        }
      }

      test("everything accepted is stored, once", async () => {
        expect((await storedSpans({ url })).length).toBe(sent.size);
      });

      // Those of JSON hold all those of protobuf; once they are rows, nothing tells which way they came.
      if (format === "protobuf") return;

      test("everything stored is listed, in every form and order", async () => {
        const lists: Record<string, string[]> = {};
        for (const project of await allOf<{ name: string }>(client, "/v1/projects")) {
          const base = `/v1/projects/${encodeURIComponent(project.name)}`;
          for (const path of [
            `${base}/spans`,
            `${base}/spans?sort=start_time&order=asc`,
            `${base}/spans/otlpv1`,
            `${base}/traces?include_spans=true`,
            `${base}/traces?sort=latency_ms`,
            `${base}/sessions`,
          ]) {
            const list = path.slice(base.length);
            const items = await allOf<Record<string, unknown>>(client, path);
            lists[list] = [
              ...(lists[list] ?? []),
              ...items.map((item) => JSON.stringify(item.id ?? item.spanId ?? item.span_id)),
            ];
          }
        }
        expect(new Set(lists["/spans"]).size).toBe(sent.size);
        expect(lists["/spans"]!.length).toBe(sent.size);
        expect(lists["/spans?sort=start_time&order=asc"]!.length).toBe(sent.size);
        expect(lists["/spans/otlpv1"]!.length).toBe(sent.size);
        const traces = new Set([...sent].map((span) => span.split("/")[0])).size;
        expect(lists["/traces?include_spans=true"]!.length).toBe(traces);
        expect(lists["/traces?sort=latency_ms"]!.length).toBe(traces);
        expect((await allOf(client, "/v1/sessions")).length).toBe(lists["/sessions"]!.length);
      });

      test("everything stored can be deleted: sessions, spans, traces", async () => {
        for (const { id } of await allOf<{ id: string }>(client, "/v1/sessions")) {
          expect((await client.delete(`/v1/sessions/${encodeURIComponent(id)}`)).status).toBe(204);
        }
        for (const project of await allOf<{ name: string }>(client, "/v1/projects")) {
          const base = `/v1/projects/${encodeURIComponent(project.name)}`;
          const spans = await allOf<{ id: string }>(client, `${base}/spans`);
          for (const { id } of spans.filter((_, position) => position % 5 === 0)) {
            expect((await client.delete(`/v1/spans/${encodeURIComponent(id)}`)).status).toBe(204);
          }
          for (const { id } of await allOf<{ id: string }>(client, `${base}/traces`)) {
            expect((await client.delete(`/v1/traces/${encodeURIComponent(id)}`)).status).toBe(204);
          }
          expect(await allOf(client, `${base}/spans`)).toEqual([]);
        }
        expect(await storedSpans({ url })).toEqual([]);
      });
    });
  }
});

/** All items of a list, page by page. */
async function allOf<Item>(client: HttpClient, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ; ) {
    const answer = await client.get(path, { query: { limit: 20, cursor } });
    expect(answer.status, `${path}: ${answer.text.slice(0, 300)}`).toBe(200);
    const page = answer.json<{ data: Item[]; next_cursor: string | null }>();
    items.push(...page.data);
    cursor = page.next_cursor;
    if (cursor === null) return items;
  }
}
