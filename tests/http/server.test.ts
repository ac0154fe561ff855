// The order in which a request is judged, and what every answer carries, with routes made for the purpose.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Principal } from "../../src/access/principal.ts";
import { readBytes } from "../../src/api/body.ts";
import { type RouteModule, route } from "../../src/api/route.ts";
import { healthRoutes } from "../../src/http/health.ts";
import { fail } from "../../src/kernel/failure.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { send, serverOf } from "../support/api.ts";
import { signedIn } from "../support/principals.ts";

const Thing = Type.Object({ name: Type.String({ minLength: 1 }) });
let handled = 0;

const things: RouteModule = {
  name: "things",
  routes: [
    route({
      method: "GET",
      path: "/v1/things",
      operationId: "listThings",
      summary: "List",
      action: "projects.read",
      status: 200,
      query: Type.Object({ limit: Type.Integer({ default: 100, exclusiveMinimum: 0 }) }),
      response: Type.Object({ text: Type.String() }),
      handler: ({ query }) => ({ text: "x".repeat(query.limit) }),
    }),
    route({
      method: "PUT",
      path: "/v1/things/{thing_id}",
      operationId: "putThing",
      summary: "Put",
      action: "projects.update",
      status: 200,
      storageLocked: true,
      query: Type.Object({ mode: Type.Optional(Type.Integer()) }),
      body: Thing,
      response: Type.Object({ id: Type.String(), name: Type.String() }),
      handler: ({ params, body }) => ({ id: params.thing_id, name: body.name }),
    }),
    route({
      method: "GET",
      path: "/v1/things/{other_name}/parts/{part_id}",
      operationId: "getPart",
      summary: "Part",
      action: "projects.read",
      status: 200,
      response: Type.Object({ thing: Type.String(), part: Type.String() }),
      handler: ({ params }) => ({ thing: params.other_name, part: params.part_id }),
    }),
    route({
      method: "DELETE",
      path: "/v1/things/{thing_id}",
      operationId: "deleteThing",
      summary: "Delete",
      action: "projects.delete",
      status: 204,
      handler: () => {
        handled++;
      },
    }),
    route({
      method: "POST",
      path: "/v1/raw",
      operationId: "postRaw",
      summary: "Raw",
      action: "traces.ingest",
      status: 200,
      rawBody: ["application/x-protobuf"],
      handler: async ({ request }) => new Response(await readBytes(request, 1000)),
    }),
    route({
      method: "GET",
      path: "/v1/failures/{kind}",
      operationId: "getFailure",
      summary: "Fail",
      action: "projects.read",
      status: 200,
      handler: ({ params }) => {
        if (params.kind === "bug") throw new TypeError("secret cause");
        if (params.kind === "busy") throw fail("x.busy", "unavailable", "Too busy", { retryAfterSeconds: 2.5 });
        if (params.kind === "away") throw fail("x.away", "unavailable", "Away");
        if (params.kind === "document") throw fail("x.doc", "malformed", "Refused", { document: { error: "refused" } });
        if (params.kind === "lines") throw fail("x.lines", "conflict", "one\nline");
        throw fail("x.internal", "internal", "secret detail");
      },
    }),
  ],
};
const modules = [things, healthRoutes(async () => ({ note: null }))];
const server = serverOf(modules);

async function statusAndText(answer: Promise<Response>): Promise<[number, string]> {
  const response = await answer;
  return [response.status, await response.text()];
}

describe("routing", () => {
  test("a path that does not exist is 404 as text", async () => {
    const response = await send(server, "GET /v1/nothing");
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
    expect(await response.text()).toBe("Not Found");
  });

  test("another method is 405 as text, with the methods there are", async () => {
    const response = await send(server, "PATCH /v1/things/1");
    expect([response.status, response.headers.get("allow")]).toEqual([405, "DELETE, PUT"]);
    expect(await response.text()).toBe("Method Not Allowed");
    for (const line of ["HEAD /v1/things", "OPTIONS /v1/things", "HEAD /v1/things/a/parts/b", "DELETE /v1/things"]) {
      expect((await send(server, line)).status).toBe(405);
    }
  });

  test("probes may be asked with HEAD", async () => {
    const response = await send(server, "HEAD /healthz");
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("segments are decoded once", async () => {
    const response = await send(server, "GET /v1/things/a%20b%2525/parts/%C3%BC+");
    expect(await response.json()).toEqual({ thing: "a b%25", part: "ü+" });
  });

  test("an encoded slash and a broken encoding name nothing", async () => {
    for (const segment of ["a%2Fb", "a%2fb", "%zz", "%E4"]) {
      expect((await send(server, `DELETE /v1/things/${segment}`)).status).toBe(404);
    }
    expect(handled).toBe(0);
  });

  test("NUL in a segment becomes the replacement character", async () => {
    expect(await (await send(server, "GET /v1/things/a%00/parts/b")).json()).toEqual({ thing: "a\uFFFD", part: "b" });
  });
});

describe("success", () => {
  test("data is JSON, nothing is 204 without a body", async () => {
    const put = await send(server, "PUT /v1/things/7", { json: { name: "n", more: 1 } });
    expect([put.status, put.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await put.json()).toEqual({ id: "7", name: "n" });
    const gone = await send(server, "DELETE /v1/things/7");
    expect([gone.status, gone.headers.get("content-type"), await gone.text()]).toEqual([204, null, ""]);
  });

  test("a raw body reaches its handler byte for byte", async () => {
    const bytes = new Uint8Array([0, 255, 10, 13, 128]);
    const response = await send(server, "POST /v1/raw", {
      body: bytes,
      headers: { "content-type": "application/x-protobuf" },
    });
    expect(await response.bytes()).toEqual(bytes);
  });
});

describe("failures", () => {
  test("violations of query and body come together as JSON", async () => {
    const response = await send(server, "PUT /v1/things/7?mode=x", { json: { name: "" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([422, "application/json"]);
    const { detail } = (await response.json()) as { detail: { type: string; loc: unknown[] }[] };
    expect(detail.map(({ type, loc }) => [type, loc])).toEqual([
      ["int_parsing", ["query", "mode"]],
      ["string_too_short", ["body", "name"]],
    ]);
  });

  test("two megabytes of wrong values are answered in a few lines, with their number", async () => {
    const list = { method: "POST", path: "/v1/lists", operationId: "postList", summary: "List", status: 204 } as const;
    const body = Type.Object({ data: Type.Array(Type.Object({ name: Type.String() })) });
    const lists = { name: "l", routes: [route({ ...list, action: "projects.create", body, handler: () => {} })] };
    const data = Array.from({ length: 80_000 }, () => ({ other: "wrong entry" }));
    const response = await send(serverOf([lists], { settings: { jsonBodyLimit: 4_000_000 } }), "POST /v1/lists", {
      json: { data },
    });
    expect([response.status, response.headers.get("x-violation-count")]).toEqual([422, "80000"]);
    const text = await response.text();
    expect(text.length).toBeLessThan(20_000);
    const { detail } = JSON.parse(text) as { detail: { loc: unknown[]; ctx: unknown }[] };
    expect(detail).toHaveLength(100);
    expect([detail[0]!.loc, detail.at(-1)!.ctx]).toEqual([["body", "data", 0, "name"], { total: 80_000 }]);
  });

  test("an unknown failure is 500 without its cause, which the log has under the request's id", async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: "info", mode: "structured", write: (line) => void lines.push(line) });
    const logging = serverOf(modules, { logger });
    for (const kind of ["bug", "internal"]) {
      const response = await send(logging, `GET /v1/failures/${kind}`, { headers: { "x-request-id": `id-${kind}` } });
      expect([response.status, await response.text()]).toEqual([500, "Internal Server Error"]);
      expect(response.headers.get("x-phoenix-server-version")).toMatch(/^\d+\.\d+\.\d+$/);
      const line = lines.find((each) => each.includes(`"id-${kind}"`) && each.includes("ERROR"));
      expect(line).toContain("secret");
    }
  });

  test("the log names the failure behind a refusal", async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: "info", mode: "structured", write: (line) => void lines.push(line) });
    await send(serverOf(modules, { logger }), "GET /v1/failures/busy");
    expect(JSON.parse(lines[0]!)).toMatchObject({ message: "GET /v1/failures/busy 503", reason: "x.busy" });
  });

  test("unavailable tells when to come back", async () => {
    const busy = await send(server, "GET /v1/failures/busy");
    expect([busy.status, busy.headers.get("retry-after"), await busy.text()]).toEqual([503, "3", "Too busy"]);
    expect((await send(server, "GET /v1/failures/away")).headers.get("retry-after")).toBe("1");
  });

  test("a document is JSON under the status of its kind", async () => {
    const response = await send(server, "GET /v1/failures/document");
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "application/json"]);
    expect(await response.json()).toEqual({ error: "refused" });
  });

  test("a text error is one line", async () => {
    expect(await statusAndText(send(server, "GET /v1/failures/lines"))).toEqual([409, "one line"]);
  });

  test("a body beyond the limit is 413 as text", async () => {
    const small = serverOf(modules, { settings: { jsonBodyLimit: 100 } });
    const response = await send(small, "PUT /v1/things/7", { json: { name: "n".repeat(100) } });
    expect([response.status, response.headers.get("content-type")]).toEqual([413, "text/plain; charset=utf-8"]);
  });

  test("a body nested too deeply to be shown is refused all the same", async () => {
    const body = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const response = await send(server, "PUT /v1/things/7", { body, headers: { "content-type": "application/json" } });
    expect(response.status).toBe(422);
  });
});

describe("the order of the guards", () => {
  const as = (principal: Principal, settings = {}, locked = false) =>
    serverOf(modules, { resolvePrincipal: () => principal, settings, isStorageLocked: () => locked });
  const anonymous: Principal = { kind: "anonymous" };
  const viewer: Principal = signedIn(1, "VIEWER");
  const member: Principal = signedIn(2, "MEMBER");
  const admin: Principal = signedIn(3, "ADMIN");
  const invalid = { json: {} };

  test("an untrusted page is refused before anything else, and without a media type", async () => {
    const guarded = as(anonymous, { trustedHostNames: ["app.example.com"], readOnly: true });
    const answers: readonly [Record<string, string>, number][] = [
      [{ origin: "https://evil.example.com" }, 401],
      [{ origin: "null" }, 401],
      [{ origin: "http://APP.example.com:8080" }, 200],
      [{ origin: "http://app.example.com", referer: "https://evil.example.com/x" }, 401],
      [{ origin: "", referer: "https://app.example.com/page" }, 200],
      [{}, 200],
    ];
    for (const [headers, status] of answers) {
      expect((await send(guarded, "GET /healthz", { headers })).status).toBe(status);
    }
    const refused = await send(guarded, "GET /nowhere", { headers: { referer: "https://evil.example.com" } });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([401, null]);
    expect(await refused.text()).toBe("untrusted referer");
  });

  test("the method is judged before read-only mode, read-only mode before the credential", async () => {
    const closed = as(anonymous, { readOnly: true });
    expect((await send(closed, "PATCH /v1/things/1")).status).toBe(405);
    expect(await statusAndText(send(closed, "GET /v1/things"))).toEqual([
      403,
      "The Spanlight REST API is disabled in read-only mode.",
    ]);
    expect((await send(closed, "GET /v1/nothing")).status).toBe(403);
    expect((await send(closed, "GET /healthz")).status).toBe(200);
  });

  test("the credential is judged before the input and before an unknown path", async () => {
    const response = await send(as(anonymous), "PUT /v1/things/7", invalid);
    expect([response.status, await response.text()]).toEqual([401, "Invalid token"]);
    expect(response.headers.get("www-authenticate")).toStartWith("Bearer realm=");
    expect((await send(as(anonymous), "GET /v1/nothing")).status).toBe(401);
    expect((await send(as(anonymous), "POST /v1/nothing")).status).toBe(401);
    expect((await send(as(anonymous), "GET /nothing")).status).toBe(404);
    expect((await send(as(viewer), "POST /v1/nothing")).status).toBe(404);
  });

  test("a viewer hears of being a viewer, a member of not being an admin, both before the input is looked at", async () => {
    expect(await statusAndText(send(as(viewer), "PUT /v1/things/7", invalid))).toEqual([
      403,
      "Viewers cannot perform this action.",
    ]);
    expect(await statusAndText(send(as(member), "PUT /v1/things/7", invalid))).toEqual([
      403,
      "Only admin or system users can perform this action.",
    ]);
  });

  test("the storage lock comes after the role and before the input", async () => {
    expect((await send(as(member, {}, true), "PUT /v1/things/7", invalid)).status).toBe(403);
    const [status, text] = await statusAndText(send(as(admin, {}, true), "PUT /v1/things/7", invalid));
    expect([status, text]).toEqual([507, expect.stringContaining("insufficient storage")]);
    const helped = as(admin, { supportEmail: "help@example.com" }, true);
    expect((await statusAndText(send(helped, "PUT /v1/things/7", invalid)))[1]).toEndWith(
      "Need help? Contact us at help@example.com",
    );
    expect((await send(as(admin, {}, true), "DELETE /v1/things/7")).status).toBe(204);
  });
});

describe("a root path", () => {
  const below = serverOf(modules, { settings: { rootPath: "/tools/spans" } });

  for (const prefix of ["", "/tools/spans"]) {
    test(`routes answer below "${prefix}"`, async () => {
      expect(await (await send(below, `GET ${prefix}/v1/things?limit=2`)).json()).toEqual({ text: "xx" });
      expect(await (await send(below, `GET ${prefix}/v1/things/a/parts/b`)).json()).toEqual({ thing: "a", part: "b" });
      expect((await send(below, `GET ${prefix}/healthz`)).status).toBe(200);
      expect((await send(below, `PATCH ${prefix}/v1/things`)).headers.get("allow")).toBe("GET");
      expect((await send(below, `GET ${prefix}/v1/nothing`)).status).toBe(404);
    });
  }

  test("another prefix is an unknown path", async () => {
    expect((await send(below, "GET /tools/spansv1/things")).status).toBe(404);
  });
});

describe("the log", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", mode: "default", write: (line) => lines.push(line) });
  const logged = serverOf([things], { logger });

  test.each([
    ["GET /v1/things", {}, 200],
    ["GET /v1/things?limit=none", {}, 422],
    ["PUT /v1/things/a", { json: {} }, 422],
    ["PUT /v1/things/a", { json: { name: "x".repeat(2 * 1024 * 1024) } }, 413],
    ["DELETE /v1/things/a", { headers: { "sec-fetch-site": "cross-site" } }, 403],
    ["POST /v1/things", {}, 405],
    ["GET /v1/nothing", {}, 404],
  ])("%s has one line", async (line, init, status) => {
    lines.length = 0;
    expect((await send(logged, line, init)).status).toBe(status);
    expect(lines.map((each) => each.includes(` ${status} `))).toEqual([true]);
  });
});
