// What Claude Code sends: docs/coding-agents.md#claude-code.
import { present } from "../../genai/values.ts";
import { type Agent, type AgentStep, modelCallOf, toolCallOf, turnOf } from "./agent.ts";
import { type AgentEvent, attributeText, countAt, hasFailed } from "./agent-event.ts";

const PREFIX = "claude_code.";

export const claudeCode: Agent = {
  prefix: PREFIX,
  sessionAttribute: "session.id",
  turnAttribute: "prompt.id",
  userAttribute: "user.id",
  createReader: () => read,
};

function read(event: AgentEvent): AgentStep | null {
  const name = PREFIX + event.name;
  switch (event.name) {
    case "user_prompt":
      return turnOf(event, name);
    case "api_request":
      return modelCall(event, name);
    case "api_error":
      return modelCallOf(event, name, { provider: "anthropic" }, attributeText(event, "error") ?? "");
    case "tool_result": {
      const call = {
        name: attributeText(event, "tool_name") ?? "tool",
        id: attributeText(event, "tool_use_id"),
        input: attributeText(event, "tool_input") ?? attributeText(event, "tool_parameters"),
      };
      return toolCallOf(event, call, hasFailed(event) ? (attributeText(event, "error") ?? "") : null);
    }
    default:
      return null;
  }
}

/** Its input tokens are those beside the cache. */
function modelCall(event: AgentEvent, name: string): AgentStep {
  const cacheRead = countAt(event, "cache_read_tokens");
  const cacheWrite = countAt(event, "cache_creation_tokens");
  const prompt = countAt(event, "input_tokens") + cacheRead + cacheWrite;
  const call = { provider: "anthropic", prompt, completion: countAt(event, "output_tokens"), cacheRead, cacheWrite };
  const step = modelCallOf(event, name, call, null);
  const cost = Number(present(event.attributes, "cost_usd"));
  if (Number.isFinite(cost) && cost > 0) step.added.set("llm.cost.total", cost);
  return step;
}
