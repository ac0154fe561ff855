import { describe, expect, test } from "bun:test";
import { fail } from "../../src/kernel/failure.ts";
import { createLifecycle, type LifecyclePart } from "../../src/kernel/lifecycle.ts";
import { createLogger } from "../../src/kernel/logger.ts";

function lifecycleWith(...changes: Partial<LifecyclePart>[]) {
  const events: string[] = [];
  const lines: string[] = [];
  const log = createLogger({ level: "debug", mode: "default", write: (line) => lines.push(line) });
  const lifecycle = createLifecycle({ log });
  changes.forEach((change, position) => {
    const name = `part-${position}`;
    lifecycle.add({
      name,
      start: () => void events.push(`start ${position}`),
      stop: () => void events.push(`stop ${position}`),
      ...change,
    });
  });
  return { lifecycle, events, lines, logged: (text: string) => lines.some((line) => line.includes(text)) };
}
/** A start that reports when it is reached and then waits for the gate. */
function gatedStart() {
  const gate = Promise.withResolvers<void>();
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const start = () => {
    resolve();
    return gate.promise;
  };
  return { gate, reached, start };
}
const forever = () => new Promise<void>(() => {});

describe("start", () => {
  test("starts in order of addition, each after the one before, with a log line each", async () => {
    const { lifecycle, events, logged } = lifecycleWith({}, {}, {});
    await lifecycle.start();
    expect(events).toEqual(["start 0", "start 1", "start 2"]);
    expect(logged("part-1 started")).toBe(true);
  });

  test("is done once however often it is called", async () => {
    const { lifecycle, events } = lifecycleWith({});
    await Promise.all([lifecycle.start(), lifecycle.start()]);
    await lifecycle.start();
    expect(events).toEqual(["start 0"]);
  });

  test("stops what was started when a part fails, and throws that failure", async () => {
    const failing = () => {
      throw fail("test.taken", "conflict", "The port is taken");
    };
    const { lifecycle, events, logged } = lifecycleWith({}, {}, { start: failing }, {});
    await expect(lifecycle.start()).rejects.toMatchObject({ code: "test.taken" });
    expect(events).toEqual(["start 0", "start 1", "stop 1", "stop 0"]);
    expect(logged("part-2 did not start: The port is taken")).toBe(true);
    expect(await lifecycle.stop()).toEqual([]);
    expect(events).toHaveLength(4);
  });

  test("gives up on a part that takes longer than its limit", async () => {
    const { lifecycle, events } = lifecycleWith({}, { start: forever, startLimit: 5 });
    await expect(lifecycle.start()).rejects.toMatchObject({
      kind: "unavailable",
      message: "Waited 5 ms for part-1 to start",
    });
    expect(events).toEqual(["start 0", "stop 0"]);
  });

  test("refuses parts that come too late", async () => {
    const { lifecycle } = lifecycleWith({});
    await lifecycle.start();
    expect(() => lifecycle.add({ name: "late", stop: () => {} })).toThrow("late was added after the start");
  });
});

describe("stop", () => {
  test("stops in reverse order, once, and parts without a start too", async () => {
    const events: string[] = [];
    const { lifecycle, events: order } = lifecycleWith({}, {});
    lifecycle.add({ name: "only stop", stop: () => void events.push("only stop") });
    await lifecycle.start();
    expect(await Promise.all([lifecycle.stop(), lifecycle.stop()])).toEqual([[], []]);
    expect(order).toEqual(["start 0", "start 1", "stop 1", "stop 0"]);
    expect(events).toEqual(["only stop"]);
  });

  test("goes on past parts that fail or hang, and names them", async () => {
    const failing = () => Promise.reject(fail("test.broken", "internal", "broken"));
    const { lifecycle, events, logged } = lifecycleWith({}, { stop: failing }, { stop: forever, stopLimit: 5 }, {});
    await lifecycle.start();
    expect(await lifecycle.stop()).toEqual(["part-2", "part-1"]);
    expect(events.slice(4)).toEqual(["stop 3", "stop 0"]);
    expect(logged("part-1 did not stop: broken")).toBe(true);
    expect(logged("part-2 did not stop: Waited 5 ms for part-2 to stop")).toBe(true);
  });

  test("during a start waits for the part that is starting and starts no more", async () => {
    const { gate, reached, start } = gatedStart();
    const { lifecycle, events } = lifecycleWith({}, { start }, {});
    const starting = lifecycle.start();
    await reached;
    const stopping = lifecycle.stop();
    gate.resolve();
    await expect(starting).rejects.toMatchObject({ code: "lifecycle.stopped" });
    expect(await stopping).toEqual([]);
    expect(events).toEqual(["start 0", "stop 1", "stop 0"]);
  });

  test("a part that fails to start while stop waits ends both", async () => {
    const { gate, reached, start } = gatedStart();
    const { lifecycle, events } = lifecycleWith({}, { start });
    const starting = lifecycle.start();
    await reached;
    const stopping = lifecycle.stop();
    gate.reject(fail("test.broken", "internal", "broken"));
    await expect(starting).rejects.toMatchObject({ code: "test.broken" });
    expect(await stopping).toEqual([]);
    expect(events).toEqual(["start 0", "stop 0"]);
  });

  test("without a start there is nothing to stop", async () => {
    const { lifecycle, events } = lifecycleWith({});
    expect(await lifecycle.stop()).toEqual([]);
    await expect(lifecycle.start()).rejects.toMatchObject({ code: "lifecycle.stopped" });
    expect(events).toEqual([]);
  });
});
