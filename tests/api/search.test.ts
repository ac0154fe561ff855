// Text search over REST and GraphQL: where texts are found, in which order, and how a search goes on.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { instantOf, type SpokenSpan, spanIdOf, storeSpoken, traceIdOf } from "../support/search-data.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

interface RestAnswer {
  readonly data: readonly { readonly name: string; readonly found_in: string; readonly [field: string]: unknown }[];
  readonly next_cursor: string | null;
  readonly progress: {
    readonly complete: boolean;
    readonly fraction: number;
    readonly scanned_until: string | null;
    readonly scanned_rows: number;
  };
}

const LARGE = `${"x".repeat(100_000)} hidden deep inside ${"y".repeat(300_000)}`;
const spans: readonly SpokenSpan[] = [
  { name: "german", minute: 1, input: "Wie lang ist die Straße nach Köln?" },
  { name: "shouted", minute: 2, output: "DIE STRASSE IST LANG" },
  { name: "arabic", minute: 3, input: "أين طردي؟", output: "طردك في الطريق" },
  { name: "chinese", minute: 4, input: "我的包裹在哪里？" },
  { name: "failed", minute: 5, input: "go", statusMessage: "Rate limit reached for GPT-4" },
  { name: "raised", minute: 6, input: "go", exception: "Connection to the WAREHOUSE was refused" },
  { name: "large", minute: 7, input: LARGE },
  { name: "listed", minute: 8, input: '["one","needle in a list"]', output: 42 },
  { name: "attribute only", minute: 9 },
  { name: "root", minute: 20, trace: "tree", input: "start" },
  { name: "leaf", minute: 21, trace: "tree", parent: "root", output: "the parcel was lost" },
  { name: "later leaf", minute: 22, trace: "tree", parent: "root", input: "a lost parcel" },
];

forEachDriver("text search", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await storeSpoken(api, "talks", spans);
    await storeSpoken(api, "others", [{ name: "elsewhere", minute: 1, input: "the parcel of others" }]);
    await storeSpoken(
      api,
      "many",
      Array.from({ length: 300 }, (_, at) => ({
        name: `span ${at}`,
        // Pairs start at the same time.
        minute: Math.floor(at / 2),
        input: at % 3 === 0 ? "every third has the needle" : "hay",
      })),
    );
  });

  const ask = async (what: "spans" | "traces", project: string, query: Record<string, string | number>) => {
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const response = await send(api.server, `GET /v1/projects/${project}/${what}/search?${parameters}`);
    return { status: response.status, text: await response.text() };
  };
  const search = async (text: string, query: Record<string, string | number> = {}, project = "talks") => {
    const { status, text: body } = await ask("spans", project, { text, ...query });
    if (status !== 200) throw new Error(`${status}: ${body}`);
    return JSON.parse(body) as RestAnswer;
  };
  const found = async (text: string, query: Record<string, string | number> = {}) =>
    (await search(text, query)).data.map((span) => `${span.name}: ${span.found_in}`);

  test.each([
    ["strasse", ["shouted: output", "german: input"]],
    ["STRAẞE", ["shouted: output", "german: input"]],
    ["KÖLN", ["german: input"]],
    ["طرد", ["arabic: input"]],
    ["包裹", ["chinese: input"]],
    ["rate LIMIT", ["failed: error"]],
    ["warehouse was", ["raised: error"]],
    ["hidden DEEP", ["large: input"]],
    ["needle in", ["listed: input"]],
    ["42", ["listed: output"]],
    ["parcel", ["later leaf: input", "leaf: output"]],
    ["LIMIT rate", ["failed: error"]],
    ['"LIMIT rate"', []],
    ['"rate LIMIT"', ["failed: error"]],
    ["parcel nowhere", []],
    ["attribute only", []],
    ["100%", []],
    ["_", []],
  ])("%s is found, newest start first", async (text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  test("events of any form are passed over, and messages that are no texts are read as such", async () => {
    const oddities = [
      '["text", 5, null, {"attributes": 3}, {"attributes": {"exception.message": 4711}}]',
      "{}",
      "null",
      "7",
    ];
    await ingestBatch(
      api.stored.ingest,
      oddities.map((events, at) => incomingSpan({ projectName: "odd", name: `odd ${at}`, events })),
    );
    const { data, progress } = await search("4711", {}, "odd");
    expect(data.map(({ name, found_in }) => [name, found_in])).toEqual([["odd 0", "error"]]);
    expect([progress.complete, progress.scanned_rows]).toEqual([true, oddities.length]);
  });

  test("a search that is done says so", async () => {
    const { next_cursor, progress } = await search("parcel");
    expect(next_cursor).toBeNull();
    expect(progress).toEqual({
      complete: true,
      fraction: 1,
      scanned_until: expect.any(String),
      scanned_rows: spans.length,
    });
    expect(Date.parse(progress.scanned_until!)).toBe(Date.parse(instantOf(1)));
    const { data, progress: ofNothing } = await search("x", {}, "default");
    expect([data, ofNothing.complete, ofNothing.scanned_until]).toEqual([[], true, null]);
  });

  test("the time range and the condition come before the text", async () => {
    expect(await found("strasse", { start_time: instantOf(2) })).toEqual(["shouted: output"]);
    expect(await found("strasse", { end_time: instantOf(2) })).toEqual(["german: input"]);
    expect(await found("parcel", { filter: "name == 'leaf'" })).toEqual(["leaf: output"]);
    expect(await found("go", { filter: "status_code == 'ERROR'" })).toEqual(["failed: input"]);
    const { progress } = await search("strasse", { start_time: instantOf(21) });
    expect([progress.complete, progress.scanned_rows]).toEqual([true, 2]);
  });

  test("what is found names its trace and shows its beginning", async () => {
    const { data } = await search("straße", { end_time: instantOf(2) });
    expect(data[0]).toMatchObject({
      name: "german",
      span_kind: "LLM",
      status_code: "OK",
      input_preview: "Wie lang ist die Straße nach Köln?",
      output_preview: null,
    });
  });

  test("pages follow each other without a gap or a repetition, and progress grows", async () => {
    const names: string[] = [];
    const fractions: number[] = [];
    for (let cursor = ""; ; ) {
      const page = await search("NEEDLE", { limit: 7, ...(cursor === "" ? {} : { cursor }) }, "many");
      names.push(...page.data.map((span) => span.name));
      fractions.push(page.progress.fraction);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    const expected = Array.from({ length: 300 }, (_, at) => at).filter((at) => at % 3 === 0);
    expect([...names].sort()).toEqual(expected.map((at) => `span ${at}`).sort());
    const minutes = names.map((name) => Math.floor(Number(name.slice(5)) / 2));
    expect(minutes).toEqual([...minutes].sort((one, other) => other - one));
    expect(fractions).toEqual([...fractions].sort((one, other) => one - other));
    expect(fractions.at(-1)).toBe(1);
  });

  test("a trace is found by any of its spans, which is named with it", async () => {
    const { status, text } = await ask("traces", "talks", { text: "parcel" });
    expect(status).toBe(200);
    const { data, progress } = JSON.parse(text);
    expect(data).toEqual([expect.objectContaining({ span_count: 3, found_in: "output" })]);
    expect(progress.complete).toBe(true);
    const narrowed = await ask("traces", "talks", { text: "parcel", filter: "num_spans > 3" });
    expect(JSON.parse(narrowed.text).data).toEqual([]);
  });

  test("words of a trace may stand in several of its spans, a phrase in one", async () => {
    const traces = async (text: string) => JSON.parse((await ask("traces", "talks", { text })).text).data.length;
    expect(await traces("start LOST parcel")).toBe(1);
    expect(await traces("start nowhere")).toBe(0);
    expect(await traces('"lost parcel" start')).toBe(1);
    expect(await traces('"start lost"')).toBe(0);
    expect(await found("start lost")).toEqual([]);
  });

  test("pages of traces follow each other", async () => {
    let count = 0;
    for (let cursor = ""; ; ) {
      const { text } = await ask("traces", "many", { text: "needle", limit: 30, ...(cursor === "" ? {} : { cursor }) });
      const page = JSON.parse(text) as RestAnswer;
      count += page.data.length;
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(count).toBe(100);
  });

  test("what cannot be searched is refused by name", async () => {
    expect((await ask("spans", "talks", { text: "" })).text).toContain('"loc":["query","text"]');
    expect(await ask("spans", "talks", { text: "ß".repeat(513) })).toEqual({
      status: 422,
      text: "text: must not exceed 1024 bytes",
    });
    expect((await ask("spans", "talks", { text: "ß".repeat(512) })).status).toBe(200);
    const words = Array.from({ length: 17 }, (_, at) => `word${at}`);
    expect((await ask("spans", "talks", { text: words.slice(1).join(" ") })).status).toBe(200);
    expect((await ask("spans", "talks", { text: words.join(" ") })).text).toBe(
      'text: must not have more than 16 words; "a phrase" in double quotes counts as one',
    );
    expect((await ask("spans", "talks", { text: `"${words.join(" ")}"` })).status).toBe(200);
    expect((await ask("spans", "talks", { text: "x", cursor: "abc" })).text).toBe("Invalid cursor: abc");
    expect((await ask("spans", "nobody", { text: "x" })).status).toBe(404);
    expect((await ask("spans", "talks", { text: "x", filter: "nme ==" })).status).toBe(400);
  });

  const SEARCHED = `edges { cursor foundIn node { name input { truncatedValue } } } pageInfo { hasNextPage endCursor }
    progress { complete fraction scannedUntil scannedCount }`;
  interface Searched {
    readonly edges: readonly { readonly cursor: string; readonly foundIn: string; readonly node: { name: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly progress: { readonly complete: boolean; readonly fraction: number; readonly scannedCount: number };
  }
  const PROJECT_QUERY = "{ projects { edges { node { id name } } } }";
  const projectId = async (name: string) => {
    const { projects } = await askData<{ projects: { edges: { node: { id: string; name: string } }[] } }>(
      api,
      PROJECT_QUERY,
    );
    return projects.edges.find(({ node }) => node.name === name)!.node.id;
  };
  const inGraphql = async (project: string, variables: Record<string, unknown>) => {
    const query = `query ($id: ID!, $text: String!, $first: Int!, $after: String, $range: TimeRange) {
      node(id: $id) { ... on Project {
        searchSpans(text: $text, first: $first, after: $after, timeRange: $range) { ${SEARCHED} }
      } } }`;
    const id = await projectId(project);
    return (await askData<{ node: { searchSpans: Searched } }>(api, query, { id, ...variables })).node.searchSpans;
  };

  test("GraphQL finds the same, page by page", async () => {
    const first = await inGraphql("talks", { text: "strasse", first: 1 });
    expect(first.edges.map(({ foundIn, node }) => `${node.name}: ${foundIn}`)).toEqual(["shouted: OUTPUT"]);
    expect(first.pageInfo).toEqual({ hasNextPage: true, endCursor: first.edges[0]!.cursor });
    const second = await inGraphql("talks", { text: "strasse", first: 1, after: first.pageInfo.endCursor });
    expect(second.edges.map(({ node }) => node.name)).toEqual(["german"]);
    const third = second.progress.complete
      ? second
      : await inGraphql("talks", { text: "strasse", first: 1, after: second.pageInfo.endCursor });
    expect([third.pageInfo.hasNextPage, third.progress.complete, third.progress.fraction]).toEqual([false, true, 1]);
    const ranged = await inGraphql("talks", { text: "strasse", first: 9, range: { end: instantOf(2) } });
    expect(ranged.edges.map(({ node }) => node.name)).toEqual(["german"]);
  });

  test("GraphQL finds traces with the span that contains the text", async () => {
    const id = await projectId("talks");
    const query = `query ($id: ID!) { node(id: $id) { ... on Project { searchTraces(text: "LOST", first: 5,
      filterCondition: "num_spans == 3") { edges { foundIn span { name } node { numSpans } } progress { complete } } } } }`;
    expect(await askData<unknown>(api, query, { id })).toEqual({
      node: {
        searchTraces: {
          edges: [{ foundIn: "OUTPUT", span: { name: "leaf" }, node: { numSpans: 3 } }],
          progress: { complete: true },
        },
      },
    });
  });

  test("explanations and notes are searched, of traces too", async () => {
    const project = "said";
    await storeSpoken(api, project, [
      { name: "said root", minute: 1, trace: "said" },
      { name: "said child", minute: 2, trace: "said", parent: "said root", input: "plain" },
      { name: "other said", minute: 3 },
    ]);
    const note = { data: { span_id: spanIdOf("said child"), note: "The Kingfisher flew" } };
    expect((await send(api.server, "POST /v1/span_notes", { json: note })).status).toBe(200);
    const result = { label: "bad", explanation: "A heron, not a KINGFISHER" };
    const annotation = { trace_id: traceIdOf("other said"), name: "bird", annotator_kind: "LLM", result };
    const sent = await send(api.server, "POST /v1/trace_annotations?sync=true", { json: { data: [annotation] } });
    expect(sent.status).toBe(200);
    const found = async (kind: string) => {
      const answer = await send(api.server, `GET /v1/projects/${project}/${kind}/search?text=kingfisher`);
      return ((await answer.json()) as { data: Record<string, unknown>[] }).data;
    };
    expect(await found("spans")).toMatchObject([{ name: "said child", found_in: "annotation" }]);
    expect(await found("traces")).toMatchObject([
      { trace_id: traceIdOf("other said"), found_span_id: spanIdOf("other said"), found_in: "annotation" },
      { trace_id: traceIdOf("said"), found_span_id: spanIdOf("said child"), found_in: "annotation" },
    ]);
    const { p } = await askData<{ p: { searchTraces: { edges: { foundIn: string }[] } } }>(
      api,
      `{ p: getProjectByName(name: "${project}") { searchTraces(text: "heron", first: 5) { edges { foundIn } } } }`,
    );
    expect(p.searchTraces.edges).toEqual([{ foundIn: "ANNOTATION" }]);
  });

  test("GraphQL refuses by the name of the argument", async () => {
    const id = await projectId("talks");
    const refusal = (given: string) =>
      askRefusal(api, `{ node(id: "${id}") { ... on Project { searchSpans(${given}) { progress { complete } } } } }`);
    expect(await refusal('text: "", first: 1')).toBe("BAD_REQUEST text: must not be empty");
    expect(await refusal('text: "x", first: 0')).toBe("BAD_REQUEST first: must be from 1 to 1000");
    expect(await refusal('text: "x", first: 1, after: "abc"')).toContain("BAD_REQUEST The cursor after: abc");
  });
});
