// What all tests of a suite share.
import { afterAll, beforeAll } from "bun:test";

/** What is opened before the first test of the enclosing suite and closed behind its last. Its members are there once the tests run. */
export function openForSuite<Opened extends { close(): unknown }>(
  open: () => Promise<Opened>,
  timeoutMilliseconds?: number,
): Opened {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  }, timeoutMilliseconds);
  afterAll(async () => {
    await opened.close();
  });
  return new Proxy({} as Opened, { get: (_none, name) => Reflect.get(opened, name) });
}
