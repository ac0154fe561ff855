import { expect, test } from "bun:test";
import { createRateBuckets, type RateBuckets } from "../../src/providers/rate-buckets.ts";
import { modelCall, modelEndpoint } from "../support/model-calls.ts";
import { providerCalls } from "../support/provider-calls.ts";
import { startScriptedModels } from "../support/scripted-models.ts";

function buckets() {
  let seconds = 1000;
  const clock = { now: () => Math.round(seconds * 1e6) };
  const pass = (more: number) => {
    seconds += more;
  };
  return { rates: createRateBuckets(clock), now: clock.now, pass };
}
const call = modelCall(modelEndpoint("http://a.example"));

test("there is no delay before the first 429, then starts are spread", () => {
  const { rates, now } = buckets();
  expect([1, 2, 3].map(() => rates.reserveSeconds(call))).toEqual([0, 0, 0]);
  rates.recordRateLimit(call, now(), null);
  const waits = [1, 2, 3, 4].map(() => rates.reserveSeconds(call));
  for (const [position, wait] of waits.entries()) expect(wait).toBeCloseTo(0.2 * (position + 1), 5);
});

test("each further 429 halves the rate, concurrent ones only once", () => {
  const { rates, now, pass } = buckets();
  const between = () => {
    const first = rates.reserveSeconds(call);
    return rates.reserveSeconds(call) - first;
  };
  const started = now();
  pass(1);
  for (let count = 0; count < 50; count++) rates.recordRateLimit(call, started, null);
  expect(between()).toBeCloseTo(0.2, 5);
  rates.recordRateLimit(call, now(), null);
  expect(between()).toBeCloseTo(0.4, 5);
  for (let count = 0; count < 20; count++) rates.recordRateLimit(call, now(), null);
  expect(between()).toBeCloseTo(10, 5);
});

test("retry-after delays all calls", () => {
  const { rates, now } = buckets();
  rates.recordRateLimit(call, now(), 30);
  expect(rates.reserveSeconds(call)).toBeCloseTo(30, 5);
});

test("the rate grows by 1 % a second up to 40, and is at least 5 after a quiet minute", () => {
  const { rates, now, pass } = buckets();
  const perSecond = () => {
    const first = rates.reserveSeconds(call);
    return 1 / (rates.reserveSeconds(call) - first);
  };
  rates.recordRateLimit(call, now(), null);
  pass(10);
  expect(perSecond()).toBeCloseTo(5 * 1.01 ** 10, 2);
  for (let count = 0; count < 20; count++) rates.recordRateLimit(call, now(), null);
  pass(59);
  expect(perSecond()).toBeLessThan(0.2);
  pass(2);
  expect(perSecond()).toBeCloseTo(5, 2);
  pass(600);
  expect(perSecond()).toBeCloseTo(40, 2);
});

test("calls with the same provider, key and address share a bucket; for some providers also the model", () => {
  const { rates, now } = buckets();
  rates.recordRateLimit(call, now(), 30);
  const waits = (changes: Parameters<typeof modelEndpoint>[1], model = "text", address = "http://a.example") =>
    rates.reserveSeconds(modelCall(modelEndpoint(address, changes), { model })) > 0;
  expect(waits({})).toBe(true);
  expect(waits({}, "other")).toBe(false);
  expect(waits({ credentials: { type: "api_key", apiKey: "another" } })).toBe(false);
  expect(waits({}, "text", "http://b.example")).toBe(false);
  const groq = modelCall(modelEndpoint("http://a.example", { provider: "GROQ" }));
  rates.recordRateLimit(groq, now(), 30);
  expect(waits({ provider: "GROQ" }, "other")).toBe(true);
});

test("calls reserve their start and record every 429", async () => {
  const models = await startScriptedModels();
  try {
    const waited: string[] = [];
    const rates: RateBuckets = {
      reserveSeconds() {
        waited.push("reserved");
        return 0;
      },
      recordRateLimit: (_call, startedUs, seconds) => waited.push(`refused ${startedUs > 0} ${seconds}`),
    };
    const retries = { delaySeconds: ({ number }: { number: number }) => (number < 2 ? 0 : null) };
    await providerCalls().run(modelCall(modelEndpoint(models.openAi), { model: "e429-after-3" }), { rates, retries });
    expect(waited).toEqual(["reserved", "refused true 3", "reserved", "refused true 3"]);
  } finally {
    await models.close();
  }
});
