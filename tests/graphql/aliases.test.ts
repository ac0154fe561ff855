// Old and new forms of GraphQL over the data set of the vectors, paging and spans through the API.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";
import additions from "../vectors/additions.json" with { type: "json" };
import rootScope from "../vectors/root-scope.json" with { type: "json" };

interface Row {
  readonly field: string;
  readonly args?: string;
  readonly expect: { readonly spans?: readonly string[] };
}
const group = additions.groups.find(({ group: name }) => name === "aliases") as unknown as { vectors: readonly Row[] };
const rows = group.vectors.filter(({ expect: { spans } }) => spans !== undefined);
const { project: PROJECT, traces: TRACES } = additions.data;
const short = (spanId: string) => spanId.replace(/^0+/, "");

interface Listed {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly spanId: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

forEachDriver("GraphQL over the data set", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    for (const { method, path, body } of additions.setup) {
      if (path.endsWith("/spans")) await send(api.server, `${method} ${path}`, { json: body });
    }
  });

  const spans = async (args: string): Promise<Listed> => {
    const { project } = await askData<{ project: { spans: Listed } }>(
      api,
      `{ project: getProjectByName(name: "${PROJECT}") {
        spans(${args}) { edges { cursor node { spanId } } pageInfo { hasNextPage endCursor } } } }`,
    );
    return project.spans;
  };
  const ids = (list: Listed) => list.edges.map(({ node }) => short(node.spanId));

  for (const { field, args = "", expect: expected } of rows) {
    test(`${field}(${args})`, async () => {
      const trace = /^Trace\(T(\d)\)/.exec(field)?.[1];
      const argument = `first: 100${args === "" ? "" : `, ${args}`}`;
      if (trace === undefined) {
        expect(ids(await spans(argument))).toEqual([...expected.spans!]);
        return;
      }
      const key = TRACES[`T${trace}` as keyof typeof TRACES].trace_id;
      const { found } = await askData<{ found: { spans: Listed } }>(
        api,
        `query ($key: String!) { found: getTraceByOtelId(traceId: $key) {
          spans(${argument}) { edges { cursor node { spanId } } pageInfo { hasNextPage endCursor } } } }`,
        { key },
      );
      expect(ids(found.spans)).toEqual([...expected.spans!]);
    });
  }

  const columns = [
    "startTime",
    "endTime",
    "latencyMs",
    "tokenCountTotal",
    "tokenCountPrompt",
    "tokenCountCompletion",
    "cumulativeTokenCountTotal",
    "cumulativeTokenCountPrompt",
    "cumulativeTokenCountCompletion",
  ];
  test.each([null, ...columns].flatMap((column) => ["asc", "desc"].map((dir) => [column, dir] as const)))(
    "pages by %p %s neither skip nor repeat a span, empty values last",
    async (column, dir) => {
      const sort = column === null ? "" : `, sort: { col: ${column}, dir: ${dir} }`;
      const whole = ids(await spans(`first: 1000${sort}`));
      expect(new Set(whole).size).toBe(Object.values(TRACES).flatMap((trace) => trace.spans).length);
      const paged: string[] = [];
      for (let after = ""; ; ) {
        const page = await spans(`first: 2${sort}${after}`);
        paged.push(...ids(page));
        if (!page.pageInfo.hasNextPage) break;
        after = `, after: "${page.pageInfo.endCursor}"`;
      }
      expect(paged).toEqual(whole);
    },
  );

  test("a cursor of another order, or none at all, is refused by name", async () => {
    const { pageInfo } = await spans("first: 2, sort: { col: latencyMs, dir: asc }");
    const ask = (args: string) =>
      askRefusal(api, `{ getProjectByName(name: "${PROJECT}") { spans(${args}) { edges { cursor } } } }`);
    for (const after of [pageInfo.endCursor, "rubbish", Buffer.from("99999999999:arrivalAsc:1").toString("base64")]) {
      expect(await ask(`first: 2, after: "${after}"`)).toStartWith("BAD_REQUEST The cursor after");
    }
    for (const first of [0, -1, 1001]) expect(await ask(`first: ${first}`)).toStartWith("BAD_REQUEST first");
    expect(await ask("first: 1, last: 1")).toStartWith("BAD_REQUEST last");
    expect(await ask(`first: 1, before: "x"`)).toStartWith("BAD_REQUEST before");
    expect(await ask("after: null")).toContain("first");
    expect(await ask("first: 1, sort: { dir: asc }")).toStartWith("BAD_REQUEST sort");
    expect(await ask("first: 1000")).toBe("none");
  });

  test("conditions are checked without being run", async () => {
    const check = async (name: string, condition: string, more = "") =>
      (
        await askData<{ project: { found: unknown } }>(
          api,
          `query ($condition: String!) { project: getProjectByName(name: "${PROJECT}") {
            found: ${name}(condition: $condition) { isValid errorMessage warnings ${more} } } }`,
          { condition },
        )
      ).project.found;
    const valid = { isValid: true, errorMessage: null, warnings: [] };
    expect(await check("validateSpanFilterCondition", "span_kind == 'LLM'")).toEqual(valid);
    expect(await check("validateTraceFilterCondition", "error_count > 0")).toEqual(valid);
    expect(await check("validateSessionFilterCondition", "num_traces > 0")).toEqual(valid);
    expect(await check("validateSpanFilterCondition", "((")).toMatchObject({ isValid: false });
    expect(await check("validateTraceFilterCondition", " nm_spans > 1", "errorStart errorEnd")).toEqual({
      isValid: false,
      errorMessage: 'invalid name `nm_spans`, did you mean "num_spans"?',
      warnings: [],
      errorStart: 1,
      errorEnd: 9,
    });
    expect(await check("validateSpanFilterCondition", "name == 'é' and")).toMatchObject({ isValid: false });
    expect(await check("validateTraceFilterCondition", "unknown_name > 0")).toMatchObject({ isValid: false });
  });

  for (const { condition, expect: expected } of rootScope.vectors) {
    test(`selects roots only: ${condition}`, async () => {
      const { project } = await askData<{ project: { found: unknown } }>(
        api,
        `query ($condition: String!) { project: getProjectByName(name: "${PROJECT}") {
          found: analyzeSpanFilterCondition(condition: $condition) { selectsRootSpansOnly } } }`,
        { condition },
      );
      expect(project.found).toEqual({ selectsRootSpansOnly: expected });
    });
  }
});
