import { expect, test } from "bun:test";
import { createMutex } from "../../src/kernel/mutex.ts";

/** Lets everything that is already resolved take effect. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("one holds it at a time, in the order of asking", async () => {
  const mutex = createMutex();
  const happened: string[] = [];
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const all = gates.map((gate, number) =>
    mutex.hold(async () => {
      happened.push(`begin ${number}`);
      await gate.promise;
      happened.push(`end ${number}`);
      return number;
    }),
  );
  // The later ones could go on, if they were let in.
  gates[2]!.resolve();
  gates[1]!.resolve();
  await settled();
  expect(happened).toEqual(["begin 0"]);
  gates[0]!.resolve();
  expect(await Promise.all(all)).toEqual([0, 1, 2]);
  expect(happened).toEqual(["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"]);
});

test("is given back by work that fails", async () => {
  const mutex = createMutex();
  await expect(mutex.hold(() => Promise.reject(new Error("rejected")))).rejects.toThrow("rejected");
  await expect(
    mutex.hold(() => {
      throw new Error("thrown");
    }),
  ).rejects.toThrow("thrown");
  expect(await mutex.hold(() => "next")).toBe("next");
});

test("given back twice it lets one more in, not two", async () => {
  const mutex = createMutex();
  const release = await mutex.acquire();
  let holders = 0;
  const second = mutex.acquire().then((giveBack) => {
    holders++;
    return giveBack;
  });
  void mutex.acquire().then(() => {
    holders++;
  });
  release();
  release();
  const releaseSecond = await second;
  await settled();
  expect(holders).toBe(1);
  releaseSecond();
  await settled();
  expect(holders).toBe(2);
});
