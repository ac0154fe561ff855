import { expect, test } from "bun:test";
import { createStall } from "../../src/ingest/stall.ts";

function stallAt() {
  const clock = { now: 0 };
  return { clock, stall: createStall(() => clock.now) };
}

test("nothing to store is no stall, however long", () => {
  const { clock, stall } = stallAt();
  clock.now = 100_000;
  expect(stall.milliseconds).toBe(0);
  stall.began();
  stall.ended(false);
  clock.now = 200_000;
  expect(stall.milliseconds).toBe(0);
});

test("what waits without an end, or is refused and comes again, is one from its beginning", () => {
  const { clock, stall } = stallAt();
  stall.began();
  clock.now = 8000;
  expect(stall.milliseconds).toBe(8000);
  stall.ended(true);
  clock.now = 13_000;
  stall.began();
  stall.began();
  clock.now = 21_000;
  stall.ended(true);
  expect(stall.milliseconds).toBe(21_000);
  stall.progressed();
  clock.now = 22_000;
  expect(stall.milliseconds).toBe(1000);
  stall.ended(false);
  expect(stall.milliseconds).toBe(0);
});

test("it is over without a retry for long, so that a balancer may try", () => {
  const { clock, stall } = stallAt();
  stall.began();
  stall.ended(true);
  clock.now = 30_000;
  expect(stall.milliseconds).toBe(30_000);
  clock.now = 30_001;
  expect(stall.milliseconds).toBe(0);
  stall.began();
  clock.now = 31_001;
  expect(stall.milliseconds).toBe(1000);
});
