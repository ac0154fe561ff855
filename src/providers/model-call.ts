// A model call, independent of the provider's protocol. Messages, tools, response format and parameters have the shapes of stored prompt
// versions, so that a stored version can be called without conversion.
import type { JsonObject } from "../kernel/json.ts";
import type { ModelProvider } from "../model/prompt.ts";

/** Protocols of providers. Most providers implement OpenAI's chat completions. */
export type Wire = "openai_chat" | "openai_responses" | "anthropic" | "google" | "bedrock";

/** Secrets of a call. They are sent to the endpoint only, and redacted in every text that leaves this layer. */
export type ModelCredentials =
  | { readonly type: "none" }
  | { readonly type: "api_key"; readonly apiKey: string }
  | {
      readonly type: "access_keys";
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly sessionToken: string | null;
    }
  /** An application of Microsoft Entra ID; its tokens are cached in memory. */
  | {
      readonly type: "azure_ad";
      /** Without a trailing slash, e.g. `https://login.microsoftonline.com`. */
      readonly authority: string;
      readonly tenantId: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope: string;
    }
  /** The same with the token of a workload identity in the place of a secret. */
  | {
      readonly type: "azure_federated";
      readonly authority: string;
      readonly tenantId: string;
      readonly clientId: string;
      readonly tokenFile: string;
      readonly scope: string;
    }
  /** The managed identity of the machine. */
  | {
      readonly type: "azure_managed";
      /** Null for the service of virtual machines. */
      readonly endpoint: { readonly url: string; readonly header: string } | null;
      /** Null for the identity that the machine was given first. */
      readonly clientId: string | null;
      readonly scope: string;
    }
  | ({ readonly type: "aws_identity" } & AwsIdentity);

/** Where access keys of the server at AWS come from. */
export type AwsIdentity =
  | {
      readonly source: "profile";
      readonly profile: string;
      readonly credentialsFile: string;
      readonly configFile: string;
    }
  | {
      readonly source: "web_identity";
      readonly tokenFile: string;
      readonly roleArn: string;
      readonly sessionName: string;
      readonly region: string;
    }
  | {
      readonly source: "container";
      readonly url: string;
      /** What proves who asks: itself, or the file that has it; the file counts. */
      readonly token: string | null;
      readonly tokenFile: string | null;
    }
  | { readonly source: "instance" };

/** Where a call goes, and with which credentials. */
export interface ModelEndpoint {
  readonly provider: ModelProvider;
  readonly wire: Wire;
  /** `http` or `https`, without a trailing slash, e.g. `https://api.openai.com/v1`; the wire appends its path. */
  readonly baseUrl: string;
  readonly credentials: ModelCredentials;
  /** Additional headers, as returned by `requireSendableHeaders`. Their values count as secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as `OpenAI-Organization` and `OpenAI-Project`. */
  readonly organization: string | null;
  readonly project: string | null;
  /** AWS region for Bedrock, e.g. `us-east-1`; null for other wires. */
  readonly region: string | null;
  /** Value of the span attribute `llm.provider`, e.g. `openai`. */
  readonly llmProvider: string;
  /** Used in messages, e.g. `OpenAI`, or the name of a custom provider. */
  readonly displayName: string;
}

export type CallRole = "user" | "assistant" | "model" | "ai" | "tool" | "system" | "developer";

export type CallPart =
  | { readonly type: "text"; readonly text: string }
  /** `url` is an http(s) URL or a `data:` URL with base64; Bedrock accepts `data:` only. */
  | { readonly type: "image"; readonly url: string }
  | {
      readonly type: "tool_call";
      readonly tool_call_id: string;
      /** `arguments` is JSON text; invalid JSON is sent as `{}`. */
      readonly tool_call: { readonly type: "function"; readonly name: string; readonly arguments: string };
    }
  /** `tool_result` is any JSON value; other values than strings are sent as JSON text. */
  | { readonly type: "tool_result"; readonly tool_call_id: string; readonly tool_result: unknown }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  /** Encrypted by the provider. */
  | { readonly type: "redacted_thinking"; readonly data: string };

/** What an Anthropic model thought, of an assistant message: sent back unchanged, because it is signed. Other protocols leave it out. */
export type CallThought = Extract<CallPart, { readonly type: "thinking" | "redacted_thinking" }>;

export interface CallMessage {
  readonly role: CallRole;
  /** With its template variables filled in. */
  readonly content: string | readonly CallPart[];
}

export type CallTool =
  | {
      readonly type: "function";
      readonly function: {
        readonly name: string;
        readonly description?: string;
        /** JSON schema. */
        readonly parameters?: JsonObject;
        readonly strict?: boolean;
      };
    }
  /** In the provider's own format. */
  | { readonly type: "raw"; readonly raw: JsonObject };

export type CallToolChoice =
  | { readonly type: "none" }
  | { readonly type: "zero_or_more" }
  | { readonly type: "one_or_more" }
  | { readonly type: "specific_function"; readonly function_name: string };

export interface CallTools {
  /** At least one. */
  readonly tools: readonly CallTool[];
  readonly tool_choice?: CallToolChoice;
  readonly disable_parallel_tool_calls?: boolean;
}

/** Can be combined with tools. */
export interface CallResponseFormat {
  readonly type: "json_schema";
  readonly json_schema: {
    readonly name: string;
    readonly description?: string;
    readonly schema?: JsonObject;
    readonly strict?: boolean;
  };
}

export interface OpenAiCallParameters {
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly top_p?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
  readonly extra_body?: JsonObject;
}

export type CallThinking =
  | { readonly type: "disabled" }
  | { readonly type: "enabled"; readonly budget_tokens: number; readonly display?: "summarized" | "omitted" }
  | { readonly type: "adaptive"; readonly display?: "summarized" | "omitted" };

export interface AnthropicCallParameters {
  readonly max_tokens: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stop_sequences?: readonly string[];
  readonly output_config?: { readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" };
  readonly thinking?: CallThinking;
  readonly extra_body?: JsonObject;
}

export interface GoogleCallParameters {
  readonly temperature?: number;
  readonly max_output_tokens?: number;
  readonly stop_sequences?: readonly string[];
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly thinking_config?: {
    readonly thinking_budget?: number;
    readonly thinking_level?: "minimal" | "low" | "medium" | "high";
    readonly include_thoughts?: boolean;
  };
  readonly extra_body?: JsonObject;
}

export interface AwsCallParameters {
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stop_sequences?: readonly string[];
  readonly extra_body?: JsonObject;
}

/** The family must be that of the provider. `extra_body` is merged into the top level of the request body and overrides it. */
export type CallParameters =
  | { readonly type: "openai"; readonly openai: OpenAiCallParameters }
  | { readonly type: "anthropic"; readonly anthropic: AnthropicCallParameters }
  | { readonly type: "google"; readonly google: GoogleCallParameters }
  | { readonly type: "aws"; readonly aws: AwsCallParameters };

export interface ModelCall {
  readonly endpoint: ModelEndpoint;
  /** Name of the model at the provider. */
  readonly model: string;
  readonly messages: readonly CallMessage[];
  readonly tools: CallTools | null;
  readonly responseFormat: CallResponseFormat | null;
  readonly parameters: CallParameters;
  /** Whether to request a stream. Without, the events are the same with the text in one piece. */
  readonly streaming: boolean;
}
