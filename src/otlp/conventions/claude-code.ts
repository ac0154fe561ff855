// Spans of Claude Code and of Anthropic's Agent SDK, which runs it: turns, requests to the model, tools. Their names have no prefix of
// their own, only `span.type` tells them.
import { emptyObject, numberOf } from "../../kernel/json.ts";
import { type Converted, present, scalarText, tokenNumber } from "../genai/values.ts";
import { setParameters, setSide, setText, setTokens } from "./converted.ts";
import type { Source } from "./source.ts";

const KINDS = new Map([
  ["interaction", "AGENT"],
  ["llm_request", "LLM"],
  ["tool", "TOOL"],
  ["tool.execution", "CHAIN"],
  ["tool.blocked_on_user", "CHAIN"],
  ["hook", "CHAIN"],
]);
/** What a tool was called with, where the program may say it. */
const ARGUMENTS = ["file_path", "full_command", "skill_name", "subagent_type"] as const;
/** In place of what the program may not say. */
const REDACTED = "<REDACTED>";

export function convertClaudeCode(source: Source, converted: Converted): void {
  const kind = KINDS.get(scalarText(present(source, "span.type")) ?? "");
  if (kind === undefined) return;
  converted.set("openinference.span.kind", kind);
  if (kind === "AGENT") {
    const prompt = present(source, "user_prompt");
    if (prompt !== REDACTED) setSide(converted, "input", prompt);
  }
  if (kind === "LLM") convertRequest(source, converted);
  if (kind === "TOOL") convertTool(source, converted);
}

function convertRequest(source: Source, converted: Converted): void {
  setText(converted, "llm.model_name", present(source, "model"));
  setText(converted, "llm.finish_reason", present(source, "stop_reason"));
  const read = present(source, "cache_read_tokens");
  const written = present(source, "cache_creation_tokens");
  // Input alone is what was neither read from the cache nor written to it: a prompt is all three.
  const parts = [present(source, "input_tokens"), read, written].map((each) => numberOf(tokenNumber(each)));
  if (parts[0] !== null) {
    setTokens(
      converted,
      "prompt",
      parts.reduce<number>((sum, part) => sum + (part ?? 0), 0),
    );
  }
  setTokens(converted, "completion", present(source, "output_tokens"));
  setTokens(converted, "prompt_details.cache_read", read);
  setTokens(converted, "prompt_details.cache_write", written);
}

function convertTool(source: Source, converted: Converted): void {
  setText(converted, "tool.name", present(source, "tool_name"));
  setText(converted, "tool.id", present(source, "tool_use_id"));
  const given = emptyObject();
  for (const name of ARGUMENTS) {
    const value = present(source, name);
    if (value !== undefined && value !== REDACTED) given[name] = value;
  }
  setParameters(converted, "tool.parameters", given);
  if (Object.keys(given).length > 0) setSide(converted, "input", given);
}
