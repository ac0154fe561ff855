// Attributes as columns along the OpenInference vocabulary.
import { expect, test } from "bun:test";
import { type JsonObject, parseJson, stringifyJson } from "../../../../../src/kernel/json.ts";
import { conventionColumns } from "../../../../../src/modules/tracing/spans/query/convention-columns.rules.ts";

const columns = (attributes: unknown) =>
  JSON.parse(stringifyJson(conventionColumns(parseJson(JSON.stringify(attributes)) as JsonObject))) as unknown;

test("known keys are columns, the longest that fits", () => {
  const details = { audio: 1, cache_read: 2, other: { deep: 3 } };
  expect(columns({ llm: { token_count: { prompt: 9, prompt_details: details } }, input: { value: "a" } })).toEqual({
    "llm.token_count.prompt": 9,
    "llm.token_count.prompt_details.audio": 1,
    "llm.token_count.prompt_details.cache_read": 2,
    "llm.token_count.prompt_details": { other: { deep: 3 } },
    "input.value": "a",
  });
});

test("unknown keys stay nested below their first segment", () => {
  expect(
    columns({ my: { own: { a: 1, input: { value: 2 } } }, llm: { own: { b: [1, 2] }, other: 3 }, "x.y": 4 }),
  ).toEqual({
    my: { own: { a: 1, input: { value: 2 } } },
    llm: { own: { b: [1, 2] }, other: 3 },
    x: { y: 4 },
  });
});

test("elements of lists are regrouped, and texts of JSON objects are shown as objects", () => {
  const call = { tool_call: { function: { name: "f", arguments: "{}" } } };
  expect(
    columns({
      llm: { output_messages: [{ message: { role: "assistant", tool_calls: [call] } }] },
      metadata: '{"a":1}',
      tool: { parameters: "{broken", name: null },
      empty: {},
    }),
  ).toEqual({
    "llm.output_messages": [
      {
        "message.role": "assistant",
        "message.tool_calls": [{ "tool_call.function.name": "f", "tool_call.function.arguments": "{}" }],
      },
    ],
    metadata: { a: 1 },
    "tool.parameters": "{broken",
  });
});

test("hostile keys are ordinary members", () => {
  const attributes = parseJson('{"__proto__":{"a":1},"llm":{"constructor":{"prototype":2}}}') as JsonObject;
  expect(stringifyJson(conventionColumns(attributes))).toBe(
    '{"__proto__":{"a":1},"llm":{"constructor":{"prototype":2}}}',
  );
});
