import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import { isUnreachable } from "../../src/storage/postgres/failure.ts";
import { locationOf } from "../support/storage.ts";

let server: Server;
const sockets = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("a database that takes connections and says nothing is unreachable after the limit, each time it is asked", async () => {
  const { port } = server.address() as { port: number };
  const location = locationOf(`postgresql://nobody@127.0.0.1:${port}/nothing`) as PostgresLocation;
  const pool = openPool(location, { name: "test", connections: 1, statementTimeout: null, silenceLimit: 50 });
  for (let asked = 0; asked < 3; asked++) {
    const error = await pool`select 1`.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isUnreachable(error)).toBe(true);
  }
  await pool.end({ timeout: 1 });
});

test("also without a limit of its own a connection that says nothing is given up before its callers go", async () => {
  const { port } = server.address() as { port: number };
  const location = locationOf(`postgresql://nobody@127.0.0.1:${port}/nothing`) as PostgresLocation;
  const pool = openPool(location, { name: "test", connections: 4, statementTimeout: null });
  const began = performance.now();
  const errors = await Promise.all(
    Array.from({ length: 20 }, () =>
      pool`select 1`.then(
        () => null,
        (reason: unknown) => reason,
      ),
    ),
  );
  expect(errors.every(isUnreachable)).toBe(true);
  // The limit is 4 s.
  expect(performance.now() - began).toBeLessThan(8000);
  await pool.end({ timeout: 1 });
}, 20_000);
