// POST /v1/spans: spans as the tables that data frames are made of, on both databases.

import { beforeAll, describe, expect, test } from "bun:test";
import { corrections, spanVectors } from "../filter/vectors.ts";
import { openTestApi, send } from "../support/api.ts";
import { DATASET_PROJECT, exportInto, sendDataset } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openForSuite } from "../support/suite.ts";

interface Document {
  readonly schema: {
    readonly fields: readonly { readonly name: string; readonly type: string; readonly tz?: string }[];
    readonly primaryKey: readonly string[];
    readonly pandas_version: string;
  };
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const documents = {
  r1: [{ document: { content: "alpha", id: "d1", score: 0.5 } }, { document: { content: "beta", score: 1 } }],
  r2: [{ document: { content: "gamma", metadata: { page: 3 } } }],
};
const posted = [
  {
    name: "ask",
    context: { trace_id: "t1", span_id: "root" },
    span_kind: "chain",
    parent_id: null,
    start_time: "2026-03-01T10:00:00.123456Z",
    end_time: "2026-03-01T10:00:02Z",
    status_code: "OK",
    status_message: "",
    attributes: { "input.value": "hej", metadata: '{"tier":"gold"}', my: { own: { deep: 1 } } },
    events: [{ name: "note", timestamp: "2026-03-01T10:00:01Z", attributes: { "a.b": 1 } }],
  },
  {
    name: "find",
    context: { trace_id: "t1", span_id: "r1" },
    span_kind: "RETRIEVER",
    parent_id: "root",
    start_time: "2026-03-01T10:00:01Z",
    end_time: "2026-03-01T10:00:01.25Z",
    status_code: "OK",
    attributes: { retrieval: { documents: documents.r1 }, words: ["x", 2, null, "y"] },
  },
  {
    name: "find",
    context: { trace_id: "t1", span_id: "r2" },
    span_kind: "RETRIEVER",
    parent_id: "gone",
    start_time: "2026-03-01T10:00:01Z",
    end_time: "2026-03-01T10:00:01.04Z",
    status_code: "ERROR",
    status_message: "late",
    attributes: { retrieval: { documents: documents.r2 } },
  },
  {
    name: "model",
    context: { trace_id: "t1", span_id: "llm" },
    span_kind: "LLM",
    parent_id: "root",
    start_time: "2026-03-01T10:00:01.5Z",
    end_time: "2026-03-01T10:00:02Z",
    status_code: "OK",
    attributes: {
      "llm.token_count.prompt": 7,
      "llm.token_count.completion": 3,
      "llm.input_messages": [{ message: { role: "user", content: "hej" } }],
    },
  },
];

forEachDriver("spans as tables", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), { settings: { bodyLimit: 16 * 1024 * 1024 } }),
  );
  beforeAll(async () => {
    expect((await send(api.server, "POST /v1/projects/tables/spans", { json: { data: posted } })).status).toBe(202);
  });

  const ask = (body: unknown, line = "POST /v1/spans?project_name=tables", headers: Record<string, string> = {}) =>
    send(api.server, line, { json: body, headers: { accept: "application/json", ...headers } });

  async function tables(...parameters: Parameters<typeof ask>): Promise<Document[]> {
    const response = await ask(...parameters);
    const text = await response.text();
    expect({ status: response.status, text }).toEqual({ status: 200, text });
    const boundary = /^multipart\/mixed; boundary=(\w+)$/.exec(response.headers.get("content-type")!)![1]!;
    const parts = text.split(`--${boundary}`);
    expect(parts[0]).toBe("");
    expect(parts.at(-1)).toBe("--\r\n");
    return parts.slice(1, -1).map((part) => {
      const [head, json, ...rest] = part.split("\r\n\r\n");
      expect(head).toBe("\r\nContent-Type: application/json");
      expect(rest).toEqual([]);
      return JSON.parse(json!) as Document;
    });
  }
  const table = async (query: unknown, rest: object = {}) => (await tables({ queries: [query], ...rest }))[0]!;
  const names = ({ schema }: Document) => schema.fields.map(({ name }) => name);
  const column = (document: Document, name: string) => {
    const key = names(document).findLast((field) => field.replace(/^\d+_/, "") === name)!;
    return document.data.map((row) => row[key] ?? null);
  };
  const typeOf = ({ schema }: Document, name: string) =>
    schema.fields.find((field) => field.name.replace(/^\d+_/, "") === name)?.type;

  test("without a projection every column is there, newest start first, later arrivals first", async () => {
    const all = await table({});
    expect(names(all).slice(0, 11)).toEqual([
      "0_context.span_id",
      "1_name",
      "2_span_kind",
      "3_parent_id",
      "4_start_time",
      "5_end_time",
      "6_status_code",
      "7_status_message",
      "8_events",
      "9_context.span_id",
      "10_context.trace_id",
    ]);
    expect(all.schema.primaryKey).toEqual(["0_context.span_id"]);
    expect(all.schema.pandas_version).toBe("1.4.0");
    expect(column(all, "context.span_id")).toEqual(["llm", "r2", "r1", "root"]);
    expect(column(all, "span_kind")).toEqual(["LLM", "RETRIEVER", "RETRIEVER", "CHAIN"]);
    expect(column(all, "start_time")[3]).toBe("2026-03-01T10:00:00.123456000Z");
    expect(all.schema.fields[4]).toEqual({ name: "4_start_time", type: "datetime", tz: "UTC" });
    expect(column(all, "events")[3]).toEqual([
      { name: "note", timestamp: "2026-03-01T10:00:01+00:00", attributes: { "a.b": 1 } },
    ]);
  });

  test("attributes are columns along the vocabulary, unknown ones stay nested", async () => {
    const all = await table({});
    expect(column(all, "attributes.llm.token_count.prompt")).toEqual([7, null, null, null]);
    expect(typeOf(all, "attributes.llm.token_count.prompt")).toBe("number");
    expect(column(all, "attributes.my")[3]).toEqual({ own: { deep: 1 } });
    expect(column(all, "attributes.metadata")[3]).toEqual({ tier: "gold" });
    expect(column(all, "attributes.retrieval.documents")[1]).toEqual([
      { "document.content": "gamma", "document.metadata": { page: 3 } },
    ]);
    expect(column(all, "attributes.llm.input_messages")[0]).toEqual([
      { "message.role": "user", "message.content": "hej" },
    ]);
  });

  test("a row says null for what it does not have: pandas makes NaN of a missing member, and None of null", async () => {
    const documents = await tables({ queries: [{}, { explode: { key: "retrieval.documents" } }] });
    for (const { schema, data } of documents) {
      const fields = schema.fields.map(({ name }) => name).sort();
      for (const row of data) expect(Object.keys(row).sort()).toEqual(fields);
    }
    expect(documents.map(({ data }) => JSON.stringify(data).includes(":null"))).toEqual([true, true]);
  });

  test("select takes built-in names, attributes and paths, and renames come last", async () => {
    const selected = await table({
      select: {
        name: { key: "name" },
        span_id: { key: "span_id" },
        tokens: { key: "llm.token_count.prompt" },
        tier: { key: "attributes['my']['own']" },
        took: { key: "latency_ms" },
        below: { key: "cumulative_llm_token_count_total" },
        cost: { key: "total_cost" },
      },
      filter: { condition: "span_kind in ['LLM', 'CHAIN']" },
      rename: { name: "title", "context.span_id": "id" },
    });
    expect(names(selected)).toEqual([
      "0_context.span_id",
      "1_title",
      "2_id",
      "3_tokens",
      "4_tier",
      "5_took",
      "6_below",
      "7_cost",
    ]);
    const { data } = selected;
    expect(Object.values(data[0]!)).toEqual(["llm", "model", "llm", 7, null, 500, 10, null]);
    expect(Object.values(data[1]!)).toEqual(["root", "ask", "root", null, { deep: 1 }, 1876.544, 10, null]);
    expect(typeOf(selected, "below")).toBe("integer");
    expect(typeOf(selected, "took")).toBe("number");
    expect(typeOf(selected, "tokens")).toBe("number");
  });

  test("the old form by GET says that its body is missing", async () => {
    const response = await send(api.server, "GET /v1/spans");
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: [{ type: "missing", loc: ["body"], msg: "This value is required", input: null }],
    });
  });

  test("an index may be any key", async () => {
    const indexed = await table({ select: { name: { key: "name" } }, index: { key: "trace_id" } }, { limit: 1 });
    expect(indexed.schema.primaryKey).toEqual(["0_context.trace_id"]);
    expect(indexed.data).toEqual([{ "0_context.trace_id": "t1", "1_name": "model" }]);
    // The index that is selected too is there once, and so is an id in two spellings.
    const select = { trace_id: { key: "trace_id" }, name: { key: "name" } };
    const own = await table({ select, index: { key: "trace_id" } }, { limit: 1 });
    expect(own.data).toEqual([{ "0_context.trace_id": "t1", "1_name": "model" }]);
    const alone = await table({ select: { trace_id: { key: "trace_id" } }, index: { key: "trace_id" } }, { limit: 1 });
    expect(alone.data).toEqual([{ "0_context.trace_id": "t1" }]);
    const ids = await table({ select: { span_id: { key: "span_id" } } }, { limit: 1 });
    expect(ids.data).toEqual([{ "0_context.span_id": "llm" }]);
    const spelled = { span_id: { key: "span_id" }, "context.span_id": { key: "context.span_id" } };
    const traces = { trace_id: { key: "trace_id" }, "context.trace_id": { key: "context.trace_id" } };
    const both = await table({ select: { ...spelled, ...traces, name: { key: "name" } } }, { limit: 1 });
    expect(both.data).toEqual([{ "0_context.span_id": "llm", "1_context.trace_id": "t1", "2_name": "model" }]);
  });

  test("explode makes a row of each element", async () => {
    const exploded = await table({
      explode: { key: "retrieval.documents", kwargs: { text: "document.content", score: "document.score" } },
      select: { name: { key: "name" } },
    });
    expect(exploded.schema.primaryKey).toEqual(["0_context.span_id", "1_document_position"]);
    expect(exploded.data.map((row) => Object.values(row))).toEqual([
      ["r2", 0, "find", "gamma", null],
      ["r1", 0, "find", "alpha", 0.5],
      ["r1", 1, "find", "beta", 1],
    ]);
    const whole = await table({ explode: { key: "attributes.retrieval.documents", primary_index_key: "trace_id" } });
    expect(whole.schema.primaryKey).toEqual(["0_context.trace_id", "1_document_position"]);
    expect(column(whole, "document.content")).toEqual(["gamma", "alpha", "beta"]);
    expect(column(whole, "document.metadata.page")).toEqual([3, null, null]);
    const messages = await table({ explode: { key: "llm.input_messages" } });
    expect(messages.schema.primaryKey).toEqual(["0_context.span_id", "1_position"]);
  });

  test("concat joins elements into a text, and meets explode by span", async () => {
    const key = "retrieval.documents";
    const joined = await table({ concat: { key, kwargs: { reference: "document.content" } } });
    expect(joined.data.map((row) => Object.values(row))).toEqual([
      ["r2", "gamma"],
      ["r1", "alpha\n\nbeta"],
    ]);
    const scalars = await table({ concat: { key: "words", separator: "|" } });
    expect(scalars.data).toEqual([{ "0_context.span_id": "r1", "1_words": "x|2|y" }]);
    const both = await table({
      concat: { key: "words", separator: "|" },
      explode: { key, kwargs: { text: "document.content" } },
    });
    expect(both.data.map((row) => Object.values(row))).toEqual([
      ["r2", 0, null, "gamma"],
      ["r1", 0, "x|2|y", "alpha"],
      ["r1", 1, "x|2|y", "beta"],
    ]);
  });

  test("the limit of explode and concat counts the spans that have rows", async () => {
    const key = "retrieval.documents";
    for (const limit of [1, 2]) {
      const spans = ["r2", "r1"].slice(0, limit);
      const exploded = await table({ explode: { key } }, { limit });
      expect([...new Set(column(exploded, "context.span_id"))]).toEqual(spans);
      const named = await table({ explode: { key: `attributes.${key}` } }, { limit });
      expect(named.data).toHaveLength(exploded.data.length);
      expect(column(await table({ concat: { key } }, { limit }), "context.span_id")).toEqual(spans);
    }
    const either = { explode: { key }, concat: { key: "words" } };
    expect(column(await table(either, { limit: 2 }), "context.span_id")).toEqual(["r2", "r1", "r1"]);
    const quoted = { explode: { key: "attributes['no \"such\" key']" } };
    expect((await table(quoted, { limit: 1 })).data).toEqual([]);
    const narrowed = { explode: { key }, filter: { condition: "status_code == 'OK'" } };
    expect(column(await table(narrowed, { limit: 1 }), "context.span_id")).toEqual(["r1", "r1"]);
  });

  test("several queries have a part each", async () => {
    const found = await tables({
      queries: [{ filter: { condition: "span_kind == 'LLM'" } }, { select: { name: { key: "name" } } }],
    });
    expect(found.map(({ data }) => data.length)).toEqual([1, 4]);
  });

  test("an empty table has the fixed columns, their times as text, also for a project that is not there", async () => {
    for (const line of ["POST /v1/spans?project-name=nobody", "POST /v1/spans"]) {
      const [empty] = await tables({ queries: [{}] }, line);
      expect(empty!.data).toEqual([]);
      expect(names(empty!)).toHaveLength(11);
      expect(typeOf(empty!, "start_time")).toBe("string");
    }
  });

  test("the project is named by the query, a header or the body", async () => {
    const count = async (...parameters: Parameters<typeof tables>) => (await tables(...parameters))[0]!.data.length;
    expect(await count({ queries: [{}] }, "POST /v1/spans?project-name=tables")).toBe(4);
    expect(await count({ queries: [{}] }, "POST /v1/spans", { "project-name": "tables" })).toBe(4);
    expect(await count({ queries: [{}], project_name: "tables" }, "POST /v1/spans")).toBe(4);
  });

  test("times, limit and roots narrow every query", async () => {
    const ids = async (rest: object) => column(await table({}, rest), "context.span_id");
    expect(await ids({ start_time: "2026-03-01T10:00:01", end_time: "2026-03-01T10:00:01.5Z" })).toEqual(["r2", "r1"]);
    expect(await ids({ stop_time: "2026-03-01T10:00:01Z" })).toEqual(["root"]);
    expect(await ids({ limit: 0 })).toEqual([]);
    expect(await ids({ limit: 2 })).toEqual(["llm", "r2"]);
    expect(await ids({ limit: 1_000_000, root_spans_only: null })).toHaveLength(4);
    expect(await ids({ root_spans_only: true })).toEqual(["r2", "root"]);
    expect(await ids({ root_spans_only: true, orphan_span_as_root_span: false })).toEqual(["root"]);
    expect((await ask({ queries: [{}], limit: -1 })).status).toBe(422);
  });

  test("what cannot be read is refused by name", async () => {
    const refused = async (query: unknown) => {
      const response = await ask({ queries: [query] });
      return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
    };
    const text = { status: 422, type: "text/plain; charset=utf-8" };
    expect(await refused({ filter: { condition: "name = 1" } })).toMatchObject(text);
    expect((await refused({ select: { n: { key: "len(x)" } } })).text).toContain("len(x)");
    expect((await refused({ select: { n: {} } })).text).toContain("select.n.key");
    expect((await refused({ explode: { key: "a", kwargs: { x: 1 } } })).text).toContain("explode.kwargs.x");
    for (const key of ["evals['a'].label", "parent_span", "a + b", "x for x in y"])
      expect(await refused({ select: { n: { key } } })).toMatchObject(text);
    expect((await ask({ queries: [] })).status).toBe(404);
    expect((await ask({})).status).toBe(422);
  });

  test("JSON is answered to whoever takes it, another form is refused by name", async () => {
    for (const accept of ["multipart/mixed", "*/*", "application/json, text/plain;q=0.5", "Application/*;q=0.8"])
      expect((await ask({ queries: [{}] }, undefined, { accept })).status).toBe(200);
    const response = await ask({ queries: [{}] }, undefined, { accept: "application/x-pandas-arrow" });
    expect(response.status).toBe(415);
    expect(await response.text()).toContain("Accept: application/json");
  });

  test("large values are in their places, and a table beyond memory is refused while its columns are not", async () => {
    const value = "ü".repeat(6 * 1024 * 1024);
    for (let number = 0; number < 6; number++) {
      const span = { ...posted[0]!, context: { trace_id: "big", span_id: `big${number}` } };
      const json = { data: [{ ...span, attributes: { "input.value": value, small: number } }] };
      expect((await send(api.server, "POST /v1/projects/big/spans", { json })).status).toBe(202);
    }
    const line = "POST /v1/spans?project_name=big";
    const [one] = await tables({ queries: [{}], limit: 1 }, line);
    expect(column(one!, "attributes.input.value")).toEqual([value]);
    const refused = await ask({ queries: [{}] }, line);
    expect(refused.status).toBe(413);
    expect(await refused.text()).toContain("64 MiB");
    const [small] = await tables({ queries: [{ select: { small: { key: "small" } } }] }, line);
    expect(column(small!, "small")).toEqual([5, 4, 3, 2, 1, 0]);
  }, 60_000);

  describe("recorded conditions", () => {
    beforeAll(async () => {
      await sendDataset(exportInto(api));
    });

    test("choose the same spans as everywhere", async () => {
      const rows = spanVectors.filter(
        ({ condition, expect: wanted, free }) =>
          free === undefined && (wanted.error !== undefined || !/annotations|evals/.test(condition)),
      );
      expect(rows.length).toBeGreaterThan(100);
      const line = `POST /v1/spans?project_name=${DATASET_PROJECT}`;
      for (const { condition, expect: wanted } of rows) {
        const query = { select: { name: { key: "name" } }, filter: { condition } };
        if (wanted.error !== undefined) {
          const response = await ask({ queries: [query] }, line);
          expect({ condition, status: response.status }).toEqual({ condition, status: 422 });
          continue;
        }
        const found = column((await tables({ queries: [query] }, line))[0]!, "name")
          .map(String)
          .sort();
        if (wanted.all === true) expect({ condition, count: found.length }).toEqual({ condition, count: 55 });
        else
          expect({ condition, found }).toEqual({
            condition,
            found: [...(corrections[condition] ?? wanted.names!)].sort(),
          });
      }
    }, 120_000);
  });
});
