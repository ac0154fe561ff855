// The socket: large bodies, ports that are taken, and an orderly end.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type RouteModule, route } from "../../src/api/route.ts";
import { type Listener, listen } from "../../src/http/listen.ts";
import { serverOf } from "../support/api.ts";
import { createThing } from "../support/things.ts";

const LIMIT = 64 * 1024;
const started = Promise.withResolvers<void>();
const finish = Promise.withResolvers<void>();

const things: RouteModule = {
  name: "things",
  routes: [
    createThing,
    route({
      method: "GET",
      path: "/v1/slow",
      operationId: "getSlow",
      summary: "Slow",
      action: "projects.read",
      status: 200,
      response: Type.Object({}),
      handler: async () => {
        started.resolve();
        await finish.promise;
        return {};
      },
    }),
  ],
};

describe("listen", () => {
  const { fetch: answer } = serverOf([things], { settings: { jsonBodyLimit: LIMIT } });
  const open = (port: number) => listen({ host: "127.0.0.1", port, tls: null, fetch: answer });
  let listener: Listener;
  let address = "";
  beforeAll(() => {
    listener = open(0);
    address = `http://127.0.0.1:${listener.port}`;
  });
  afterAll(() => listener.stop(1000));

  const post = (body: BodyInit) =>
    fetch(`${address}/v1/things`, { method: "POST", headers: { "content-type": "application/json" }, body });
  const bodyOf = (length: number) => JSON.stringify({ name: "n".repeat(length - 11) });

  test("a body of the largest size is taken", async () => {
    expect(await (await post(bodyOf(LIMIT))).json()).toEqual({ length: LIMIT - 11 });
  });

  for (const size of [LIMIT + 1, 20 * 1024 * 1024]) {
    test(`a body of ${size} bytes is 413 with our headers`, async () => {
      const response = await post(bodyOf(size));
      expect([response.status, response.headers.get("content-type")]).toEqual([413, "text/plain; charset=utf-8"]);
      expect(response.headers.get("x-phoenix-server-version")).not.toBeNull();
    });
  }

  test("a stream that does not end is stopped at the limit", async () => {
    const piece = new Uint8Array(16 * 1024).fill(32);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += piece.length;
        if (sent > 50 * 1024 * 1024) controller.close();
        else controller.enqueue(piece);
      },
    });
    expect((await post(endless)).status).toBe(413);
  });

  test("a taken port is one line that names the setting", () => {
    expect(() => open(listener.port)).toThrow(`Port ${listener.port} on 127.0.0.1 is taken`);
  });

  test("stopping waits for the answer under way", async () => {
    const other = open(0);
    const slow = fetch(`http://127.0.0.1:${other.port}/v1/slow`);
    await started.promise;
    const stopped = other.stop(5000);
    finish.resolve();
    expect((await slow).status).toBe(200);
    await stopped;
    await expect(fetch(`http://127.0.0.1:${other.port}/v1/slow`)).rejects.toThrow();
  });
});
