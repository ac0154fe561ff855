// Free ports of this machine for the servers of a test.
import { connect, createServer } from "node:net";

// Below the range that systems take the ports of outgoing connections from, so that none of those can slip in between.
const LOWEST = 15_000;
const HIGHEST = 32_000;
const ATTEMPTS = 50;

/** A port of 127.0.0.1 that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${LOWEST} and ${HIGHEST}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  const free = await promise;
  if (free) await new Promise((closed) => server.close(closed));
  return free;
}

/** Whether something on 127.0.0.1 takes connections at the port. */
export async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  const isThere = await promise;
  socket.destroy();
  return isThere;
}
