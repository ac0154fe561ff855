// Answers that go on: a sign of life while nothing comes, no part before it is asked for, and an end when the client goes away.
import { expect, test } from "bun:test";
import { liveAnswer } from "../../src/api/live-answer.ts";

const form = { beginning: "<", heartbeat: "~", end: ">", cancel: () => {}, headers: { "content-type": "text/plain" } };

test("parts are sent as they come, between the beginning and the end", async () => {
  async function* parts() {
    yield "a";
    yield "b";
  }
  const response = liveAnswer({ ...form, parts: parts() });
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(await response.text()).toBe("<ab>");
});

test("while nothing comes there are heartbeats, and none beside parts", async () => {
  const gate = Promise.withResolvers<void>();
  async function* parts() {
    await gate.promise;
    yield "a";
    yield "b";
  }
  const reader = liveAnswer({ ...form, parts: parts(), heartbeatMilliseconds: 5 }).body!.getReader();
  const decoder = new TextDecoder();
  const next = async () => decoder.decode((await reader.read()).value);
  expect([await next(), await next(), await next()]).toEqual(["<", "~", "~"]);
  gate.resolve();
  const rest = [];
  for (let piece = await next(); piece !== ""; piece = await next()) rest.push(piece);
  expect(rest.filter((piece) => piece !== "~")).toEqual(["a", "b", ">"]);
});

test("a client that goes away ends what makes the parts", async () => {
  const log: string[] = [];
  const abort = new AbortController();
  async function* parts() {
    try {
      yield "a";
      await new Promise<void>((resolve) => abort.signal.addEventListener("abort", () => resolve()));
      yield "never sent";
    } finally {
      log.push("ended");
    }
  }
  const response = liveAnswer({ ...form, parts: parts(), cancel: () => abort.abort() });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.read();
  const waiting = reader.read();
  await reader.cancel();
  await waiting;
  expect(log).toEqual(["ended"]);
});

test("a failure breaks the answer off", async () => {
  async function* parts() {
    yield "a";
    throw new Error("broken");
  }
  expect(liveAnswer({ ...form, parts: parts() }).text()).rejects.toThrow("broken");
});
