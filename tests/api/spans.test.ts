// Spans over REST: what is posted comes back without loss, refusals name their spans, on both databases.

import { expect, test } from "bun:test";
import { costSources } from "../../src/costs/span-cost.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openForSuite } from "../support/suite.ts";

interface SpanAnswer {
  readonly id: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly unknown[];
}

let lastSpan = 0;
/** A span of a body, as JSON text of its attributes. */
function spanText(given: { id?: string; trace?: string; attributes?: string; events?: string; start?: string } = {}) {
  const spanId = given.id ?? `span_${++lastSpan}`;
  return `{"name":"posted","context":{"trace_id":"${given.trace ?? `trace-of-${spanId}`}","span_id":"${spanId}"},
    "span_kind":"llm","parent_id":null,"start_time":"${given.start ?? "2026-03-01T10:00:00Z"}",
    "end_time":"2026-03-01T10:00:01.5+00:00","status_code":"OK","attributes":${given.attributes ?? "{}"},
    "events":${given.events ?? "[]"}}`;
}

forEachDriver("spans over REST", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), { settings: { bodyLimit: 16 * 1024 * 1024 } }),
  );

  const post = async (project: string, ...spans: string[]) => {
    const response = await send(api.server, `POST /v1/projects/${project}/spans`, {
      body: `{"data":[${spans.join()}]}`,
      headers: { "content-type": "application/json" },
    });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  const get = async (path: string) => {
    const response = await send(api.server, `GET ${path}`);
    const text = await response.text();
    return { status: response.status, text, location: response.headers.get("location") };
  };
  const listSpans = async (project: string, query = "") => {
    const { text } = await get(`/v1/projects/${project}/spans?${query}`);
    return (JSON.parse(text) as { data: SpanAnswer[] }).data;
  };

  test("a page of enormous spans ends early, and the cursor leads through all of them", async () => {
    for (let number = 0; number < 5; number++) {
      const value = JSON.stringify("ü".repeat(6 * 1024 * 1024));
      expect((await post("enormous", spanText({ attributes: `{"input.value":${value}}` }))).status).toBe(202);
    }
    const pages: number[] = [];
    for (let cursor = ""; ; ) {
      const { text } = await get(`/v1/projects/enormous/spans?limit=100&cursor=${encodeURIComponent(cursor)}`);
      const page = JSON.parse(text) as { data: SpanAnswer[]; next_cursor: string | null };
      for (const span of page.data) expect((span.attributes["input.value"] as string).length).toBe(6 * 1024 * 1024);
      pages.push(page.data.length);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(pages).toEqual([2, 2, 1]);
  });

  test("what a sender says that a call costs is kept, however it is spelled", async () => {
    const said = ['"llm.cost.total":0.25', '"gen_ai.usage.cost":0.5', '"gen_ai.usage.cost":0.5,"llm.cost.total":0.125'];
    const spans = said.map((attributes) => spanText({ attributes: `{${attributes}}` }).replace('"llm"', '"LLM"'));
    expect((await post("given", ...spans)).status).toBe(202);
    const rows = await api.stored.storage.handle
      .read(api.context(), "short")
      .selectFrom("span_costs")
      .select(["cost", "given_cost", "source"])
      .orderBy("span_id")
      .execute();
    expect(rows.map(({ cost, given_cost, source }) => [cost, given_cost, costSources[source]])).toEqual(
      [0.25e12, 0.5e12, 0.125e12].map((units) => [units, units, "given"]),
    );
  });

  test("numbers come back as they were sent, kinds and digits", async () => {
    const attributes = '{"a":{"one":1,"float":1.0,"large":9007199254740993,"list":[1,1.0]},"tiny":1e-7}';
    expect((await post("lossless", spanText({ attributes }))).status).toBe(202);
    const { text } = await get("/v1/projects/lossless/spans");
    expect(text).toContain('"a.one":1,');
    expect(text).toContain('"a.float":1.0');
    expect(text).toContain('"a.large":9007199254740993');
    expect(text.replaceAll(" ", "")).toContain('"a.list":[1,1.0]');
    const otlp = (await get("/v1/projects/lossless/spans/otlpv1")).text;
    expect(otlp).toContain('"int_value":9007199254740993');
    expect(otlp).toContain('"double_value":1.0');
    expect(otlp).toContain('"start_time_unix_nano":1772359200000000000');
  });

  test("a text of megabytes comes back whole, in its place", async () => {
    const text = "é".repeat(1_000_000);
    await post("large", spanText({ attributes: JSON.stringify({ "input.value": text, "list.0.part": text }) }));
    const [span] = await listSpans("large");
    expect(span!.attributes["input.value"] === text).toBe(true);
    expect(span!.attributes["list.0.part"] === text).toBe(true);
    expect((await listSpans("large", "attribute=input.value:x")).length).toBe(0);
  });

  test("the kind stands apart from the attributes, as sent", async () => {
    await post("kinds", spanText({ attributes: '{"k":"v","n":null,"o":{},"mixed":[1,{"x":2}]}' }));
    const [span] = await listSpans("kinds");
    expect(span).toMatchObject({ span_kind: "llm", attributes: { k: "v", "mixed.1.x": 2 } });
    expect(Object.keys(span!.attributes)).toEqual(["k", "mixed.1.x"]);
  });

  test("events keep their nested attributes; their list in OTLP has them flat", async () => {
    const events = '[{"name":"e","timestamp":"2026-03-01T11:00:00+01:00","attributes":{"a.b":{"c":1}}}]';
    await post("events", spanText({ events }));
    const [span] = await listSpans("events");
    expect(span!.events).toEqual([
      { name: "e", timestamp: "2026-03-01T10:00:00+00:00", attributes: { "a.b": { c: 1 } } },
    ]);
    const otlp = JSON.parse((await get("/v1/projects/events/spans/otlpv1")).text) as { data: { events: unknown[] }[] };
    expect(otlp.data[0]!.events).toMatchObject([
      { name: "e", attributes: [{ key: "a.b.c", value: { int_value: 1 } }], dropped_attributes_count: null },
    ]);
  });

  test("a batch with a stored id or a span that cannot be stored is refused as a whole, by name", async () => {
    await post("batches", spanText({ id: "stored" }));
    const long = "x".repeat(1025);
    const refused = await post(
      "elsewhere",
      spanText({ id: "stored", trace: "other" }),
      spanText({ id: "fresh" }),
      spanText({ id: "odd", trace: long }),
    );
    expect([refused.status, refused.type]).toEqual([400, "application/json"]);
    expect(JSON.parse(refused.text)).toMatchObject({
      total_received: 3,
      total_queued: 0,
      total_duplicates: 1,
      total_invalid: 1,
      duplicate_spans: [{ span_id: "stored", trace_id: "other" }],
      invalid_spans: [{ span_id: "odd", trace_id: long, error: expect.stringContaining("trace id") }],
    });
    expect((await get("/v1/projects/elsewhere/spans")).status).toBe(404);
  });

  test("the same id twice in one request counts twice and is stored once", async () => {
    const twice = spanText({ id: "twice" });
    expect(JSON.parse((await post("twice", twice, twice)).text)).toEqual({ total_received: 2, total_queued: 2 });
    expect(await listSpans("twice")).toHaveLength(1);
  });

  test("a global id must be that of a project; nothing to store is no reason to make one", async () => {
    expect((await post(encodeURIComponent(globalId("Project", 999_999)))).status).toBe(404);
    expect((await post("never")).status).toBe(202);
    expect((await get("/v1/projects/never")).status).toBe(404);
    const made = JSON.parse((await get("/v1/projects/twice")).text) as { data: { id: string } };
    expect((await post(encodeURIComponent(made.data.id), spanText())).status).toBe(202);
    expect(await listSpans("twice")).toHaveLength(2);
  });

  test("the sentence about a naive time names the field", async () => {
    const { status, text } = await post("naive", spanText({ start: "2026-03-01T10:00:00" }));
    expect(status).toBe(422);
    expect(text).toContain("start_time");
    expect(text).toContain("timezone-naive");
  });

  test("a span id alone leads to the newest span that has it", async () => {
    await post("redirects", spanText({ id: "the span", trace: "a trace" }));
    const [span] = await listSpans("redirects");
    const { data } = JSON.parse((await get("/v1/projects/redirects")).text) as { data: { id: string } };
    expect((await get("/redirects/spans/the%20span")).location).toBe(
      `/projects/${data.id}/spans/a%20trace?selectedSpanNodeId=${encodeURIComponent(span!.id)}`,
    );
    expect((await get("/redirects/traces/a%20trace")).location).toBe(`/projects/${data.id}/traces/a%20trace`);
    expect((await get("/redirects/traces/nothing")).status).toBe(404);
  });

  test("a deleted span is gone, and its trace with it when it was the last", async () => {
    await post("deleted", spanText({ id: "d1", trace: "dt" }), spanText({ id: "d2", trace: "dt" }));
    const [newest] = await listSpans("deleted");
    const remove = async (identifier: string) =>
      (await send(api.server, `DELETE /v1/spans/${encodeURIComponent(identifier)}`)).status;
    expect(await remove(newest!.id)).toBe(204);
    expect(await remove(newest!.id)).toBe(404);
    expect(await remove("d1")).toBe(204);
    expect(JSON.parse((await get("/v1/projects/deleted/traces")).text)).toEqual({ data: [], next_cursor: null });
  });
});
