import { expect, test } from "bun:test";
import { jobRetries, noRetries, playgroundRetries } from "../../src/providers/retries.ts";
import { modelAttempt, modelFailure } from "../support/model-calls.ts";

const failed = (number: number, changes: Parameters<typeof modelFailure>[1] = {}, firstTokenUs: number | null = null) =>
  modelAttempt({ number, firstTokenUs, failure: modelFailure("overloaded", { isTransient: true, ...changes }) });
const rounds = [1, 2, 3, 4, 5];

test("interactive calls have two retries, jobs three, custom providers none", () => {
  expect(rounds.map((number) => playgroundRetries.delaySeconds(failed(number)))).toEqual([0.5, 1, null, null, null]);
  expect(rounds.map((number) => jobRetries.delaySeconds(failed(number)))).toEqual([1, 2, 4, null, null]);
  expect(noRetries.delaySeconds(failed(1))).toBeNull();
});

test("retry-after is obeyed, unless it is too long", () => {
  expect(playgroundRetries.delaySeconds(failed(1, { retryAfterSeconds: 20 }))).toBe(20);
  expect(playgroundRetries.delaySeconds(failed(1, { retryAfterSeconds: 61 }))).toBeNull();
  expect(jobRetries.delaySeconds(failed(3, { retryAfterSeconds: 2 }))).toBe(4);
  expect(jobRetries.delaySeconds(failed(1, { retryAfterSeconds: 299 }))).toBe(299);
});

test("permanent failures are not retried", () => {
  for (const retries of [playgroundRetries, jobRetries]) {
    expect(retries.delaySeconds(failed(1, { isTransient: false }))).toBeNull();
    expect(retries.delaySeconds(modelAttempt())).toBeNull();
  }
});

test("partial answers and timeouts are retried by jobs only", () => {
  const brokenOff = failed(1, {}, 1_500_000);
  const late = failed(1, { kind: "timeout" });
  expect([brokenOff, late].map((attempt) => playgroundRetries.delaySeconds(attempt))).toEqual([null, null]);
  expect([brokenOff, late].map((attempt) => jobRetries.delaySeconds(attempt))).toEqual([1, 1]);
});
