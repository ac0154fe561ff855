// What GraphQL settles before it shows sums, and what it refuses to bring in one answer.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askGraphql } from "../support/graphql.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const TRACES = 21;
const SPANS_PER_TRACE = 1000;
const traceKeyOf = (number: number) => number.toString(16).padStart(32, "a");

forEachDriver("bounds of GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    for (let trace = 0; trace < TRACES; trace++) {
      const spans = Array.from({ length: SPANS_PER_TRACE }, () =>
        incomingSpan({ projectName: "crowded", traceKey: traceKeyOf(trace), sessionKey: "crowd" }),
      );
      await ingestBatch(api.stored.ingest, spans);
    }
    const usage = { projectName: "summed", traceKey: "c".repeat(32), kind: "LLM", completionTokens: 0 } as const;
    await ingestBatch(api.stored.ingest, [
      incomingSpan({ ...usage, spanKey: "top", name: "top", promptTokens: 1 }),
      incomingSpan({ ...usage, spanKey: "below", parentKey: "top", name: "below", promptTokens: 41 }),
    ]);
  });

  /** As a climb leaves it that would have been too long: wrong sums, and a row that says so. */
  async function leavePending(): Promise<void> {
    const context = api.context();
    const database = context.database.write(context);
    const trace = await database
      .selectFrom("traces")
      .select("id")
      .where("trace_key", "=", "c".repeat(32))
      .executeTakeFirstOrThrow();
    await database.updateTable("spans").set({ sum_prompt: 0 }).where("trace_id", "=", trace.id).execute();
    await database.insertInto("pending_rollups").values({ trace_id: trace.id }).execute();
  }
  const pending = async () => {
    const context = api.context();
    return context.database.write(context).selectFrom("pending_rollups").selectAll().execute();
  };
  const inProject = async (name: string, field: string) => {
    const { projects } = await askData<{ projects: { edges: { node: Record<string, unknown> }[] } }>(
      api,
      `{ projects { edges { node { name ${field} } } } }`,
    );
    return projects.edges.find(({ node }) => node.name === name)!.node;
  };

  test.each([
    ["shown", "spans(first: 9) { edges { node { name cumulativeTokenCountPrompt } } }"],
    [
      "sorted by",
      "spans(first: 9, sort: {col: cumulativeTokenCountPrompt, dir: desc}) { edges { node { name cumulativeTokenCountPrompt } } }",
    ],
    [
      "filtered by",
      `spans(first: 9, filterCondition: "cumulative_token_count.prompt >= 41") { edges { node { name cumulativeTokenCountPrompt } } }`,
    ],
  ])("pending sums are settled before they are %s", async (_, field) => {
    await leavePending();
    const { spans } = (await inProject("summed", field)) as { spans: { edges: { node: object }[] } };
    expect(spans.edges.map(({ node }) => node)).toEqual([
      { name: "top", cumulativeTokenCountPrompt: 42 },
      { name: "below", cumulativeTokenCountPrompt: 41 },
    ]);
    expect(await pending()).toEqual([]);
  });

  test("statistics with a condition on sums settle them first", async () => {
    await leavePending();
    const field = 'recordCount(filterCondition: "cumulative_token_count.prompt == 42")';
    expect((await inProject("summed", field)).recordCount).toBe(1);
    expect(await pending()).toEqual([]);
  });

  test("sums that nobody reads stay pending", async () => {
    await leavePending();
    await inProject("summed", "spans(first: 9) { edges { node { name } } }");
    expect(await pending()).toHaveLength(1);
  });

  const spansOfAll = (first: number) => `{ projects { edges { node { name sessions(first: 5) { edges { node {
    traces(first: 1000) { edges { node { spans(first: ${first}) { edges { node { id } } } } } } } } } } } } }`;

  test("the spans of many traces together are refused beyond 20,000, by the argument that asks for fewer", async () => {
    const { errors } = await askGraphql(api, spansOfAll(SPANS_PER_TRACE));
    const [error] = errors ?? [];
    expect([error?.extensions.code, error?.message]).toEqual([
      "BAD_REQUEST",
      "first: more than 20000 spans in all; ask for fewer, or for fewer traces",
    ]);
  });

  test("up to there they come in one answer", async () => {
    const text = JSON.stringify(await askData(api, spansOfAll(950)));
    expect(text.match(/"id":/g)).toHaveLength(TRACES * 950);
  });
});
