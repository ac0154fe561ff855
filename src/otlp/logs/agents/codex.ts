// OpenAI's Codex CLI: docs/coding-agents.md#codex-cli. Its events name no turn, and that a model has answered is an event of its own, behind
// the one of the request.
import { type Agent, type AgentReader, modelCallOf, toolCallOf, turnOf } from "./agent.ts";
import { type AgentEvent, attributeText, countAt, hasFailed } from "./agent-event.ts";

const PREFIX = "codex.";
const REQUESTS = new Set(["api_request", "websocket_request"]);
const ANSWERS = new Set(["sse_event", "websocket_event"]);
const WHOLE = "response.completed";
const provider = "openai";

export const codex: Agent = {
  prefix: PREFIX,
  sessionAttribute: "conversation.id",
  turnAttribute: null,
  userAttribute: "user.account_id",
  createReader,
};

function createReader(): AgentReader {
  /** When the request began whose answer has not come. */
  let begunUs: number | null = null;

  function begun(event: AgentEvent) {
    const failed = attributeText(event, "error.message") ?? (hasFailed(event) ? "" : undefined);
    const code = countAt(event, "http.response.status_code");
    if (failed !== undefined || code >= 400) {
      const error = failed || (code > 0 ? `HTTP ${code}` : "");
      return modelCallOf(event, PREFIX + event.name, { provider }, error);
    }
    // Codex also asks which models there are.
    if (attributeText(event, "endpoint")?.endsWith("/models") === true) return null;
    begunUs = event.timeUs - countAt(event, "duration_ms") * 1000;
    return null;
  }

  function answered(event: AgentEvent) {
    const error = attributeText(event, "error.message");
    const hasTokens = attributeText(event, "input_token_count") !== undefined;
    if (error === undefined && (attributeText(event, "event.kind") !== WHOLE || !hasTokens)) return null;
    const call = hasTokens
      ? {
          provider,
          prompt: countAt(event, "input_token_count"),
          completion: countAt(event, "output_token_count"),
          cacheRead: countAt(event, "cached_token_count"),
          cacheWrite: countAt(event, "cache_write_token_count"),
          reasoning: countAt(event, "reasoning_token_count"),
        }
      : { provider };
    const step = modelCallOf(event, PREFIX + event.name, call, error ?? null);
    const startUs = begunUs === null ? step.startUs : Math.min(begunUs, step.endUs);
    begunUs = null;
    return { ...step, startUs };
  }

  return (event) => {
    if (event.name === "user_prompt") return turnOf(event, PREFIX + event.name);
    if (REQUESTS.has(event.name)) return begun(event);
    if (ANSWERS.has(event.name)) return answered(event);
    if (event.name !== "tool_result") return null;
    const output = attributeText(event, "output");
    const call = {
      name: attributeText(event, "tool_name") ?? "tool",
      id: attributeText(event, "call_id"),
      input: attributeText(event, "arguments"),
      output,
    };
    return toolCallOf(event, call, hasFailed(event) ? (output ?? "") : null);
  };
}
