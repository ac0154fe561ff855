// Reading several sequences at once: order inside each, a bound, back-pressure, failures, and leaving early.
import { expect, test } from "bun:test";
import { merged } from "../../src/kernel/merged.ts";

async function* counted(name: string, count: number, log: string[] = []) {
  try {
    for (let number = 0; number < count; number++) {
      log.push(`${name}${number}`);
      yield `${name}${number}`;
      await Bun.sleep(0);
    }
  } finally {
    log.push(`end of ${name}`);
  }
}

test("items of each source keep their order, and none is lost", async () => {
  const items = await Array.fromAsync(
    merged([() => counted("a", 40), () => counted("b", 40), () => counted("c", 1)], 3),
  );
  expect(items).toHaveLength(81);
  for (const name of ["a", "b"]) {
    expect(items.filter((item) => item.startsWith(name))).toEqual(
      Array.from({ length: 40 }, (_, at) => `${name}${at}`),
    );
  }
});

test("so many are read at a time, the next when one ends", async () => {
  let [running, most] = [0, 0];
  async function* source(name: number) {
    running++;
    most = Math.max(most, running);
    await Bun.sleep(1);
    yield name;
    running--;
  }
  const items = await Array.fromAsync(
    merged(
      Array.from({ length: 7 }, (_, name) => () => source(name)),
      3,
    ),
  );
  expect(items.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(most).toBe(3);
});

test("no source runs ahead of a reader that is slow", async () => {
  const log: string[] = [];
  const items = merged([() => counted("a", 100, log)], 1);
  await items.next();
  await Bun.sleep(5);
  expect(log).toEqual(["a0"]);
  await items.return();
  expect(log).toEqual(["a0", "end of a"]);
});

test("a failure ends the others and is thrown", async () => {
  const log: string[] = [];
  async function* broken(): AsyncGenerator<string, void, undefined> {
    yield* [];
    throw new Error("broken");
  }
  const reading = Array.fromAsync(merged([() => counted("a", 1000, log), broken], 2));
  expect(reading).rejects.toThrow("broken");
  await reading.catch(() => {});
  expect(log.at(-1)).toBe("end of a");
  expect(log.length).toBeLessThan(20);
});

test("of nothing there is nothing", async () => {
  expect(await Array.fromAsync(merged([], 3))).toEqual([]);
});
