// So many at a time, in order of asking.
import { expect, test } from "bun:test";
import { createSemaphore } from "../../src/kernel/semaphore.ts";

const patient = new AbortController().signal;

test("no more than so many work at once, and who asked first goes first", async () => {
  const semaphore = createSemaphore(2);
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (number: number) =>
    semaphore.take(patient, () => {
      begun.push(number);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(number, resolve);
      return promise;
    });
  const all = [1, 2, 3, 4].map(work);
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  ends.get(2)?.();
  await all[1];
  expect(begun).toEqual([1, 2, 3]);
  ends.get(3)?.();
  await all[2];
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const end of ends.values()) end();
  await Promise.all(all);
});

test("a turn is given back by what fails, and by who leaves before it comes", async () => {
  const semaphore = createSemaphore(1);
  const failing = semaphore.take(patient, () => Promise.reject(new Error("no")));
  expect(await failing.catch((error: Error) => error.message)).toBe("no");

  const holds = Promise.withResolvers<void>();
  const holder = semaphore.take(patient, () => holds.promise);
  const impatient = new AbortController();
  let done = 0;
  const leaver = semaphore.take(impatient.signal, async () => void done++);
  const next = semaphore.take(patient, async () => "next");
  impatient.abort(new Error("gone"));
  expect(await leaver.catch((error: Error) => error.message)).toBe("gone");
  holds.resolve();
  await holder;
  expect(await next).toBe("next");
  expect(done).toBe(0);
  expect(await semaphore.take(impatient.signal, async () => "never").catch((error: Error) => error.message)).toBe(
    "gone",
  );
});
