// The transport of /graphql, its limits and its errors. (Who may do what: authorization.test.ts.)
import { afterAll, beforeAll, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askGraphql, askRefusal } from "../support/graphql.ts";

forEachDriver("/graphql", (driver) => {
  let api: TestApi;
  let locked = false;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase(), {
      isStorageLocked: () => locked,
    });
  });
  afterAll(() => api.close());

  const post = async (body: BodyInit, type = "application/json") => {
    const response = await send(api.server, "POST /graphql", { body, headers: { "content-type": type } });
    return `${response.status} ${await response.text()}`;
  };
  const get = async (query: string, accept?: string) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const response = await send(api.server, `GET /graphql${query}`, { headers });
    return `${response.status} ${await response.text()}`;
  };

  test("what is no query is refused with a line of text", async () => {
    expect(await post("{")).toBe("400 Unable to parse request body as JSON");
    expect(await post("[]")).toBe("400 Batching is not enabled");
    expect(await post("{}")).toBe("400 No GraphQL query found in the request");
    expect(await post(JSON.stringify({ query: " " }))).toBe("400 No GraphQL query found in the request");
    expect(await post("query=1", "application/x-www-form-urlencoded")).toBe("400 Unsupported content type");
    const several = "query A { projectCount } query B { b: projectCount }";
    const named = (operationName: string | null) =>
      post(JSON.stringify({ query: several, variables: {}, operationName }));
    expect(await named("Z")).toBe('400 Unknown operation named "Z".');
    expect(await named(null)).toBe('200 {"data":{"projectCount":1}}');
    expect(await named("B")).toBe('200 {"data":{"b":1}}');
  });

  test("an answer comes in the form that is asked for", async () => {
    const ask = (accept: string, query: string) =>
      send(api.server, "POST /graphql", { json: { query }, headers: { accept } });
    const type = (response: Response) => response.headers.get("content-type");
    expect(type(await ask("*/*", "{ projectCount }"))).toBe("application/json");
    const graphql = await ask("application/graphql-response+json, application/json", "{ projectCount }");
    expect(type(graphql)).toBe("application/graphql-response+json");

    const accept = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json";
    const response = await ask(accept, '{ getProjectByName(name: "ü") { id } }');
    expect([response.status, type(response)]).toEqual([200, accept]);
    const parts = (await response.text()).split("--graphql");
    expect([parts[0], parts.at(-1)]).toEqual(["", "--\r\n"]);
    const bodies = parts.slice(1, -1).map((part) => {
      const [head = "", body = ""] = part.split("\r\n\r\n");
      const length = Buffer.byteLength(body.slice(0, -2));
      expect(head).toBe(`\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${length}`);
      return JSON.parse(body) as unknown;
    });
    expect(bodies).toEqual([{}, { payload: { data: { getProjectByName: null } } }]);
    const wrong = await (await ask(accept, "{ nothing }")).text();
    expect(wrong).toContain('{"payload":{"data":null,"errors":[{"message":"Cannot query field');
    // Of another kind of parts nothing is known.
    expect(type(await ask("multipart/mixed;deferSpec=20220824,application/json", "{ projectCount }"))).toBe(
      "application/json",
    );
  });

  test("an address takes queries, and shows the explorer without one", async () => {
    const query = encodeURIComponent("{ projectCount }");
    expect(await get(`?query=${query}`, "text/html")).toBe('200 {"data":{"projectCount":1}}');
    const mutation = encodeURIComponent('mutation { createProject(input: {name: "x"}) { project { id } } }');
    expect(await get(`?query=${mutation}`)).toBe("400 mutations are not allowed when using GET");
    expect(await get("", "application/json")).toStartWith("400 ");
    for (const accept of [undefined, "text/html,*/*"]) expect(await get("", accept)).toStartWith("200 <!doctype html>");
  });

  test("the explorer is whole without network and clean under its policy", async () => {
    const response = await send(api.server, "GET /graphql", { headers: { accept: "text/html" } });
    expect(response.headers.get("content-security-policy")).not.toContain("script-src");
    const page = await response.text();
    expect(page).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=|https?:\/\//);
    const files = [...page.matchAll(/(?:src|href)="(graphql\/[^"]+)"/g)].map((match) => match[1]!);
    expect(files).toHaveLength(6);
    for (const file of files) {
      const answer = await send(api.server, `GET /${file}`);
      expect([file, answer.status, (await answer.bytes()).length > 40]).toEqual([file, 200, true]);
    }
  });

  test("a hostile document is refused before it costs anything", async () => {
    const nested = (levels: number) =>
      `{ node(id: "x") { ${"... on Node { id ".repeat(levels)} ${"}".repeat(levels)} } }`;
    const deep = (levels: number) =>
      `{ getTraceByOtelId(traceId: "x") { ${"project { trace(traceId: 1) { ".repeat(levels / 2)} id ${"}".repeat(levels)} } }`;
    expect(await askRefusal(api, deep(18))).toBe("none");
    expect(await askRefusal(api, deep(20))).toBe("BAD_REQUEST 'anonymous' exceeds maximum operation depth of 20");
    const aliases = (count: number) =>
      `{ ${Array.from({ length: count }, (_, at) => `a${at}: projectCount`).join(" ")} }`;
    expect(await askRefusal(api, aliases(50))).toBe("none");
    expect(await askRefusal(api, aliases(51))).toBe("BAD_REQUEST 51 aliases found. Allowed: 50");
    const bomb = Array.from({ length: 30 }, (_, at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`);
    const hostile = [
      `{ ...f0 } ${bomb.join(" ")} fragment f30 on Query { projectCount }`,
      `{ ${"projectCount ".repeat(5000)} }`,
      "{ projectCount ".repeat(3000),
      `{ ${"x".repeat(200_000)} }`,
      "{ ...loop } fragment loop on Query { ...loop }",
      nested(900),
    ];
    for (const query of hostile) expect(await askRefusal(api, query)).toStartWith("BAD_REQUEST ");
  });

  test("the whole schema can be looked at", async () => {
    const { getIntrospectionQuery } = await import("graphql");
    expect(await askRefusal(api, getIntrospectionQuery())).toBe("none");
  });

  test("node finds by id and says by kind what it does not find", async () => {
    const id = globalId("Project", 1);
    const found = await askData<unknown>(
      api,
      "query ($id: ID!) { node(id: $id) { __typename id ... on Project { name } } }",
      {
        id,
      },
    );
    expect(found as unknown).toEqual({ node: { __typename: "Project", id, name: "default" } });
    const refused = (given: string) => askRefusal(api, "query ($id: ID!) { node(id: $id) { id } }", { id: given });
    expect(await refused("rubbish!")).toStartWith("NOT_FOUND");
    expect(await refused(globalId("Nothing", 1))).toStartWith("NOT_FOUND");
    expect(await refused(globalId("Project", 99))).toStartWith("NOT_FOUND");
    expect(await refused(globalId("Span", 2 ** 40))).toStartWith("NOT_FOUND");
    expect(await refused(Buffer.from("Project:x").toString("base64"))).toStartWith("BAD_REQUEST");
  });

  test("errors name what is wrong with a variable", async () => {
    const query = 'query ($end: DateTime) { getProjectByName(name: "default") { traceCount(timeRange: {end: $end}) } }';
    expect(await askRefusal(api, query, { end: "yesterday" })).toBe(
      'BAD_REQUEST Not a date and time in ISO 8601: "yesterday"',
    );
    expect(await askGraphql(api, query, { end: "2024-01-01T00:00:00Z" })).toEqual({
      data: { getProjectByName: { traceCount: 0 } },
    });
    expect(await askRefusal(api, "{ nothing }")).toStartWith("BAD_REQUEST Cannot query field");
  });

  test("projects are created, changed, paged and deleted", async () => {
    const create = (name: string, more = "") =>
      `mutation { createProject(input: {name: "${name}"${more}}) { project { id name gradientStartColor } query { projectCount } } }`;
    const made = await askData<{
      createProject: { project: Record<"id" | "name" | "gradientStartColor", string>; query: unknown };
    }>(api, create(" made ", ', gradientStartColor: "#abcdef"'));
    const { id } = made.createProject.project;
    expect(made).toEqual({
      createProject: { project: { id, name: "made", gradientStartColor: "#abcdef" }, query: { projectCount: 2 } },
    });
    expect(await askRefusal(api, create("made"))).toStartWith("CONFLICT");
    expect(await askRefusal(api, create("  "))).toStartWith("BAD_REQUEST name");
    expect(await askRefusal(api, create("x", ', gradientEndColor: "red"'))).toStartWith("BAD_REQUEST gradientEndColor");
    const patch = `mutation ($id: ID!) { patchProject(input: {id: $id, description: "d"}) { project { name description } } }`;
    expect(await askData(api, patch, { id })).toEqual({
      patchProject: { project: { name: "made", description: "d" } },
    });
    expect(await askRefusal(api, patch, { id: globalId("Trace", 1) })).toStartWith("BAD_REQUEST");
    const names = (args: string) =>
      askData<{ projects: { edges: { node: { name: string } }[] } }>(
        api,
        `{ projects(${args}) { edges { node { name } } } }`,
      );
    const listed = async (args: string) => (await names(args)).projects.edges.map(({ node }) => node.name);
    expect(await listed("first: 9")).toEqual(["default", "made"]);
    expect(await listed("last: 1")).toEqual(["made"]);
    expect(await listed('filter: {col: name, value: "AD"}')).toEqual(["made"]);
    expect(await listed("sort: {col: name, dir: desc}")).toEqual(["made", "default"]);
    expect(await listed("sort: {col: endTime, dir: desc}")).toEqual(["made", "default"]);
    expect(await askRefusal(api, "{ projects(first: -1) { edges { cursor } } }")).toStartWith("BAD_REQUEST first");
    expect(await askRefusal(api, '{ projects(after: "x") { edges { cursor } } }')).toStartWith("BAD_REQUEST");
    const remove = "mutation ($id: ID!) { deleteProject(id: $id) { projectCount } }";
    expect(await askRefusal(api, remove, { id: globalId("Project", 1) })).toStartWith(
      "BAD_REQUEST The default project",
    );
    expect(await askData(api, remove, { id })).toEqual({ deleteProject: { projectCount: 1 } });
  });

  test("a locked storage stops what adds, and nothing that makes room", async () => {
    const status = () => askData(api, "query { serverStatus { insufficientStorage } }");
    expect(await status()).toEqual({ serverStatus: { insufficientStorage: false } });
    locked = true;
    expect(await status()).toEqual({ serverStatus: { insufficientStorage: true } });
    expect(await askRefusal(api, 'mutation { createProject(input: {name: "l"}) { project { id } } }')).toMatch(
      /^INSUFFICIENT_STORAGE .*storage/,
    );
    expect(await askRefusal(api, 'mutation { clearProject(input: {id: "UHJvamVjdDo5OQ=="}) { projectCount } }')).toBe(
      "none",
    );
    locked = false;
  });
});
