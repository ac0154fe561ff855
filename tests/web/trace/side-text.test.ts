// What a turn says to a person, in every form in which its input and output can be recorded.
import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { readPayload } from "../../../src/web/domain/trace/payload/payload.ts";
import { type SideText, sideTextOf } from "../../../src/web/domain/trace/payload/side-text.ts";

function payloadOf(attributes: JsonObject) {
  return readPayload({ attributes: JSON.stringify(attributes), events: "[]", cut: [] });
}

const textOf = (side: "input" | "output", value: Json) =>
  textsOf(
    sideTextOf(payloadOf({ [side]: { value: typeof value === "string" ? value : JSON.stringify(value) } }), side),
  );

function textsOf(found: SideText | null): readonly string[] | null {
  if (found === null) return null;
  return found.parts.map((part) => {
    if (part.type === "other") return `json ${JSON.stringify(part.value)}`;
    return "url" in part ? `${part.type} ${part.url}` : part.excerpt.text;
  });
}

const history = [
  { role: "system", content: "Be kind." },
  { role: "user", content: "Hello" },
  { role: "assistant", content: "Hello, how can I help?" },
  { role: "user", content: "Where is my parcel?" },
];

describe("the input of a turn", () => {
  test.each<[string, Json, readonly string[]]>([
    ["plain text", "Where is my parcel?", ["Where is my parcel?"]],
    ["a text as JSON", '"Where is \\"it\\"?"', ['Where is "it"?']],
    ["a conversation that is sent along", { messages: history }, ["Where is my parcel?"]],
    ["a bare list of messages", history, ["Where is my parcel?"]],
    [
      "several messages at once",
      { messages: [...history, { role: "user", content: "And when?" }] },
      ["Where is my parcel?", "And when?"],
    ],
    ["a conversation that ends with an answer", { messages: history.slice(0, 3) }, ["Hello"]],
    ["a question in an envelope", { question: "Why?", locale: "en" }, ["Why?"]],
    ["an envelope in an envelope", { input: { query: "Why?" }, config: {} }, ["Why?"]],
    ["an object with nothing but one text", { subject: "Why?" }, ["Why?"]],
    ["an object without a text", { rows: [1, 2] }, ['json {"rows":[1,2]}']],
    ["a number", "42", ["42"]],
    [
      "pictures",
      {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is it?" },
              { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
            ],
          },
        ],
      },
      ["What is it?", "image data:image/png;base64,AAAA"],
    ],
  ])("%s", (_name, value, expected) => {
    expect(textOf("input", value)).toEqual(expected);
  });

  test("nothing was recorded", () => {
    expect(sideTextOf(payloadOf({}), "input")).toBeNull();
  });

  test("messages of a model call", () => {
    const messages = history.map((message) => ({ message }));
    expect(textsOf(sideTextOf(payloadOf({ llm: { input_messages: messages } }), "input"))).toEqual([
      "Where is my parcel?",
    ]);
  });
});

describe("the output of a turn", () => {
  test.each<[string, Json, readonly string[]]>([
    ["plain text", "It is here.", ["It is here."]],
    [
      "the last answer of a conversation",
      { messages: [...history, { role: "assistant", content: "It is here." }] },
      ["It is here."],
    ],
    ["a completion", { choices: [{ message: { role: "assistant", content: "It is here." } }] }, ["It is here."]],
    ["JSON in JSON", { result: JSON.stringify({ answer: "It is here.", sources: [] }) }, ["It is here."]],
    [
      "the answer of a graph of JavaScript",
      {
        messages: [
          ["user", "Where?"],
          { lc: 1, type: "constructor", id: ["messages", "AIMessage"], kwargs: { content: "Here." } },
        ],
      },
      ["Here."],
    ],
    ["an answer in an envelope", { answer: "It is here.", sources: [1] }, ["It is here."]],
    ["the answer, not the question beside it", { question: "Where?", answer: "Here." }, ["Here."]],
    [
      "thoughts are left out",
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm." },
          { type: "text", text: "Here." },
        ],
      },
      ["Here."],
    ],
  ])("%s", (_name, value, expected) => {
    expect(textOf("output", value)).toEqual(expected);
  });

  test("a tool that was asked for is no text", () => {
    const call = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", function: { name: "look", arguments: "{}" } }],
    };
    const found = sideTextOf(payloadOf({ output: { value: JSON.stringify(call) } }), "output");
    expect(found?.parts).toEqual([]);
    expect(found?.calls.map(({ name }) => name)).toEqual(["look"]);
  });
});
