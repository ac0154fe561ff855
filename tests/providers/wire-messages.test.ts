// The messages of a call in every protocol.
import { describe, expect, test } from "bun:test";
import type { CallMessage } from "../../src/providers/model-call.ts";
import { message } from "../support/model-calls.ts";
import { wireBody } from "../support/wire-requests.ts";

const image = { type: "image", url: "data:image/png;base64,aGk=" } as const;
const linked = { type: "image", url: "https://img.example/a.png" } as const;
const conversation: readonly CallMessage[] = [
  message("system", "Be brief."),
  message("developer", [
    { type: "text", text: "Be" },
    { type: "text", text: "kind." },
  ]),
  message("user", [{ type: "text", text: "Look:" }, image]),
  message("ai", [
    { type: "text", text: "I ask." },
    {
      type: "tool_call",
      tool_call_id: "c1",
      tool_call: { type: "function", name: "f", arguments: '{"city": "Rome"}' },
    },
    { type: "tool_call", tool_call_id: "c2", tool_call: { type: "function", name: "g", arguments: "no json" } },
  ]),
  message("tool", [{ type: "tool_result", tool_call_id: "c1", tool_result: { degrees: 20 } }]),
  message("tool", [{ type: "tool_result", tool_call_id: "c2", tool_result: "fine" }]),
  message("assistant", "Warm."),
  message("user", "Thanks"),
];

describe("messages", () => {
  test("chat completions", () => {
    expect(wireBody("openai_chat", { messages: conversation })).toEqual({
      model: "text",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "system", content: "Be\nkind." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look:" },
            { type: "image_url", image_url: { url: image.url } },
          ],
        },
        {
          role: "assistant",
          content: "I ask.",
          tool_calls: [
            { id: "c1", type: "function", function: { name: "f", arguments: '{"city": "Rome"}' } },
            { id: "c2", type: "function", function: { name: "g", arguments: "{}" } },
          ],
        },
        { role: "tool", content: '{"degrees":20}', tool_call_id: "c1" },
        { role: "tool", content: "fine", tool_call_id: "c2" },
        { role: "assistant", content: "Warm." },
        { role: "user", content: "Thanks" },
      ],
    });
  });

  test("Responses", () => {
    expect(wireBody("openai_responses", { messages: conversation }).input).toEqual([
      { role: "system", content: "Be brief." },
      { role: "system", content: "Be\nkind." },
      {
        role: "user",
        content: [
          { type: "input_text", text: "Look:" },
          { type: "input_image", image_url: image.url },
        ],
      },
      { role: "assistant", content: "I ask." },
      { type: "function_call", call_id: "c1", name: "f", arguments: '{"city": "Rome"}' },
      { type: "function_call", call_id: "c2", name: "g", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: '{"degrees":20}' },
      { type: "function_call_output", call_id: "c2", output: "fine" },
      { role: "assistant", content: "Warm." },
      { role: "user", content: "Thanks" },
    ]);
  });

  test("Anthropic: separate system text, tool results in one user message", () => {
    const body = wireBody("anthropic", { messages: conversation });
    expect(body.system).toBe("Be brief.\nBe\nkind.\n");
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I ask." },
          { type: "tool_use", id: "c1", name: "f", input: { city: "Rome" } },
          { type: "tool_use", id: "c2", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: '{"degrees":20}' },
          { type: "tool_result", tool_use_id: "c2", content: "fine" },
        ],
      },
      { role: "assistant", content: "Warm." },
      { role: "user", content: "Thanks" },
    ]);
    expect(wireBody("anthropic", { messages: [message("user", [linked])] }).messages).toEqual([
      { role: "user", content: [{ type: "image", source: { type: "url", url: linked.url } }] },
    ]);
  });

  test("Gemini: tool results with the name of the function", () => {
    const body = wireBody("google", { messages: conversation, model: "gemini-2.5-pro" });
    expect(body.systemInstruction).toEqual({ parts: [{ text: "Be brief.\nBe\nkind." }] });
    expect(body.contents).toEqual([
      { role: "user", parts: [{ text: "Look:" }, { inlineData: { mimeType: "image/png", data: "aGk=" } }] },
      {
        role: "model",
        parts: [
          { text: "I ask." },
          { functionCall: { id: "c1", name: "f", args: { city: "Rome" } } },
          { functionCall: { id: "c2", name: "g", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "f", response: { degrees: 20 } } },
          { functionResponse: { id: "c2", name: "g", response: { result: "fine" } } },
        ],
      },
      { role: "model", parts: [{ text: "Warm." }] },
      { role: "user", parts: [{ text: "Thanks" }] },
    ]);
    expect(wireBody("google", { messages: [message("user", [linked])] }).contents).toEqual([
      { role: "user", parts: [{ fileData: { fileUri: linked.url } }] },
    ]);
  });

  test("Gemini 3 and later: tool calls with the documented replacement for their signature", () => {
    const signed = (model: string) => JSON.stringify(wireBody("google", { messages: conversation, model }));
    for (const model of ["gemini-3.1-pro-preview", "gemini-4-argon"]) {
      expect(signed(model).match(/"thoughtSignature":"skip_thought_signature_validator"/g)?.length).toBe(1);
    }
    expect(signed("gemini-2.5-flash")).not.toContain("thoughtSignature");
  });

  test("Bedrock: tool results as text", () => {
    const body = wireBody("bedrock", { messages: conversation });
    expect(body.system).toEqual([{ text: "Be brief." }, { text: "Be\nkind." }]);
    expect(body.messages).toEqual([
      { role: "user", content: [{ text: "Look:" }, { image: { format: "png", source: { bytes: "aGk=" } } }] },
      {
        role: "assistant",
        content: [
          { text: "I ask." },
          { toolUse: { toolUseId: "c1", name: "f", input: { city: "Rome" } } },
          { toolUse: { toolUseId: "c2", name: "g", input: {} } },
        ],
      },
      {
        role: "user",
        content: [
          { toolResult: { toolUseId: "c1", content: [{ text: '{"degrees":20}' }] } },
          { toolResult: { toolUseId: "c2", content: [{ text: "fine" }] } },
        ],
      },
      { role: "assistant", content: [{ text: "Warm." }] },
      { role: "user", content: [{ text: "Thanks" }] },
    ]);
    expect(() => wireBody("bedrock", { messages: [message("user", [linked])] })).toThrow("images inside the message");
  });
});
