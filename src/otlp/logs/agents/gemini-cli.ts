// Google's Gemini CLI: docs/coding-agents.md#gemini-cli. What it asked is in an event of its own, before the one of the answer.
import { setSide } from "../../conventions/converted.ts";
import { type Agent, type AgentReader, modelCallOf, toolCallOf, turnOf } from "./agent.ts";
import { type AgentEvent, attributeText, countAt, hasFailed } from "./agent-event.ts";

const PREFIX = "gemini_cli.";
const provider = "google";

export const geminiCli: Agent = {
  prefix: PREFIX,
  sessionAttribute: "session.id",
  turnAttribute: "prompt_id",
  userAttribute: "user.id",
  createReader,
};

function createReader(): AgentReader {
  /** The last request of each turn that has not been answered. */
  const asked = new Map<string, string>();

  function answered(event: AgentEvent) {
    const reasoning = countAt(event, "thoughts_token_count");
    const call = {
      provider,
      prompt: countAt(event, "input_token_count"),
      completion: countAt(event, "output_token_count") + reasoning,
      cacheRead: countAt(event, "cached_content_token_count"),
      reasoning,
    };
    const step = modelCallOf(event, PREFIX + event.name, call, null);
    const turn = attributeText(event, "prompt_id") ?? "";
    setSide(step.added, "input", asked.get(turn));
    asked.delete(turn);
    setSide(step.added, "output", attributeText(event, "response_text"));
    return step;
  }

  return (event) => {
    switch (event.name) {
      case "user_prompt":
        return turnOf(event, PREFIX + event.name);
      case "api_request": {
        const text = attributeText(event, "request_text");
        if (text !== undefined) asked.set(attributeText(event, "prompt_id") ?? "", text);
        return null;
      }
      case "api_response":
        return answered(event);
      case "api_error":
        return modelCallOf(
          event,
          PREFIX + event.name,
          { provider },
          attributeText(event, "error") ?? attributeText(event, "error.message") ?? "",
        );
      case "tool_call": {
        const call = {
          name: attributeText(event, "function_name") ?? "tool",
          input: attributeText(event, "function_args"),
        };
        return toolCallOf(event, call, hasFailed(event) ? (attributeText(event, "error") ?? "") : null);
      }
      default:
        return null;
    }
  };
}
