// The model that recorded programs talk to: asked with tools it calls the first one, once it has the result it answers.

interface Asked {
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
}

const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 7,
  total_tokens: 27,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 2 },
};

/** The answer to a request below one of the usual paths of model providers. */
export function answerOf(path: string, body: string): Response {
  const asked = JSON.parse(body === "" || !body.startsWith("{") ? "{}" : body) as Asked;
  if (path.endsWith("/chat/completions")) return Response.json(completion(asked));
  if (path.endsWith("/embeddings")) {
    const data = [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }];
    return Response.json({
      object: "list",
      model: "example-embed",
      data,
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
  }
  if (path.endsWith("/messages")) return Response.json(anthropicMessage());
  return new Response(null, { status: 404 });
}

function completion({ tools, messages = [] }: Asked): unknown {
  const callsTool = tools !== undefined && !messages.some(({ role }) => role === "tool");
  const call = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Malmö"}' } };
  const message = callsTool
    ? { role: "assistant", content: null, tool_calls: [call] }
    : { role: "assistant", content: "It rains in Malmö." };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1764000000,
    model: "example-1-2026",
    choices: [{ index: 0, message, finish_reason: callsTool ? "tool_calls" : "stop" }],
    usage: USAGE,
  };
}

function anthropicMessage(): unknown {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "example-1-2026",
    content: [{ type: "text", text: "It rains in Malmö." }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 7, cache_creation_input_tokens: 3, cache_read_input_tokens: 5 },
  };
}
