// All protocol adapters by name.
import type { ModelCall, Wire } from "../model-call.ts";
import type { WireProtocol, WireRequest } from "../wire.ts";
import { anthropicMessages } from "./anthropic.ts";
import { bedrockConverse } from "./bedrock.ts";
import { googleGemini } from "./google.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";

export const wires: Readonly<Record<Wire, WireProtocol>> = {
  openai_chat: openAiChat,
  openai_responses: openAiResponses,
  anthropic: anthropicMessages,
  google: googleGemini,
  bedrock: bedrockConverse,
};

const built = new WeakMap<ModelCall, WireRequest>();

/** The request of a call in its protocol, built once: it is checked, sent, and shown on the span and the run. Throws as
 *  `WireProtocol.request`. */
export function wireRequest(call: ModelCall): WireRequest {
  let request = built.get(call);
  if (request === undefined) {
    request = wires[call.endpoint.wire].request(call);
    built.set(call, request);
  }
  return request;
}
