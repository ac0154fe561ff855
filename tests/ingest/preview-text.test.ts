// What a list shows of a span: the last question and the last answer, not the beginning of JSON.
import { expect, test } from "bun:test";
import { previewTextOf } from "../../src/ingest/preview-text.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { PREVIEW_CHARACTERS } from "../../src/model/span.ts";

const long = "You help customers of a shop. ".repeat(20);
const chat = [
  { role: "system", content: long },
  { role: "user", content: "Hello" },
  { role: "assistant", content: "How can I help?" },
  { role: "user", content: "Where is my order?" },
];
const input = (value: unknown): JsonObject => ({ input: { value: JSON.stringify(value) } });

test.each([
  ["a list of messages", input(chat)],
  ["messages in an envelope", input({ model: "gpt-4o", messages: chat, temperature: 0 })],
  ["messages behind a long first one", input({ input: { messages: chat } })],
  [
    "messages of LangChain",
    input([
      [
        { id: ["SystemMessage"], kwargs: { type: "system", content: long } },
        { kwargs: { type: "human", content: "Where is my order?" } },
      ],
    ]),
  ],
  ["parts of content", input([{ role: "user", content: [{ type: "text", text: "Where is my order?" }] }])],
  ["parts of Gemini", input({ contents: [{ role: "user", parts: [{ text: "Where is my order?" }] }] })],
  ["a telling member", input({ session: long, question: "Where is my order?" })],
  ["the only member", input({ args: ["Where is my order?"] })],
  ["a text in quotes", input("Where is my order?")],
  [
    "messages of OpenInference",
    {
      input: { value: "whatever" },
      llm: { input_messages: chat.map((message) => ({ message })) },
    },
  ],
  [
    "their parts",
    {
      llm: {
        input_messages: [
          { message: { role: "user", contents: [{ message_content: { type: "text", text: "Where is my order?" } }] } },
        ],
      },
    },
  ],
])("the question is found in %s", (_name, attributes) => {
  expect(previewTextOf(attributes as JsonObject, "input")).toBe("Where is my order?");
});

test("the answer is found in a completion, and so are calls without a text", () => {
  const completion = { id: "x", choices: [{ index: 0, message: { role: "assistant", content: "It is on its way." } }] };
  expect(previewTextOf({ output: { value: JSON.stringify(completion) } }, "output")).toBe("It is on its way.");
  const calls = [{ tool_call: { function: { name: "lookup", arguments: '{"id":1}' } } }];
  const asked = { llm: { output_messages: [{ message: { role: "assistant", tool_calls: calls } }] } };
  expect(previewTextOf(asked, "output")).toBe('lookup {"id":1}');
});

test.each([
  [
    "a class of LangChain",
    {
      messages: [
        { lc: 1, type: "constructor", id: ["messages", "HumanMessage"], kwargs: { content: "Hi" } },
        { lc: 1, type: "constructor", id: ["messages", "AIMessage"], kwargs: { content: "It is on its way." } },
      ],
    },
  ],
  [
    "a part of a stream",
    {
      messages: [
        { type: "HumanMessage", content: "Hi" },
        { type: "AIMessageChunk", content: "It is on its way." },
      ],
    },
  ],
  [
    "pairs",
    {
      messages: [
        ["user", "Hi"],
        ["ai", "It is on its way."],
      ],
    },
  ],
  ["a node of a graph", { agent: { messages: [{ type: "ai", content: "It is on its way." }] } }],
  ["a command of a graph", { goto: "end", update: { messages: [{ type: "ai", content: "It is on its way." }] } }],
  ["JSON in JSON", { result: JSON.stringify({ answer: "It is on its way.", sources: [1] }) }],
])("the answer is found in %s", (_form, value) => {
  expect(previewTextOf({ output: { value: JSON.stringify(value) } }, "output")).toBe("It is on its way.");
});

test("there is no preview beside plain text, JSON without a main text, broken and deep JSON", () => {
  for (const value of ["Hello", '{"a":1,"b":2}', '{"question": "Whe', "[".repeat(60_000), "[]", ""]) {
    expect(previewTextOf({ input: { value } }, "input")).toBeNull();
  }
  expect(previewTextOf({}, "input")).toBeNull();
});

test("the preview is short, and can be stored", () => {
  expect(previewTextOf(input({ question: "😀".repeat(500) }), "input")).toBe("😀".repeat(PREVIEW_CHARACTERS));
  expect(previewTextOf(input({ question: "a\u0000b\ud800" }), "input")).toBe("a\ufffdb\ufffd");
});
