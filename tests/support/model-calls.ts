// Builds model calls and records of attempts for tests, with defaults.
import type {
  AnthropicCallParameters,
  AwsCallParameters,
  CallMessage,
  CallParameters,
  CallPart,
  CallResponseFormat,
  CallRole,
  CallThinking,
  CallTool,
  CallToolChoice,
  CallTools,
  GoogleCallParameters,
  ModelCall,
  ModelCredentials,
  ModelEndpoint,
  OpenAiCallParameters,
  Wire,
} from "../../src/providers/model-call.ts";
import type {
  FinishReason,
  ModelAttempt,
  ModelFailure,
  ModelFailureKind,
  ModelToolCall,
  RecordedRequest,
  RecordedResponse,
  TokenUsage,
} from "../../src/providers/model-event.ts";

/** Long enough to be redacted. */
export const TEST_KEY = "sk-of-the-tests-0123456789";

export function modelEndpoint(baseUrl: string, changes: Partial<ModelEndpoint> = {}): ModelEndpoint {
  const credentials: ModelCredentials = { type: "api_key", apiKey: TEST_KEY };
  const wire: Wire = "openai_chat";
  return {
    provider: "OPENAI",
    wire,
    baseUrl,
    credentials,
    headers: {},
    organization: null,
    project: null,
    region: null,
    llmProvider: "openai",
    displayName: "OpenAI",
    ...changes,
  };
}

export function message(role: CallRole, content: string | readonly CallPart[]): CallMessage {
  return { role, content };
}

export function modelCall(endpoint: ModelEndpoint, changes: Partial<ModelCall> = {}): ModelCall {
  return {
    endpoint,
    model: "text",
    messages: [message("user", "hi there")],
    tools: null,
    responseFormat: null,
    parameters: { type: "openai", openai: {} },
    streaming: true,
    ...changes,
  };
}

/** A function tool `name(city)` for each name. */
export function callTools(
  names: readonly string[],
  choice?: CallToolChoice,
  changes: Partial<CallTools> = {},
): CallTools {
  const tools = names.map(
    (name): CallTool => ({
      type: "function",
      function: {
        name,
        description: `Calls ${name}`,
        parameters: { type: "object", properties: { city: { type: "string" } } },
      },
    }),
  );
  return { tools, ...(choice === undefined ? {} : { tool_choice: choice }), ...changes };
}

export const openAi = (openai: OpenAiCallParameters): CallParameters => ({ type: "openai", openai });
export const anthropic = (parameters: AnthropicCallParameters, thinking?: CallThinking): CallParameters => ({
  type: "anthropic",
  anthropic: { ...parameters, ...(thinking === undefined ? {} : { thinking }) },
});
export const google = (parameters: GoogleCallParameters): CallParameters => ({ type: "google", google: parameters });
export const aws = (parameters: AwsCallParameters): CallParameters => ({ type: "aws", aws: parameters });

export function jsonSchema(changes: Partial<CallResponseFormat["json_schema"]> = {}): CallResponseFormat {
  return { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" }, ...changes } };
}

export function modelFailure(kind: ModelFailureKind, changes: Partial<ModelFailure> = {}): ModelFailure {
  return {
    kind,
    message: `It failed: ${kind}`,
    status: null,
    code: null,
    retryAfterSeconds: null,
    isTransient: false,
    ...changes,
  };
}

export function toolCall(name: string, text: string, id = "call_0"): ModelToolCall {
  return { id, name, arguments: text };
}

/** A successful attempt with the text "Hello world". */
export function modelAttempt(changes: Partial<ModelAttempt> = {}): ModelAttempt {
  const request: RecordedRequest = {
    method: "POST",
    url: "http://127.0.0.1/v1/chat/completions",
    path: "/chat/completions",
    body: '{"model":"text"}',
  };
  const response: RecordedResponse = { status: 200, contentType: "text/event-stream", body: "data: [DONE]\n\n" };
  const usage: TokenUsage = {
    prompt: 11,
    completion: 7,
    total: 18,
    cacheRead: null,
    cacheWrite: null,
    promptAudio: null,
    reasoning: null,
    completionAudio: null,
  };
  const finishReason: FinishReason = "stop";
  return {
    number: 1,
    wire: "openai_chat",
    startUs: 1_000_000,
    endUs: 2_000_000,
    firstTokenUs: 1_500_000,
    request,
    response,
    text: "Hello world",
    toolCalls: [],
    thoughts: [],
    responseJson: null,
    usage,
    finishReason,
    providerFinishReason: "stop",
    responseId: null,
    responseModel: null,
    failure: null,
    ...changes,
  };
}
