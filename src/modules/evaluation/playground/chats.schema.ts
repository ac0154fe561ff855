// Trying chats: what is asked for, and the events that come of it.
import type { JsonObject } from "../../../kernel/json.ts";
import type { ModelProvider, TemplateFormat } from "../../../model/prompt.ts";
import type { EndpointRequest } from "../../../providers/endpoints.ts";
import type { CallMessage, CallParameters, ModelCall } from "../../../providers/model-call.ts";
import type { ModelAttempt } from "../../../providers/model-event.ts";
import type { RecordedEvent } from "../model-calls/model-calls.schema.ts";
import type { SpentCall } from "../spending/spending.schema.ts";

/** Where the spans of chats are stored. */
export const PLAYGROUND_PROJECT = { name: "playground", description: "Traces from prompt playground" } as const;

/** One of several ways to get an answer: prompt, model and parameters. */
export interface ChatVariant
  extends Pick<ModelCall, "tools" | "responseFormat">,
    Pick<EndpointRequest, "model" | "connection" | "headers"> {
  /** Null leaves it to the custom provider. */
  readonly provider: ModelProvider | null;
  /** Row id. */
  readonly customProviderId: number | null;
  readonly messages: readonly CallMessage[];
  /** Null for those that every model of the provider takes. */
  readonly parameters: CallParameters | null;
  /** Null sends the messages as they are. */
  readonly template: { readonly format: TemplateFormat; readonly variables: JsonObject } | null;
  /** `metadata` of the spans. */
  readonly metadata: JsonObject;
}

export interface ChatRequest {
  readonly variants: readonly ChatVariant[];
  /** How often each variant is called. */
  readonly repetitions: number;
  /** For this request only. */
  readonly credentials: EndpointRequest["credentials"];
  readonly streaming: boolean;
}

interface ChatPlace {
  /** Position among the variants, from 0. */
  readonly variant: number;
  /** From 1. */
  readonly repetition: number;
}

/** Why there is no answer, or not all of it. */
export interface ChatError {
  /** The kind of failure of the provider, `template`, or the code of a refusal, such as `spending.budget_used_up`. */
  readonly code: string;
  readonly message: string;
  /** Nothing came for too long, by the time limit of the playground. */
  readonly isPlaygroundTimeout: boolean;
  /** Whether the model was called, so that a `result` follows. */
  readonly hasResult: boolean;
}

/** The end of a repetition whose model was called. */
interface ChatResult {
  readonly traceKey: string;
  /** Null if it could not be stored. */
  readonly spanKey: string | null;
  /** Null if the call was cancelled before it was sent. */
  readonly attempt: ModelAttempt | null;
  readonly spent: SpentCall | null;
}

/** Of each repetition pieces of the answer in order, and at the end an `error`, a `result`, or both. */
export type ChatEvent = ChatPlace &
  (
    | Extract<RecordedEvent, { readonly type: "text" | "tool_call" | "retry" }>
    | ({ readonly type: "error" } & ChatError)
    | ({ readonly type: "result" } & ChatResult)
  );
