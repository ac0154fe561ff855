// What a sender can write into `Host`, byte for byte over a socket: it never decides which route answers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type RouteModule, route } from "../../src/api/route.ts";
import { docsRoutes } from "../../src/http/docs.ts";
import { type Listener, listen } from "../../src/http/listen.ts";
import { redirectRoutes } from "../../src/http/redirects.ts";
import { serverOf } from "../support/api.ts";
import { sendRaw } from "../support/raw-http.ts";

const echo: RouteModule = {
  name: "echo",
  routes: [
    route({
      method: "GET",
      path: "/v1/things/{thing_id}/parts",
      operationId: "listParts",
      summary: "Parts",
      action: "projects.read",
      status: 200,
      query: Type.Object({ limit: Type.Integer({ default: 1 }) }),
      response: Type.Object({ thing: Type.String(), limit: Type.Integer() }),
      handler: ({ params, query }) => ({ thing: params.thing_id, limit: query.limit }),
    }),
    route({
      method: "POST",
      path: "/v1/things",
      operationId: "createThing",
      summary: "Create",
      action: "projects.create",
      status: 200,
      body: Type.Object({ name: Type.String() }),
      response: Type.Object({ name: Type.String() }),
      handler: ({ body }) => body,
    }),
  ],
};

let listener: Listener;
const opened: Listener[] = [];
const open = (server: ReturnType<typeof serverOf>) => {
  const made = listen({ host: "127.0.0.1", port: 0, tls: null, fetch: server.fetch });
  opened.push(made);
  return made;
};
beforeAll(() => {
  listener = open(serverOf([echo, docsRoutes(() => "{}"), redirectRoutes({ project: async () => null }, "")]));
});
afterAll(async () => {
  for (const each of opened) await each.stop(100);
});

/** Header lines. */
const hosts: readonly (readonly string[])[] = [
  ["Host: a"],
  ["Host: abc"],
  ["Host: a:1"],
  ["Host: A."],
  ["Host: "],
  ["Host:"],
  ["Host: localhost"],
  ["Host: [::1]:6006"],
  ["Host: [::1"],
  ["Host: a/b"],
  ["Host: a?b"],
  ["Host: a#b"],
  ["Host: user@a"],
  ["Host: a b"],
  ["Host: a:99999"],
  ["Host: 1.2.3.4.5"],
  ["Host: xn--"],
  ["Host: m\u00fcnchen"],
  ["Host: a", "Host: b"],
];

describe("the host of a request", () => {
  test.each(hosts.map((lines) => [lines.join(" + "), lines] as const))(
    "does not shift the path: %s",
    async (_, lines) => {
      const parts = await sendRaw(listener.port, "GET /v1/things/t%201/parts?limit=7 HTTP/1.1", lines);
      expect([parts.status, parts.body]).toEqual([200, '{"thing":"t 1","limit":7}']);
      const behind = await sendRaw(listener.port, "GET /nowhere/v1/things/t/parts HTTP/1.1", lines);
      expect(behind.status).toBe(404);
      const created = await sendRaw(
        listener.port,
        "POST /v1/things HTTP/1.1",
        [...lines, "Content-Type: application/json", "Content-Length: 13"],
        '{"name":"ü"}',
      );
      expect([created.status, created.body]).toEqual([200, '{"name":"ü"}']);
      const docs = await sendRaw(listener.port, "GET /docs/ HTTP/1.1", lines);
      expect([docs.status, docs.headers.get("location")]).toEqual([307, "../docs"]);
      const missed = await sendRaw(listener.port, "GET /redirects/projects/x HTTP/1.1", lines);
      expect([missed.status, missed.body]).toEqual([404, "Nothing is known of x"]);
    },
  );

  test("may be left out by old clients", async () => {
    const parts = await sendRaw(listener.port, "GET /v1/things/t/parts HTTP/1.0");
    expect([parts.status, parts.body]).toEqual([200, '{"thing":"t","limit":1}']);
  });

  test("of an absolute address does not count as path", async () => {
    for (const address of ["http://a/v1/things/t/parts", "https://example.org:1/v1/things/t/parts"]) {
      const parts = await sendRaw(listener.port, `GET ${address} HTTP/1.1`, ["Host: a"]);
      expect([address, parts.status, parts.body]).toEqual([address, 200, '{"thing":"t","limit":1}']);
    }
  });
});
