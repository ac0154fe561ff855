// Names beside those of the GenAI conventions, as libraries send them.
import { describe, expect, test } from "bun:test";
import { addedTo, readRecorded } from "../../support/recorded.ts";

test("openlit: messages, tokens, and no cost where no price was known", async () => {
  const [chat, , embedding, , message] = await readRecorded("openlit");
  expect(chat!.span).toMatchObject({ kind: "LLM", promptTokens: 20, completionTokens: 7, userKey: null });
  expect(chat!.added).toMatchObject({
    "llm.output_messages.0.message.content": "It rains in Malmö.",
    "llm.token_count.prompt_details.cache_read": 5,
  });
  expect(chat!.added).not.toHaveProperty("llm.cost.total");
  expect(embedding!.span.kind).toBe("EMBEDDING");
  expect(message!.added).toMatchObject({
    "llm.provider": "anthropic",
    "llm.token_count.prompt_details.cache_write": 3,
  });
});

test("LiteLLM: user, total and costs of a completion", async () => {
  const [completion] = await readRecorded("litellm");
  expect(completion!.span).toMatchObject({ kind: "LLM", userKey: "user-1", promptTokens: 20, completionTokens: 7 });
  expect(completion!.added).toMatchObject({
    "llm.cost.total": 6.825000000000001e-6,
    "llm.cost.prompt": 2.6250000000000003e-6,
    "llm.cost.completion": 4.2000000000000004e-6,
    "llm.output_messages.0.message.content": "It rains in Malmö.",
  });
});

test("Strands: a cycle of its loop is a chain, texts without a type are texts", async () => {
  const [agent, cycle] = await readRecorded("strands");
  expect([agent!.span.kind, cycle!.span.kind]).toEqual(["AGENT", "CHAIN"]);
  expect(agent!.added).toMatchObject({
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": "Be brief.",
    "llm.input_messages.1.message.content": "How is the weather in Malmö?",
  });
});

describe("single names", () => {
  const details = "llm.token_count.prompt_details";
  test.each<[string, unknown, string]>([
    ["gen_ai.usage.cache_write.input_tokens", 3, `${details}.cache_write`],
    ["gen_ai.usage.details.cache_read_tokens", 5, `${details}.cache_read`],
    ["gen_ai.usage.reasoning_tokens", "7", "llm.token_count.completion_details.reasoning"],
    ["gen_ai.usage.cost", 0.5, "llm.cost.total"],
    ["operation.cost", 0.25, "llm.cost.total"],
    ["gen_ai.request.user", "ada", "user.id"],
  ])("%s = %p becomes %s", (key, value, target) => {
    expect(addedTo({ [key]: value })).toEqual({ [target]: value === "7" ? 7 : value });
  });

  test("yield to those of the conventions and of the span", () => {
    expect(
      addedTo({
        "gen_ai.usage.cache_read.input_tokens": 1,
        "gen_ai.usage.cache_read_input_tokens": 2,
        "llm.cost.total": 1.5,
        "gen_ai.usage.cost": 0.5,
        "gen_ai.usage.reasoning_tokens": "many",
      }),
    ).toEqual({ [`${details}.cache_read`]: 1 });
  });
});

test("LiteLLM's proxy: the user for whom a program asks, where the request itself names none", () => {
  const sent = { "gen_ai.request.model": "example-1", "metadata.user_api_key_end_user_id": "customer-1" };
  expect(addedTo(sent)).toMatchObject({ "user.id": "customer-1" });
  expect(addedTo({ ...sent, "llm.user": "user-1" })).toMatchObject({ "user.id": "user-1" });
  expect(addedTo({ ...sent, "metadata.user_api_key_end_user_id": "" })).not.toHaveProperty("user.id");
});
