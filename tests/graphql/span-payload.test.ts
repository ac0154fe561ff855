// What the trace page reads of a span: a bounded payload over GraphQL, and single values whole over REST, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

interface Shown {
  readonly id: string;
  readonly modelName: string | null;
  readonly errorHead: string | null;
  readonly errorType: string | null;
  readonly payload: {
    readonly attributes: string;
    readonly events: string;
    readonly cut: readonly { readonly path: string; readonly bytes: number | null; readonly items: number | null }[];
  };
}

const LARGE = "zwölf Boxkämpfer ".repeat(100_000);
const MIDDLE = "m".repeat(50_000);

forEachDriver("span payloads", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), { settings: { bodyLimit: 16 * 1024 * 1024 } }),
  );
  beforeAll(async () => {
    const attributes = {
      "input.value": LARGE,
      "output.value": MIDDLE,
      "llm.model_name": "gpt-4o",
      "embedding.embeddings.0.embedding.vector": Array.from({ length: 3072 }, (_, i) => i / 7),
      "a.number": 1.5,
    };
    const span = {
      name: "call",
      context: { trace_id: "t1", span_id: "s1" },
      span_kind: "LLM",
      parent_id: null,
      start_time: "2026-03-01T10:00:00Z",
      end_time: "2026-03-01T10:00:01Z",
      status_code: "ERROR",
      status_message: "TimeoutError: upstream",
      attributes,
      events: [
        { name: "note", timestamp: "2026-03-01T10:00:00Z", attributes: { text: LARGE } },
        {
          name: "exception",
          timestamp: "2026-03-01T10:00:00Z",
          attributes: { "exception.type": "httpx.ReadTimeout", "exception.message": "upstream" },
        },
      ],
    };
    const sent = await send(api.server, "POST /v1/projects/payloads/spans", { json: { data: [span] } });
    if (sent.status !== 202) throw new Error(await sent.text());
  });

  const read = async () => {
    const query = `{ span: getSpanByOtelId(spanId: "s1") {
      id modelName errorHead errorType payload { attributes events cut { path bytes items } } } }`;
    return (await askData<{ readonly span: Shown }>(api, query)).span;
  };
  const value = async (path: string, span = "s1") => {
    const response = await send(api.server, `GET /v1/spans/${span}/value?path=${encodeURIComponent(path)}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test("long texts come with their beginning, their place and their size", async () => {
    const { payload, modelName, errorHead, errorType } = await read();
    expect(modelName).toBe("gpt-4o");
    expect(errorHead).toBe("TimeoutError: upstream");
    expect(errorType).toBe("httpx.ReadTimeout");
    const { input, output, embedding } = JSON.parse(payload.attributes);
    expect(LARGE.startsWith(input.value)).toBe(true);
    expect(Buffer.byteLength(input.value)).toBeWithin(19_990, 20_001);
    expect(output.value).toBe(MIDDLE);
    expect(embedding.embeddings[0].embedding.vector).toBe("<3072 dimensional vector>");
    const bytes = Buffer.byteLength(LARGE);
    expect(payload.cut).toEqual([
      { path: '["attributes","input","value"]', bytes, items: null },
      { path: '["events",0,"attributes","text"]', bytes, items: null },
    ]);
    expect(payload.events.length).toBeLessThan(25_000);
  });

  test("each value can be read whole at its place, and is never shown as a page", async () => {
    const { id, payload } = await read();
    for (const { path } of payload.cut) expect((await value(path, id)).text).toBe(LARGE);
    expect((await value('["attributes","a","number"]')).text).toBe("1.5");
    const { headers, status } = await value('["attributes","output"]');
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toStartWith("attachment");
    expect(headers.get("content-type")).toStartWith("text/plain");
  });

  test("an unknown place, an unknown span and an invalid path are distinguished", async () => {
    expect((await value('["attributes","nothing"]')).status).toBe(404);
    expect((await value('["attributes","a"]', "no-such-span")).text).toContain("no-such-span");
    expect((await value("input.value")).status).toBe(422);
  });
});
