// What tells of a span whether and how it failed.
import type { SpanKind, SpanStatus } from "../../model/span.ts";

export interface RecordedException {
  readonly type: string | null;
  readonly message: string;
  readonly stackTrace: string | null;
}

/** Each member may be absent: null, empty or false. */
export interface FailureEvidence {
  readonly kind: SpanKind;
  readonly name: string;
  readonly status: SpanStatus;
  readonly statusMessage: string;
  /** In the order of their events. */
  readonly exceptions: readonly RecordedException[];
  /** `error.type` or another name that the sender gives the error. */
  readonly errorType: string | null;
  readonly httpStatus: number | null;
  readonly toolName: string | null;
  /** As the provider writes them: `stop`, `length`, … */
  readonly finishReasons: readonly string[];
  /** The answer as text; null where none was recorded, "" where an empty one was. */
  readonly output: string | null;
  /** Arguments of the tools that the answer calls, as the model wrote them. */
  readonly toolArguments: readonly string[];
  readonly callsTools: boolean;
  /** The call asked for an answer in JSON. */
  readonly asksForJson: boolean;
}
