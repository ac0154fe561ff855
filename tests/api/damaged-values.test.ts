// Spans that have lost pieces of a long text: no way of reading passes its head off as the text, and none hides other spans.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askGraphql } from "../support/graphql.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { incomingFrom } from "../support/otlp-request.ts";

const TRACE = "0123456789abcdef0123456789abcdef";
const INPUT = "q".repeat(600_000);
const OUTPUT = "a".repeat(100_000);
const DAMAGED = ["b000000000000001", "b000000000000002"];
const WHOLE = "c000000000000001";

forEachDriver("damaged values", (driver) => {
  let api: TestApi;
  let lines: string[] = [];
  beforeAll(async () => {
    const logger = createLogger({ level: "error", mode: "default", write: (line) => lines.push(line) });
    api = await openTestApi(await driver.createDatabase(), { logger });
    const values = { "input.value": INPUT, "output.value": OUTPUT, metadata: { tier: "gold" } };
    const span = incomingFrom({ attributes: otlpAttributes(values) });
    await ingestBatch(
      api.stored.ingest,
      [...DAMAGED, WHOLE].map((spanKey) => ({ ...span, traceKey: TRACE, spanKey })),
    );
    const write = api.stored.storage.handle.write(api.context());
    const ofSpan = (key: string) => sql`span_id = (select id from spans where span_key = ${key})`;
    // One has lost all pieces of its input, the other the last of three.
    await sql`delete from large_values where ${ofSpan(DAMAGED[0]!)} and path = '["input","value"]'`.execute(write);
    await sql`delete from large_values where ${ofSpan(DAMAGED[1]!)} and path = '["input","value"]' and seq = 2`.execute(
      write,
    );
  });
  afterAll(() => api.close());

  const get = async (path: string) => {
    lines = [];
    const response = await send(api.server, `GET ${path}`);
    return { status: response.status, text: await response.text() };
  };
  const readValue = (key: string, path: readonly string[]) =>
    get(`/v1/spans/${key}/value?path=${encodeURIComponent(JSON.stringify(path))}`);

  test("one value over REST: 500, the span named in the log; the whole ones beside it are given", async () => {
    for (const key of DAMAGED) {
      for (const path of [
        ["attributes", "input", "value"],
        ["attributes", "input"],
      ]) {
        expect(await readValue(key, path)).toEqual({ status: 500, text: "Internal Server Error" });
        expect(lines.join()).toContain(key);
      }
      expect(await readValue(key, ["attributes", "output", "value"])).toEqual({ status: 200, text: OUTPUT });
      expect((await readValue(key, ["attributes", "metadata"])).text).toBe('{"tier":"gold"}');
    }
    expect(await readValue(WHOLE, ["attributes", "input", "value"])).toEqual({ status: 200, text: INPUT });
  });

  test("lists over REST: null in its place, the other spans whole, a line in the log", async () => {
    const { status, text } = await get("/v1/projects/default/spans");
    expect(status).toBe(200);
    const spans: { context: { span_id: string }; attributes: Record<string, unknown> }[] = JSON.parse(text).data;
    const found = new Map(spans.map(({ context, attributes }) => [context.span_id, attributes]));
    for (const key of DAMAGED) {
      expect(found.get(key)).toMatchObject({ "output.value": OUTPUT });
      expect(found.get(key)!["input.value"] ?? null).toBeNull();
      expect(lines.filter((line) => line.includes(key))).toHaveLength(1);
    }
    expect(found.get(WHOLE)).toMatchObject({ "input.value": INPUT, "output.value": OUTPUT });
  });

  test("data frames: null in its place", async () => {
    const response = await send(api.server, "POST /v1/spans", {
      headers: { accept: "application/json" },
      json: { project_name: "default", queries: [{ select: { text: { key: "input.value" } } }] },
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain(INPUT);
    expect(text.split(/q{4000}/).length - 1).toBe(150);
  });

  test("GraphQL: an error for the field, and everything else", async () => {
    const fields = "spanId input { value } output { value } metadata attributes";
    const { data, errors } = await askGraphql(
      api,
      `{ projects { edges { node { spans(first: 10) { edges { node { ${fields} } } } } } } }`,
    );
    type Shown = { spanId: string; input: { value: string } | null; output: { value: string }; attributes: string };
    const [project] = (data as { projects: { edges: { node: { spans: { edges: { node: Shown }[] } } }[] } }).projects
      .edges;
    const spans = new Map(project!.node.spans.edges.map(({ node }) => [node.spanId, node]));
    for (const key of DAMAGED) {
      expect(spans.get(key)).toMatchObject({ input: null, output: { value: OUTPUT } });
      expect(JSON.parse(spans.get(key)!.attributes).input.value).toBeNull();
    }
    expect(spans.get(WHOLE)).toMatchObject({ input: { value: INPUT }, output: { value: OUTPUT } });
    expect(errors?.map(({ path, extensions }) => [path?.at(-2), path?.at(-1), extensions.code])).toEqual(
      DAMAGED.map(() => ["input", "value", "INTERNAL"]),
    );
  });

  test("the pages: a notice in its place, everything else of the span", async () => {
    const { data, errors } = await askGraphql(
      api,
      `{ projects { edges { node { spans(first: 10) { edges { node { spanId payload { attributes } } } } } } } }`,
    );
    expect(errors).toBeUndefined();
    type Shown = { spanId: string; payload: { attributes: string } };
    const [project] = (data as { projects: { edges: { node: { spans: { edges: { node: Shown }[] } } }[] } }).projects
      .edges;
    for (const { node } of project!.node.spans.edges) {
      const { input, output, metadata } = JSON.parse(node.payload.attributes);
      expect([output.value, metadata]).toEqual([OUTPUT.slice(0, 20_000), { tier: "gold" }]);
      if (node.spanId === WHOLE) expect(input.value).toBe(INPUT.slice(0, 20_000));
      else expect(input.value).toContain("missing in the database");
    }
  });
});
