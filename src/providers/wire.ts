// The interface of a protocol adapter. Adapters are pure: they build requests and read answers, and send nothing.
import type { JsonObject } from "../kernel/json.ts";
import type { AnswerInProgress } from "./answer-in-progress.ts";
import type { ModelCall } from "./model-call.ts";

export interface WireRequest {
  /** Relative to the base URL, with query, e.g. `/chat/completions`. */
  readonly path: string;
  /** `url.path` of the span; null if the path contains the model. */
  readonly spanPath: string | null;
  readonly body: JsonObject;
  /** The body without messages, model and tools, and with `extra_body` as a member: `llm.invocation_parameters`. */
  readonly parameters: JsonObject;
  /** Tool definitions as sent: `llm.tools`. */
  readonly tools: readonly JsonObject[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface StreamReader {
  /** One event of the stream: its name (empty if it has none) and its data. */
  event(name: string, data: JsonObject): void;
}

export interface WireProtocol {
  /** Throws kind `invalid` for what the protocol cannot express. */
  request(call: ModelCall): WireRequest;
  /** Reads the events of a stream into `answer`; sets its `isComplete` at the finish reason. */
  readStream(answer: AnswerInProgress): StreamReader;
  /** Reads an answer that was not streamed. */
  readWhole(data: JsonObject, answer: AnswerInProgress): void;
}
