// All protocol adapters by name.
import type { Wire } from "../model-call.ts";
import type { WireProtocol } from "../wire.ts";
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
