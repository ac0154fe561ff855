// What comes of a call of a model: pieces of the answer as they arrive, then exactly one end.
import type { Wire } from "./model-call.ts";

/** Counts as the provider reports them; null where it does not. Prompt and completion include their details. */
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

/** `other` for what the provider alone knows; its own word stands in `ModelAttempt.providerFinishReason`. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "other";

/** A whole call of a tool. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

/** Why a call came to nothing:
 *  - `auth`: the provider refused the key (401, 403);
 *  - `rate_limit`: 429; `overloaded`: 503, 529;
 *  - `timeout`: nothing came for too long, or the whole call took too long;
 *  - `connection`: the provider cannot be reached, or the connection broke;
 *  - `address`: the address may not be called;
 *  - `provider_error`: any other refusal, or an error inside the answer;
 *  - `no_completion`: an answer that is no answer of a model;
 *  - `too_large`: the answer is larger than the bound;
 *  - `cancelled`: the caller's signal. */
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
  /** For people, at most 2 kB, without secrets. */
  readonly message: string;
  /** Status of HTTP; null where none came, or where the error stood inside a good answer. */
  readonly status: number | null;
  /** The provider's own word, e.g. `context_length_exceeded`; null for none. */
  readonly code: string | null;
  /** As the provider asked for it; null where it did not. */
  readonly retryAfterSeconds: number | null;
  /** Whether the same call may succeed later. */
  readonly isTransient: boolean;
}

/** The request as it was sent, or would have been. No header is kept: they hold keys. */
export interface SentRequest {
  readonly method: string;
  /** Without user, query and fragment. */
  readonly url: string;
  /** What of the path stands behind the base address; null for Google and Bedrock, whose paths name the model. */
  readonly path: string | null;
  /** JSON text, byte by byte but for secrets. */
  readonly body: string;
}

/** What came back, as far as it came. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly contentType: string | null;
  /** Byte by byte but for secrets; of Bedrock's binary stream a line of JSON an event. */
  readonly body: string;
}

/** One request and what came of it: what a span is made of. Times are microseconds UTC. */
export interface ModelAttempt {
  /** From 1. */
  readonly number: number;
  readonly wire: Wire;
  readonly startUs: number;
  readonly endUs: number;
  /** When the first text or tool call arrived; null where none did. */
  readonly firstTokenUs: number | null;
  readonly sent: SentRequest;
  /** Null where no answer came. */
  readonly received: ReceivedAnswer | null;
  /** The answer so far, also of a failed attempt. */
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** The whole answer as JSON text where the wire has one: not streamed, or the last event of Responses; that of Anthropic is put
   *  together from its events. Null otherwise. */
  readonly answer: string | null;
  readonly usage: TokenUsage | null;
  readonly finishReason: FinishReason | null;
  readonly providerFinishReason: string | null;
  /** Id and model that the provider gives in its answer. */
  readonly responseId: string | null;
  readonly responseModel: string | null;
  readonly failure: ModelFailure | null;
}

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  /** A piece of a call: the first of an index has the name, later ones an empty name and a piece of the arguments. The id is in all. */
  | {
      readonly type: "tool_call";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
    }
  /** The attempt failed, and another one starts after the delay: what came of it so far is void. */
  | { readonly type: "retry"; readonly attempt: ModelAttempt; readonly delaySeconds: number }
  /** The last event of a call that succeeded. */
  | { readonly type: "finish"; readonly attempt: ModelAttempt }
  /** The last event of a call that failed. Without an attempt where it was cancelled between two, both told before or none. */
  | { readonly type: "failure"; readonly failure: ModelFailure; readonly attempt: ModelAttempt | null };
