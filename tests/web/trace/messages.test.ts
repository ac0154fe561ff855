// Messages: every form they come in, calls with their results, and the history that is repeated.
import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { answeredOf, linesOf, repeatedCount, scriptOf } from "../../../src/web/domain/trace/payload/conversation.ts";
import { type Message, messagesIn, messagesOf } from "../../../src/web/domain/trace/payload/messages.ts";
import { call, payload } from "./payloads.ts";

const input = (...messages: readonly JsonObject[]) => messagesOf(payload(call(...messages)), "input");

/** `role: text → name(arguments) ← answered` */
function brief(messages: readonly Message[] | null): string[] | null {
  if (messages === null) return null;
  return messages.map(({ role, parts, calls, answers }) => {
    const said = parts.map((part) =>
      "excerpt" in part ? `${part.type === "reasoning" ? "*" : ""}${part.excerpt.text}` : `[${part.type}]`,
    );
    const called = calls.map(({ name, given }) => ` → ${name}${JSON.stringify(given)}`);
    return `${role}: ${said.join("+")}${called.join("")}${answers === null ? "" : ` ← ${answers}`}`;
  });
}

describe("messages of OpenInference", () => {
  test("have a role and a text, with its place for the whole", () => {
    const cut = payload(
      call({ role: "user", content: "Hel" }),
      [],
      [['["attributes","llm","input_messages",0,"message","content"]', 9_000_000]],
    );
    const [message] = messagesOf(cut, "input");
    expect(message).toMatchObject({
      role: "user",
      parts: [{ type: "text", excerpt: { text: "Hel", wholeBytes: 9_000_000 } }],
    });
  });

  test("may have parts: texts, reasoning, images, sound, and unknown types", () => {
    const contents = [
      { message_content: { type: "text", text: "see" } },
      { message_content: { type: "reasoning", text: "hm" } },
      { message_content: { type: "image", image: { image: { url: "data:image/png;base64,AA" } } } },
      {
        message_content: { type: "audio", audio: { url: "https://a/b.wav", mime_type: "audio/wav", transcript: "hi" } },
      },
      { message_content: { type: "hologram", data: 1 } },
    ];
    expect(brief(input({ role: "user", contents }))).toEqual(["user: see+*hm+[image]+[audio]+[other]"]);
  });

  test("call tools, in the newer and the older form; arguments are unfolded", () => {
    const tool_calls = [{ tool_call: { id: "c1", function: { name: "lookup", arguments: '{"user_id": 42}' } } }];
    expect(brief(input({ role: "assistant", tool_calls }))).toEqual(['assistant:  → lookup{"user_id":42}']);
    const older = { role: "assistant", function_call_name: "lookup", function_call_arguments_json: '{"a":1}' };
    expect(brief(input(older))).toEqual(['assistant:  → lookup{"a":1}']);
  });
});

test("a message of an unknown shape is shown as it is", () => {
  const llm = {
    output_messages: [{ message: "only text" }, { message: { tool_calls: "none" } }, { message: { role: "user" } }],
  };
  const found = messagesOf(payload({ llm }), "output");
  expect(found.map(({ parts }) => parts.map((part) => (part.type === "other" ? part.value : null)))).toEqual([
    ["only text"],
    [{ tool_calls: "none" }],
    [],
  ]);
});

describe("conversations in inputs and outputs", () => {
  const forms: readonly (readonly [string, Json, readonly string[]])[] = [
    ["a chat request", { model: "m", messages: [{ role: "user", content: "hi" }] }, ["user: hi"]],
    [
      "parts",
      {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "a" },
              { type: "image_url", image_url: { url: "https://i" } },
            ],
          },
        ],
      },
      ["user: a+[image]"],
    ],
    [
      "a chat answer",
      {
        choices: [
          {
            message: {
              role: "assistant",
              content: null,
              tool_calls: [{ id: "1", function: { name: "f", arguments: "{}" } }],
            },
          },
        ],
      },
      ["assistant:  → f{}"],
    ],
    [
      "tools as parts",
      {
        messages: [
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "so" },
              { type: "tool_use", id: "t", name: "f", input: { a: 1 } },
            ],
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "done" }] },
        ],
      },
      ['assistant: *so → f{"a":1}', "tool: done ← t"],
    ],
    [
      "items",
      {
        output: [
          { type: "message", role: "assistant", content: [{ type: "output_text", text: "ok" }] },
          { type: "function_call", call_id: "c", name: "f", arguments: '{"x":2}' },
          { type: "function_call_output", call_id: "c", output: "3" },
        ],
      },
      ["assistant: ok", 'assistant:  → f{"x":2}', "tool: 3 ← c"],
    ],
    [
      "serialised objects in a batch",
      { messages: [[{ lc: 1, id: ["HumanMessage"], kwargs: { type: "human", content: "hi" } }]] },
      ["user: hi"],
    ],
    [
      "a list",
      [{ type: "ai", content: "yes", tool_calls: [{ name: "f", args: { b: 2 }, id: "i" }] }],
      ['assistant: yes → f{"b":2}'],
    ],
  ];
  test.each(forms)("%s", (_name, value, expected) => {
    expect(brief(messagesIn(value))).toEqual([...expected]);
  });

  test.each([
    [{ question: "hi" }],
    [[1, 2]],
    [[]],
    [{ messages: "hi" }],
    [{ messages: [{ text: "no role" }] }],
    [{ choices: [{}] }],
    ["text"],
    [null],
  ] as [Json][])("%j has no messages", (value) => {
    expect(messagesIn(value)).toBeNull();
  });
});

describe("messages of LangGraph", () => {
  const constructed = (name: string, content: string) => ({
    lc: 1,
    type: "constructor",
    id: ["langchain_core", "messages", name],
    kwargs: { content, tool_calls: [] },
  });
  test.each<[string, Json]>([
    ["constructors", { messages: [constructed("HumanMessage", "hi"), constructed("AIMessageChunk", "hello")] }],
    [
      "classes as types",
      {
        messages: [
          { type: "HumanMessage", content: "hi" },
          { type: "AIMessageChunk", content: "hello" },
        ],
      },
    ],
    [
      "pairs",
      {
        messages: [
          ["user", "hi"],
          ["ai", "hello"],
        ],
      },
    ],
    [
      "a node",
      {
        agent: {
          messages: [
            { type: "human", content: "hi" },
            { type: "ai", content: "hello" },
          ],
        },
      },
    ],
    ["a command", { update: { messages: [["human", "hi"], { type: "ai", content: "hello" }] }, goto: "end" }],
  ])("come as %s", (_form, value) => {
    expect(brief(messagesIn(value))).toEqual(["user: hi", "assistant: hello"]);
  });

  test("a list of two words is no message, and one pair is", () => {
    expect(messagesIn(["user", "hi"])).toBeNull();
    expect(brief(messagesIn([["user", "hi"]]))).toEqual(["user: hi"]);
    expect(messagesIn({ messages: [["colour", "red"]] })).toBeNull();
  });
});

describe("a conversation", () => {
  const calls = [{ tool_call: { id: "c1", function: { name: "lookup", arguments: "{}" } } }];
  const user = { role: "user", content: "hi" };
  const asks = { role: "assistant", content: "wait", tool_calls: calls };
  const result = { role: "tool", content: "42", tool_call_id: "c1" };

  test("results know the call they answer", () => {
    const lines = linesOf(input(user, asks, result, { role: "tool", content: "?", tool_call_id: "other" }));
    expect(lines.map(({ answered }) => answered?.name ?? null)).toEqual([null, null, "lookup", null]);
  });

  test("what the previous call held is repeated history, its answer included", () => {
    const previous = { input: input(user), output: input({ ...asks, finish_reason: "tool_calls" }) };
    expect(repeatedCount(input(user, asks, result), previous)).toBe(2);
    expect(repeatedCount(input({ ...user, content: "other" }, asks), previous)).toBe(0);
    expect(repeatedCount([], previous)).toBe(0);
    const answered = { input: input(user, asks, result), output: [] };
    expect(repeatedCount(input(user, asks, { ...result, tool_call_id: "c2" }), answered)).toBe(2);
    expect(repeatedCount(input(user, { ...asks, content: "no" }, result), answered)).toBe(1);
  });

  test("that came back is the answer to its last question, and what was before", () => {
    const lines = (...roles: readonly string[]) => linesOf(input(...roles.map((role) => ({ role, content: role }))));
    const found = answeredOf(lines("system", "user", "assistant", "user", "assistant", "tool", "assistant"));
    expect([found?.before.length, found?.since.length]).toEqual([4, 3]);
    expect(answeredOf(lines("assistant", "tool"))).toBeNull();
    expect(answeredOf(lines("assistant", "user"))).toBeNull();
    expect(answeredOf([])).toBeNull();
  });

  test("reads like a script as text", () => {
    expect(scriptOf(input(user, asks))).toBe("user:\nhi\n\nassistant:\nwait\n→ lookup {}");
  });
});
