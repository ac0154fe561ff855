// What a sender can write into `Host`, byte for byte over a socket: it never decides which route answers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type RouteModule, route } from "../../src/api/route.ts";
import { docsRoutes } from "../../src/http/docs.ts";
import { healthRoutes } from "../../src/http/health.ts";
import { type Listener, listen } from "../../src/http/listen.ts";
import { redirectRoutes } from "../../src/http/redirects.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { serverOf } from "../support/api.ts";
import { sendRaw } from "../support/raw-http.ts";
import { createThing } from "../support/things.ts";

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
    createThing,
  ],
};

const modules = [
  echo,
  docsRoutes(() => "{}"),
  redirectRoutes({ project: async () => null }, ""),
  healthRoutes(async () => ({ note: null })),
];
let listener: Listener;
const opened: Listener[] = [];
const open = (server: ReturnType<typeof serverOf>) => {
  const made = listen({ host: "127.0.0.1", port: 0, tls: null, fetch: server.fetch });
  opened.push(made);
  return made;
};
beforeAll(() => {
  // As with authentication, which judges a request by its credential and not by its host.
  listener = open(serverOf(modules, { settings: { hostNames: null } }));
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
      expect([created.status, created.body]).toEqual([200, '{"length":1}']);
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

describe("without authentication", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", mode: "structured", write: (line) => void lines.push(line) });
  let port: number;
  beforeAll(() => {
    const hostNames = ["spans.example.org", ".dev.example.org"];
    ({ port } = open(
      serverOf(modules, { logger, settings: { hostNames, rootPath: "/sub", allowedOrigins: ["https://app.example"] } }),
    ));
  });
  const ask = (...headers: string[]) => sendRaw(port, "GET /v1/things/t/parts HTTP/1.1", headers);

  const answered = [
    "127.0.0.1",
    "127.0.0.1:6006",
    "10.1.2.3.:6006",
    "[::1]",
    "[FE80::1]:6006",
    "[::ffff:10.1.2.3]:1",
    "localhost:6006",
    "LOCALHOST.",
    "spanlight:6006",
    "my_service",
    "a.localhost",
    "Studio.LOCAL:80",
    "spans.corp.internal",
    "spans.tools.svc.cluster.local:6006",
    "spans.example.org",
    "SPANS.Example.ORG.:443",
    "a.b.dev.example.org",
    "",
  ];
  test.each(answered)("a host that no stranger owns is answered: %s", async (host) => {
    expect((await ask(`Host: ${host}`)).status).toBe(200);
  });

  const refused = [
    "evil.example",
    "EVIL.example:6006",
    "evil.example.",
    "127.0.0.1.evil.example",
    "1.2.3.4.5",
    "localhost.evil.example",
    "evillocal.example",
    "notspans.example.org",
    "sub.spans.example.org",
    "dev.example.org",
    ".local",
    "..",
    "a..local",
    "[::1].evil.example",
    "[evil.example]",
    "::1",
    "evil.example@localhost",
    "localhost/evil.example",
    "localhost:80:evil.example",
    "localhost, evil.example",
    "l\u00f6calhost",
  ];
  test.each(refused)("any other is refused, with the setting to change: %s", async (host) => {
    const refusal = await ask(`Host: ${host}`);
    expect([refusal.status, refusal.headers.get("content-type")]).toEqual([421, "text/plain; charset=utf-8"]);
    expect(refusal.body).toContain("SERVICE_ALLOWED_HOSTS");
    expect(refusal.headers.get("x-spanlight-version")).not.toBeNull();
  });

  test("two hosts are refused, whichever comes first", async () => {
    expect((await ask("Host: localhost", "Host: evil.example")).status).toBe(421);
    expect((await ask("Host: evil.example", "Host: localhost")).status).toBe(421);
  });

  test("no browser leaves the host out: who does is answered", async () => {
    expect((await sendRaw(port, "GET /v1/things/t/parts HTTP/1.0")).status).toBe(200);
  });

  test("an absolute address counts as its Host", async () => {
    const line = "GET http://localhost/v1/things/t/parts HTTP/1.1";
    expect((await sendRaw(port, line, ["Host: evil.example"])).status).toBe(421);
    expect((await sendRaw(port, line, ["Host: localhost"])).status).toBe(200);
  });

  test("the refusal comes first, for every path and method", async () => {
    for (const line of [
      "GET /healthz",
      "GET /docs",
      "GET /nowhere",
      "PATCH /v1/things",
      "GET /sub/v1/things/t/parts",
    ]) {
      expect([line, (await sendRaw(port, `${line} HTTP/1.1`, ["Host: evil.example"])).status]).toEqual([line, 421]);
    }
    const preflight = ["Host: evil.example", "Origin: https://app.example", "Access-Control-Request-Method: PUT"];
    expect((await sendRaw(port, "OPTIONS /v1/things HTTP/1.1", preflight)).status).toBe(421);
  });

  test("what was sent is shown as far as it is a name, and logged once", async () => {
    expect((await ask("Host: shown.example:6006")).body).toStartWith(
      "This service does not answer to shown.example:6006. If the name is yours, add it to SERVICE_ALLOWED_HOSTS",
    );
    expect((await ask("Host: <b>.example")).body).toStartWith(
      "This service does not answer to the Host of this request.",
    );
    await ask("Host: shown.example:6006");
    expect(lines.filter((line) => line.includes("shown.example:6006: name it in SERVICE_ALLOWED_HOSTS"))).toHaveLength(
      1,
    );
  });
});
