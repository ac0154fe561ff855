// The events of a call: pieces of the answer as they arrive, then exactly one final event.
import type { CallThought, Wire } from "./model-call.ts";

/** Token counts as the provider reports them; null if it does not. `prompt` and `completion` include their details. */
export interface TokenUsage {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly total: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly promptAudio: number | null;
  readonly reasoning: number | null;
  readonly completionAudio: number | null;
}

/** `other` for reasons of one provider only; `ModelAttempt.providerFinishReason` has the original. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "other";

/** A complete tool call. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

/** Why a call failed:
 *  - `auth`: the provider refused the credentials (401, 403);
 *  - `rate_limit`: 429; `overloaded`: 503, 529;
 *  - `timeout`: nothing arrived for too long, or the attempt took too long;
 *  - `connection`: the provider cannot be reached, or the connection broke;
 *  - `address`: the address must not be called;
 *  - `provider_error`: any other error of the provider;
 *  - `no_completion`: the response is not the answer of a model;
 *  - `too_large`: the answer exceeds the size limit;
 *  - `cancelled`: the caller's signal was aborted. */
export type ModelFailureKind =
  | "auth"
  | "rate_limit"
  | "overloaded"
  | "timeout"
  | "connection"
  | "address"
  | "provider_error"
  | "no_completion"
  | "too_large"
  | "cancelled";

export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /** At most 2 kB, redacted. */
  readonly message: string;
  /** HTTP status; null without a response, and for an error after a successful status. */
  readonly status: number | null;
  /** The provider's error code, e.g. `context_length_exceeded`. */
  readonly code: string | null;
  /** Delay that the provider asked for. */
  readonly retryAfterSeconds: number | null;
  /** Whether the same call may succeed later. */
  readonly isTransient: boolean;
}

/** The request as it was sent, or would have been sent. Headers are not recorded: they contain keys. */
export interface RecordedRequest {
  readonly method: string;
  /** Without user info, query and fragment. */
  readonly url: string;
  /** Path relative to the base URL; null for Google and Bedrock, whose paths contain the model. */
  readonly path: string | null;
  /** The JSON text that was sent, redacted. */
  readonly body: string;
}

/** The response as far as it was received. */
export interface RecordedResponse {
  readonly status: number;
  readonly contentType: string | null;
  /** The text that was received, redacted. For Bedrock's binary stream one line of JSON an event. */
  readonly body: string;
}

/** The record of one request and its response, from which a span is made. Times are microseconds UTC. */
export interface ModelAttempt {
  /** From 1. */
  readonly number: number;
  readonly wire: Wire;
  readonly startUs: number;
  readonly endUs: number;
  /** When the first text or tool call arrived. */
  readonly firstTokenUs: number | null;
  readonly request: RecordedRequest;
  /** Null if no response was received. */
  readonly response: RecordedResponse | null;
  /** Text and tool calls so far, also of a failed attempt. */
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** For the assistant message of the next call. */
  readonly thoughts: readonly CallThought[];
  /** The provider's whole answer as JSON text: the body if it was not streamed, the last event of Responses, the message assembled
   *  from Anthropic's events. Null for other streams. */
  readonly responseJson: string | null;
  readonly usage: TokenUsage | null;
  readonly finishReason: FinishReason | null;
  readonly providerFinishReason: string | null;
  /** Id and model as named in the response. */
  readonly responseId: string | null;
  readonly responseModel: string | null;
  readonly failure: ModelFailure | null;
}

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  /** A piece of a tool call. The first piece of an index has the name, later ones have an empty name and a piece of the arguments. */
  | {
      readonly type: "tool_call";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
    }
  /** The attempt failed and another one starts after the delay: pieces received so far are void. */
  | { readonly type: "retry"; readonly attempt: ModelAttempt; readonly delaySeconds: number }
  /** The last event of a call that succeeded. */
  | { readonly type: "finish"; readonly attempt: ModelAttempt }
  /** The last event of a call that failed. `attempt` is null if the call was cancelled while no attempt was running. */
  | { readonly type: "failure"; readonly failure: ModelFailure; readonly attempt: ModelAttempt | null };
