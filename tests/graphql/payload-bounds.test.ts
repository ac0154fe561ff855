// The attributes and events that one answer brings into memory, over GraphQL and REST.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const SPANS = 600;
const MEBIBYTE = 1024 * 1024;
/** Below what is kept apart from the attributes, and easily compressed by a database. */
const TEXT = "a long text ".repeat(5000);

forEachDriver("payloads of one answer", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const attributes = JSON.stringify({ input: { value: TEXT } });
    const inputHead = TEXT.slice(0, 101);
    for (let first = 0; first < SPANS; first += 200) {
      const spans = Array.from({ length: 200 }, () =>
        incomingSpan({ projectName: "long", traceKey: "1".repeat(32), attributes, inputHead }),
      );
      await ingestBatch(api.stored.ingest, spans);
    }
    const huge = { path: '["input","value"]', text: "z".repeat(40 * MEBIBYTE) };
    for (const spanKey of ["huge", "small"]) {
      await ingestBatch(api.stored.ingest, [
        incomingSpan({
          projectName: "huge",
          traceKey: "2".repeat(32),
          spanKey,
          attributes: '{"input":{"value":"zzz"}}',
          largeValues: spanKey === "huge" ? [huge] : [],
        }),
      ]);
    }
  });

  const listed = (project: string, first: number, fields: string) =>
    `{ projects(filter: {col: name, value: "${project}"}) { edges { node { spans(first: ${first}) { edges { node { ${fields} } } } } } } }`;

  test("GraphQL refuses a page whose payloads are too large, before it reads them", async () => {
    const refusal = await askRefusal(api, listed("long", SPANS, "attributes"));
    expect(refusal).toMatch(
      /^BAD_REQUEST first: the attributes and events of 600 spans take 3[456] MiB, an answer holds 32 MiB/,
    );
    expect(await askRefusal(api, listed("long", SPANS, "payload { attributes }"))).toMatch(/^BAD_REQUEST first: /);
  });

  test("the same page without payloads, and a smaller one with them, is answered", async () => {
    await askData(api, listed("long", SPANS, "name input { truncatedValue }"));
    await askData(api, listed("long", 100, "attributes"));
  });

  test("what is asked for in several fields of one question counts together", async () => {
    const field = (alias: string, first: number) =>
      `${alias}: spans(first: ${first}) { edges { node { attributes } } }`;
    const both = (first: number) => `{ projects(filter: {col: name, value: "long"}) { edges { node {
      ${field("one", first)} ${field("other", first)} } } } }`;
    // The same spans are read once.
    await askData(api, both(300));
    expect(await askRefusal(api, both(SPANS))).toMatch(/^BAD_REQUEST first: /);
  });

  test("a single span is shown whatever its size", async () => {
    const answer = await askData<{ getSpanByOtelId: { attributes: string } }>(
      api,
      '{ getSpanByOtelId(spanId: "huge") { attributes } }',
    );
    expect(answer.getSpanByOtelId.attributes.length).toBeGreaterThan(40 * MEBIBYTE);
    expect(await askRefusal(api, listed("huge", 2, "attributes"))).toMatch(/^BAD_REQUEST first: .* of 2 spans/);
    await askData(api, listed("huge", 2, "payload { attributes }"));
  });

  test("a page over REST ends before its limit, and the cursor goes on", async () => {
    const response = await send(api.server, `GET /v1/projects/long/spans?limit=${SPANS}`);
    const page = (await response.json()) as { readonly data: readonly unknown[]; readonly next_cursor: string };
    expect(page.data.length).toBeWithin(500, SPANS);
    const rest = await send(api.server, `GET /v1/projects/long/spans?limit=${SPANS}&cursor=${page.next_cursor}`);
    const { data, next_cursor } = (await rest.json()) as typeof page;
    expect([page.data.length + data.length, next_cursor as string | null]).toEqual([SPANS, null]);
  });
});
