// What every answer carries: versions, request id, compression, CORS, and its line in the log.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type RouteModule, route } from "../../src/api/route.ts";
import { docsRoutes } from "../../src/http/docs.ts";
import { healthRoutes } from "../../src/http/health.ts";
import type { HttpSettings } from "../../src/http/server.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { send, serverOf } from "../support/api.ts";

const texts: RouteModule = {
  name: "texts",
  routes: [
    route({
      method: "GET",
      path: "/v1/texts",
      operationId: "getText",
      summary: "A text of a given length",
      action: "projects.read",
      status: 200,
      query: Type.Object({ length: Type.Integer({ default: 10 }) }),
      response: Type.Object({ text: Type.String() }),
      handler: ({ query }) => ({ text: "x".repeat(query.length) }),
    }),
    route({
      method: "GET",
      path: "/v1/streams/{kind}",
      operationId: "getStream",
      summary: "A body that the handler makes",
      action: "projects.read",
      status: 200,
      query: Type.Object({ kept: Type.Optional(Type.Integer()) }),
      handler: ({ params, query }) =>
        new Response(new Blob(["y".repeat(5000)]).stream(), {
          headers: {
            "content-type": `text/${params.kind}`,
            ...(query.kept === undefined ? {} : { "cache-control": "private, max-age=60" }),
          },
        }),
    }),
  ],
};
const modules = [texts, healthRoutes(async () => ({ note: null })), docsRoutes(() => "{}")];
const server = serverOf(modules);
const gzip = { headers: { "accept-encoding": "gzip" } };

describe("headers of every answer", () => {
  for (const line of [
    "GET /v1/texts",
    "GET /v1/nothing",
    "PATCH /v1/texts",
    "GET /v1/texts?length=x",
    "GET /healthz",
  ]) {
    test(line, async () => {
      const { headers } = await send(server, line);
      expect(headers.get("x-phoenix-server-version")).toBe("20.26.1");
      expect(headers.get("x-spanlight-version")).toBe("0.0.0-test");
      expect(headers.get("x-colab-notebook-cache-control")).toBe("no-cache");
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get("vary")).toBe("Accept-Encoding");
      expect(headers.get("cache-control")).toBe("no-store");
    });
  }

  test("a handler may say that its answer is kept", async () => {
    const kept = async (line: string) => (await send(server, line)).headers.get("cache-control");
    expect(await kept("GET /v1/streams/csv")).toBe("no-store");
    expect(await kept("GET /v1/streams/csv?kept=1")).toBe("private, max-age=60");
    expect(await kept("GET /docs")).toBe("no-cache");
  });

  test("the version for clients is the same in the header and in the probe", async () => {
    const response = await send(server, "GET /arize_phoenix_version");
    expect(await response.text()).toBe(response.headers.get("x-phoenix-server-version")!);
  });

  test("a sane request id is kept, any other replaced", async () => {
    const idFor = async (id: string) =>
      (await send(server, "GET /healthz", { headers: { "x-request-id": id } })).headers.get("x-request-id");
    expect(await idFor("run-7:a.b_c")).toBe("run-7:a.b_c");
    for (const id of ["with blank", "a=b", "x".repeat(129)]) expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("the word that browsers come by https only", () => {
  const year = "max-age=31536000";
  const told = async (encryption: HttpSettings["encryption"], host: string, line = "GET /healthz") =>
    (await send(serverOf(modules, { settings: { encryption } }), line, { headers: { host } })).headers.get(
      "strict-transport-security",
    );

  test("is given on every answer of our own TLS port, but not to names of a developer's machine", async () => {
    const tls = { tls: true, rootUrl: "https://10.0.0.1:6006" };
    for (const line of ["GET /healthz", "GET /v1/nothing", "GET /v1/streams/csv"]) {
      expect(await told(tls, "spanlight:6006", line)).toBe(year);
    }
    for (const host of ["localhost", "LOCALHOST.:6006", "spans.localhost"]) expect(await told(tls, host)).toBeNull();
  });

  test("is given where a proxy speaks https, by the name of that address only", async () => {
    const behind = { tls: false, rootUrl: "https://Spans.example.org/x" };
    expect(await told(behind, "spans.EXAMPLE.org")).toBe(year);
    expect(await told(behind, "10.0.0.1:6006")).toBeNull();
    expect(await told({ tls: false, rootUrl: "https://localhost:8443" }, "localhost:8443")).toBeNull();
  });

  test("is not given over plain http", async () => {
    expect(await told({ tls: false, rootUrl: "http://spans.example.org" }, "spans.example.org")).toBeNull();
  });
});

describe("compression", () => {
  for (const length of [2000, 100_000]) {
    test(`a body of ${length} characters is compressed for those who take it`, async () => {
      const response = await send(server, `GET /v1/texts?length=${length}`, gzip);
      expect(response.headers.get("content-encoding")).toBe("gzip");
      const text = new TextDecoder().decode(Bun.gunzipSync(await response.bytes()));
      expect(JSON.parse(text)).toEqual({ text: "x".repeat(length) });
    });
  }

  test("a small body is not worth it", async () => {
    expect((await send(server, "GET /v1/texts", gzip)).headers.get("content-encoding")).toBeNull();
  });

  for (const headers of [{}, { "accept-encoding": "br" }, { "accept-encoding": "gzip;q=0, br" }]) {
    test(`nothing is compressed for ${JSON.stringify(headers)}`, async () => {
      const response = await send(server, "GET /v1/texts?length=2000", { headers });
      expect([response.headers.get("content-encoding"), response.headers.get("vary")]).toEqual([
        null,
        "Accept-Encoding",
      ]);
    });
  }

  test("nothing is compressed for readers of multipart answers", async () => {
    const headers = { "accept-encoding": "gzip", accept: "multipart/mixed" };
    const response = await send(server, "GET /v1/texts?length=2000", { headers });
    expect(response.headers.get("content-encoding")).toBeNull();
  });

  test("a stream is compressed as it flows, an event stream is left alone", async () => {
    const csv = await send(server, "GET /v1/streams/csv", gzip);
    expect(csv.headers.get("content-encoding")).toBe("gzip");
    expect(new TextDecoder().decode(Bun.gunzipSync(await csv.bytes()))).toBe("y".repeat(5000));
    const events = await send(server, "GET /v1/streams/event-stream", gzip);
    expect([events.headers.get("content-encoding"), (await events.text()).length]).toEqual([null, 5000]);
    expect(events.headers.get("x-request-id")).not.toBeNull();
  });
});

describe("CORS", () => {
  const origin = "https://app.example.com";
  const open = serverOf(modules, { settings: { allowedOrigins: [origin] } });
  const preflight = { origin, "access-control-request-method": "PUT", "access-control-request-headers": "x-a, x-b" };

  test("without the setting there is none", async () => {
    const response = await send(server, "OPTIONS /v1/texts", { headers: preflight });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });

  test("an allowed origin is named on answers and refusals, with credentials", async () => {
    for (const line of ["GET /v1/texts", "GET /v1/nothing"]) {
      const { headers } = await send(open, line, { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe(origin);
      expect(headers.get("access-control-allow-credentials")).toBe("true");
      expect(headers.get("vary")).toBe("Accept-Encoding, Origin");
    }
  });

  test("another origin is not named", async () => {
    const { headers } = await send(open, "GET /v1/texts", { headers: { origin: "https://other.example.com" } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("a preflight is answered for any path, with the headers that were asked for", async () => {
    const response = await send(open, "OPTIONS /v1/anything", { headers: preflight });
    expect([response.status, await response.text()]).toEqual([200, "OK"]);
    expect(response.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(response.headers.get("access-control-allow-headers")).toBe("x-a, x-b");
    expect(response.headers.get("access-control-max-age")).toBe("600");
  });

  test("a preflight from another origin is refused", async () => {
    const headers = { ...preflight, origin: "https://other.example.com" };
    const response = await send(open, "OPTIONS /v1/texts", { headers });
    expect([response.status, await response.text()]).toEqual([400, "Disallowed CORS origin"]);
  });
});

describe("the log", () => {
  test("has one line a request, without values of the query, and leaves successful probes out", async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: "info", mode: "structured", write: (line) => void lines.push(line) });
    const logging = serverOf(modules, { logger });
    await send(logging, "GET /v1/texts?length=3&token=secret", { headers: { "x-request-id": "r1" } });
    await send(logging, "GET /healthz");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ message: "GET /v1/texts 200", request_id: "r1" });
    expect(lines[0]).not.toContain("secret");
  });
});

describe("probes", () => {
  test("/readyz tells whether the database answers", async () => {
    const ready = await send(server, "GET /readyz");
    expect([ready.status, ready.headers.get("content-type"), await ready.text()]).toEqual([
      200,
      "application/json",
      "{}",
    ]);
    const away = serverOf([healthRoutes(() => Promise.reject(new Error("away")))]);
    const response = await send(away, "GET /readyz");
    expect([response.status, await response.text()]).toEqual([503, "database unreachable"]);
  });
});
