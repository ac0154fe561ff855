// What one protocol of models must be able to do. Adapters are pure: requests go out and answers come in elsewhere.
import type { JsonObject } from "../kernel/json.ts";
import type { AnswerInProgress } from "./answer-in-progress.ts";
import type { ModelCall } from "./model-call.ts";

export interface WireRequest {
  /** Behind the base address, with its query, e.g. `/chat/completions`. */
  readonly path: string;
  /** Of the path what spans show; null where it names the model. */
  readonly shownPath: string | null;
  readonly body: JsonObject;
  /** The body without messages, model and tools, and with `extra_body` as a member: `llm.invocation_parameters`. */
  readonly parameters: JsonObject;
  /** Definitions of tools as they are sent: `llm.tools`. */
  readonly tools: readonly JsonObject[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface StreamReader {
  /** One event of the stream: its name (empty for none) and its data. */
  event(name: string, data: JsonObject): void;
}

export interface WireProtocol {
  /** Throws kind `invalid` for what the wire cannot express. */
  request(call: ModelCall): WireRequest;
  /** Reads one streamed answer into `answer`, whose `isComplete` it sets at the end. */
  readStream(answer: AnswerInProgress): StreamReader;
  /** Reads an answer that came in one piece. */
  readWhole(data: JsonObject, answer: AnswerInProgress): void;
}
