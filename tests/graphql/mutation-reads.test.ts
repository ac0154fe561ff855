// What a mutation answers is read after it, also where an earlier mutation of the same request read the same before, on both databases.

import { expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const version = {
  model_provider: "OPENAI",
  model_name: "gpt-5",
  template_type: "CHAT",
  template_format: "MUSTACHE",
  template: { type: "chat", messages: [{ role: "user", content: "Hi" }] },
  invocation_parameters: { type: "openai", openai: {} },
};

forEachDriver("several mutations of one request", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));

  interface Tagged {
    readonly prompt: { readonly versionTags: readonly { readonly name: string }[] };
  }
  const namesOf = ({ prompt }: Tagged) => prompt.versionTags.map(({ name }) => name);

  test("answer each with what is there after it", async () => {
    const json = { prompt: { name: "greeter" }, version };
    const made = (await (await send(api.server, "POST /v1/prompts", { json })).json()) as { data: { id: string } };
    const set = (name: string) =>
      `setPromptVersionTag(input: {promptVersionId: "${made.data.id}", name: "${name}"}) { prompt { versionTags { name } } }`;
    const found = await askData<Record<string, Tagged>>(
      api,
      `mutation { a: ${set("a")} b: ${set("b")} c: ${set("c")} }`,
    );
    expect(Object.values(found).map(namesOf)).toEqual([["a"], ["a", "b"], ["a", "b", "c"]]);
  });

  test("answer the query below each of them, too", async () => {
    await ingestBatch(api.stored.ingest, [incomingSpan({ projectName: "noted", spanKey: "s1", traceKey: "t1" })]);
    const { span } = await askData<{ span: { id: string } }>(api, '{ span: getSpanByOtelId(spanId: "s1") { id } }');
    const notes = `query { node(id: "${span.id}") { ... on Span { spanNotes { explanation } } } }`;
    const add = (text: string) =>
      `createSpanNotes(input: {spanId: "${span.id}", note: "${text}", annotatorKind: HUMAN, source: APP}) { ${notes} }`;
    const found = await askData<Record<string, { query: { node: { spanNotes: unknown[] } } }>>(
      api,
      `mutation { one: ${add("one")} two: ${add("two")} }`,
    );
    const counts = Object.values(found).map(({ query }) => query.node.spanNotes.length);
    expect(counts).toEqual([1, 2]);
  });
});
