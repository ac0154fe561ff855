// What the cost of a span depends on, out of its attributes.
import { expect, test } from "bun:test";
import { attributesOfCall, reportedCall } from "../../src/costs/reported-call.ts";
import type { JsonObject } from "../../src/kernel/json.ts";

const reported = (llm: JsonObject) => {
  const text = reportedCall(llm);
  return text === null ? null : attributesOfCall(text).llm;
};

test("the members that cost, and no others", () => {
  const llm = {
    model_name: "m",
    provider: "p",
    token_count: {
      prompt: 10,
      completion: 2.5,
      total: -3,
      prompt_details: { cache_read: 4, audio: "4", more: {} },
      other: 1,
    },
    cost: { total: 0.5, prompt: "1", currency: "USD" },
    input_messages: [{ message: { content: "long" } }],
  };
  expect(reported(llm)).toEqual({
    model_name: "m",
    provider: "p",
    token_count: { prompt: 10, completion: 2.5, total: -3, prompt_details: { cache_read: 4 } },
    cost: { total: 0.5 },
  });
});

test("numbers beyond those of a double, booleans, and no numbers", () => {
  const rawNumber = (text: string) => (JSON as unknown as { rawJSON(text: string): never }).rawJSON(text);
  expect(
    reported({ token_count: { prompt: rawNumber("9007199254740993"), completion: true, total: Number.NaN } }),
  ).toEqual({
    token_count: { prompt: 9007199254740992, completion: 1 },
  });
  for (const llm of [
    {},
    { model_name: "m" },
    { model_name: "m", token_count: { prompt: "10" }, cost: [] },
    { model_name: "m", token_count: 10, cost: { total: null } },
    { token_count: JSON.parse('{"prompt_details": {"__proto__": 5}}') as JsonObject },
  ])
    expect(reported(llm)).toBeNull();
});

test("a sender cannot name kinds of tokens without end", () => {
  const details = Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`kind ${number}`, 1]));
  const { token_count } = reported({ token_count: { prompt_details: details } }) as { token_count: JsonObject };
  expect(Object.keys(token_count.prompt_details as JsonObject)).toHaveLength(64);
});
