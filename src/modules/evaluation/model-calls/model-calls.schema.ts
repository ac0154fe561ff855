// Calls of models that are paid from budgets and recorded as spans: requests and results.
import type { JsonObject } from "../../../kernel/json.ts";
import type { CallLimits } from "../../../providers/call-limits.ts";
import type { RetryPolicy } from "../../../providers/call-model.ts";
import type { ModelCall } from "../../../providers/model-call.ts";
import type { ModelAttempt, ModelEvent, ModelFailure } from "../../../providers/model-event.ts";
import type { CallPurpose, Spender, SpentCall } from "../spending/spending.schema.ts";

/** Where the spans of a call are stored. */
export interface CallPlace {
  /** It is made if it is not there. */
  readonly projectName: string;
  /** 32 hexadecimal digits. */
  readonly traceKey: string;
  /** Null for roots. */
  readonly parentSpanKey: string | null;
}

export interface RecordedCallRequest {
  readonly call: ModelCall;
  readonly retries: RetryPolicy;
  readonly limits: CallLimits;
  /** Whether it waits while others with the same key have hit a rate limit. */
  readonly heedsRateLimits: boolean;
  readonly spender: Spender;
  readonly purpose: CallPurpose;
  /** Row id of the project whose budget counts; null for none. */
  readonly projectId: number | null;
  /** Null stores no spans. */
  readonly place: CallPlace | null;
  /** `metadata` of the spans; empty adds none. */
  readonly metadata: JsonObject;
  /** Ends the call with a failure of kind `cancelled`. */
  readonly signal: AbortSignal;
  /** Called when the provider has answered, before that is recorded. Not for a failure. */
  readonly onAnswered?: () => void;
}

/** What became of the record of a call. */
export interface CallRecord {
  /** Id of the span of the last attempt, which every read sees; null where there is none. */
  readonly spanKey: string | null;
  /** Why the span could not be stored; null where it was. */
  readonly problem: string | null;
  /** Null where that could not be written yet. */
  readonly spent: SpentCall | null;
}

export type RecordedEvent =
  | Extract<ModelEvent, { readonly type: "text" | "tool_call" | "retry" }>
  | ({ readonly type: "finish"; readonly attempt: ModelAttempt } & CallRecord)
  /** `attempt` is null if the call was cancelled while none was running. */
  | ({ readonly type: "failure"; readonly failure: ModelFailure; readonly attempt: ModelAttempt | null } & CallRecord);

export interface RecordedCalls {
  /** Reserves, calls, stores a span for each attempt, and settles; then the last event, a `finish` or a `failure`. Throws kind `invalid`
   *  for a call that cannot be sent, as `SpendingService.reserve` for one that is not paid, and `unavailable` beyond the number of calls
   *  that run at once. Leaving the loop early cancels the call and waits for its record. */
  run(request: RecordedCallRequest): AsyncGenerator<RecordedEvent, void, undefined>;
  /** Cancels every call and resolves when all are recorded. */
  close(): Promise<void>;
}
