// Spans of Claude Code, by the names that its documentation gives.
import { expect, test } from "bun:test";
import { addedTo } from "../../support/recorded.ts";

test("a request to the model has its kind, its model and all of its tokens", () => {
  const added = addedTo({
    "span.type": "llm_request",
    model: "claude-opus-5",
    "gen_ai.system": "anthropic",
    "gen_ai.request.model": "claude-opus-5",
    input_tokens: 2,
    output_tokens: 1200,
    cache_read_tokens: 84562,
    cache_creation_tokens: "7096",
    stop_reason: "tool_use",
    success: true,
  });
  expect(added).toMatchObject({
    "openinference.span.kind": "LLM",
    "llm.model_name": "claude-opus-5",
    "llm.provider": "anthropic",
    "llm.finish_reason": "tool_use",
    "llm.token_count.prompt": 91660,
    "llm.token_count.completion": 1200,
    "llm.token_count.total": 92860,
    "llm.token_count.prompt_details.cache_read": 84562,
    "llm.token_count.prompt_details.cache_write": 7096,
  });
});

test("a turn has its question, unless the program may not say it", () => {
  expect(addedTo({ "span.type": "interaction", user_prompt: "Fix it" })).toEqual({
    "openinference.span.kind": "AGENT",
    "input.value": "Fix it",
    "input.mime_type": "text/plain",
  });
  expect(addedTo({ "span.type": "interaction", user_prompt: "<REDACTED>" })).toEqual({
    "openinference.span.kind": "AGENT",
  });
});

test("a tool has its name and what it was called with", () => {
  const tool = { "span.type": "tool", tool_name: "Bash", tool_use_id: "toolu_1", "gen_ai.tool.call.id": "toolu_1" };
  expect(addedTo({ ...tool, full_command: "ls", file_path: "<REDACTED>" })).toMatchObject({
    "openinference.span.kind": "TOOL",
    "tool.name": "Bash",
    "tool.id": "toolu_1",
    "tool.parameters.full_command": "ls",
    "input.value": '{"full_command": "ls"}',
    "input.mime_type": "application/json",
  });
  expect(addedTo(tool)).not.toHaveProperty("input.value");
});

test("counts that cannot be read, other types and spans of others become nothing", () => {
  expect(
    addedTo({ "span.type": "llm_request", input_tokens: "many", output_tokens: [1], cache_read_tokens: "none" }),
  ).toEqual({
    "openinference.span.kind": "LLM",
  });
  expect(addedTo({ "span.type": "web", model: "x", input_tokens: 1 })).toEqual({});
  expect(addedTo({ "span.type": 5, tool_name: "x" })).toEqual({});
  expect(addedTo({ model: "x", input_tokens: 1 })).toEqual({});
});
