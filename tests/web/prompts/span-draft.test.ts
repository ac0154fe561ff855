// What a prompt begins with that is made of a recorded call of a model.
import { expect, test } from "bun:test";
import { contentOf } from "../../../src/web/domain/prompts/editor/prompt-draft.ts";
import { draftOfSpan } from "../../../src/web/domain/prompts/editor/span-draft.ts";
import { readPayload } from "../../../src/web/domain/trace/payload/payload.ts";

const draftOf = (attributes: object, cut: { path: string; bytes: number }[] = []) =>
  draftOfSpan(
    readPayload({
      attributes: JSON.stringify(attributes),
      events: "[]",
      cut: cut.map((each) => ({ ...each, items: null })),
    }),
    async ({ text, wholeBytes }) => (wholeBytes === null ? text : `${text} and the rest`),
  );

test("a call becomes a prompt: whole messages, tools, model and parameters", async () => {
  const schema = { type: "object", properties: { number: { type: "string" } } };
  const call = { id: "c1", function: { name: "find_order", arguments: '{"number": "7"}' } };
  const attributes = {
    llm: {
      model_name: "claude-x",
      provider: "anthropic",
      invocation_parameters: '{"model": "claude-x", "max_tokens": 100, "temperature": 0.5, "top_k": 3, "stream": true}',
      tools: [
        {
          tool: {
            json_schema: JSON.stringify({ type: "function", function: { name: "find_order", parameters: schema } }),
          },
        },
        { tool: { json_schema: '{"type": "web_search"}' } },
      ],
      input_messages: [
        { message: { role: "system", content: "Braces {{stay}}" } },
        { message: { role: "human", content: "Where is it?" } },
        { message: { role: "assistant", content: "Wait.", tool_calls: [{ tool_call: call }] } },
        { message: { role: "tool", content: "on its way", tool_call_id: "c1" } },
      ],
    },
  };
  const path = JSON.stringify(["attributes", "llm", "input_messages", 1, "message", "content"]);
  expect(contentOf(await draftOf(attributes, [{ path, bytes: 99_999 }]))).toEqual({
    description: "",
    model_provider: "ANTHROPIC",
    model_name: "claude-x",
    template_type: "CHAT",
    template_format: "NONE",
    template: {
      type: "chat",
      messages: [
        { role: "system", content: "Braces {{stay}}" },
        { role: "user", content: "Where is it? and the rest" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Wait." },
            {
              type: "tool_call",
              tool_call_id: "c1",
              tool_call: { type: "function", name: "find_order", arguments: expect.stringContaining('"7"') },
            },
          ],
        },
        { role: "tool", content: [{ type: "tool_result", tool_call_id: "c1", tool_result: "on its way" }] },
      ],
    },
    invocation_parameters: {
      type: "anthropic",
      anthropic: { max_tokens: 100, temperature: 0.5, extra_body: { top_k: 3 } },
    },
    tools: {
      type: "tools",
      tools: [
        { type: "function", function: { name: "find_order", parameters: schema } },
        { type: "raw", raw: { type: "web_search" } },
      ],
    },
  });
});

test("what is not known is left open", async () => {
  const draft = await draftOf({ llm: { provider: "somebody" } });
  expect({ ...draft, messages: draft.messages.length }).toMatchObject({ provider: "OPENAI", model: "", messages: 0 });
});
